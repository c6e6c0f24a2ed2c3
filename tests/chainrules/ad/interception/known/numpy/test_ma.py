"""Functions of `numpy.ma` that hand an array on."""

import types

import numpy as np
import pytest

from chainrules.ad import grad

X = np.array([0.7, 1.3, 2.1])

# In the oldest version of NumPy that is promised they are objects, and refused.
ARE_FUNCTIONS = isinstance(np.ma.atleast_1d, types.FunctionType)
atleast_1d, atleast_2d = (
    (np.ma.atleast_1d, np.ma.atleast_2d) if ARE_FUNCTIONS else (np.atleast_1d, np.atleast_2d)
)


def log_likelihood(x, observations):
    """In the manner of filters that leave masked observations out."""
    observations = atleast_2d(np.ma.asarray(observations))
    total = 0.0
    for observation in observations:
        if not np.any(np.ma.getmask(observation)) and not np.ma.getmaskarray(observation)[0]:
            total = total - 0.5 * np.sum((np.ma.getdata(observation) - x) ** 2)
    return total


def test_arrays_without_a_mask_stay_what_they_are():
    """Observations may be traced, or be masked constants."""
    np.testing.assert_allclose(grad(lambda x: log_likelihood(1.0, x))(X), 1.0 - X)
    masked = np.ma.array(np.stack([X, 2.0 * X]), mask=[[0, 0, 0], [1, 0, 0]])
    np.testing.assert_allclose(grad(log_likelihood)(X + 1.0, masked), -np.ones(3))
    np.testing.assert_array_equal(grad(lambda x: np.sum(np.ma.array(x) * atleast_1d(x)))(X), 2 * X)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.ma.array(x, mask=[0, 1, 0]),
        lambda x: np.ma.asarray([x[0], x[1]]),
        lambda x: np.ma.asarray(x, dtype=float),
        lambda x: np.ma.asarray(x).__setitem__(1, np.ma.masked) or x,
        lambda x: np.ma.asarray(x).mask * x,
    ],
)
def test_what_masks_something_is_refused(f):
    """The derivative would not know of the mask."""
    with pytest.raises((TypeError, AttributeError), match="mask"):
        grad(lambda x: np.sum(f(x * 1.0)))(X)


def test_arrays_that_depend_on_nothing_may_get_a_mask():
    """They are NumPy's own."""

    def f(x):
        y = np.zeros(3)
        y[0] = 2.0
        z = np.ma.asarray(y)
        z[1] = np.ma.masked
        return np.sum(x) * z.sum() * z.count()

    np.testing.assert_array_equal(grad(f)(X), np.full(3, 4.0))
