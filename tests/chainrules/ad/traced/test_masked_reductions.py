"""Reductions of masked arrays: none, some, all of a row, and all of the elements are masked."""

import numpy as np
import pytest

from chainrules.ad import grad
from tests.chainrules.ad.traced.masks import MASK, OTHER, X, check, check_all, masked

A = np.array([[0.7, -0.4, 1.3], [2.1, 0.2, -1.1], [0.5, 1.9, 0.9]])
MASKS = {
    "none": np.ma.nomask,
    "no element": np.zeros((3, 3), bool),
    "some": np.eye(3, k=1, dtype=bool),
    "a row": np.array([[True] * 3, [False] * 3, [False, True, True]]),
}
NAMES = ("sum", "prod", "mean", "var", "std", "min", "max", "ptp", "median")


@pytest.mark.parametrize("axis", [None, 0, -1])
@pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS)
@pytest.mark.parametrize("name", NAMES)
def test_reductions(name, mask, axis):
    """Functions, with whatever they make of rows without elements."""
    reduce = getattr(np.ma, name)

    def f(x):
        y = reduce(np.ma.array(x, mask=mask), axis=axis)
        return np.sum(y * np.arange(1.0, 1.0 + np.size(y)))

    check(f, A)


METHODS = {
    "sums": lambda x: masked(x).sum(keepdims=True) * np.ma.sum(masked(x).reshape(2, 2), axis=1),
    "extremes": lambda x: masked(x).prod() * masked(x).min() * np.ma.ptp(masked(x)) * np.ma.amax(masked(x)),
    "of NumPy": lambda x: np.mean(masked(x)) + np.var(masked(x)) * np.std(masked(x)) + np.max(masked(x)),
    "degrees of freedom": lambda x: (
        masked(x).std(ddof=1) * np.ma.var(masked(x).reshape(2, 2), axis=0, ddof=1)
    ),
    "a dtype": lambda x: masked(x).sum(dtype=float) * np.ma.mean(x, dtype=np.float64),
    "a median with axes": lambda x: np.ma.median(masked(x).reshape(2, 2), keepdims=True) * masked(x),
    "a median of lines": lambda x: np.ma.median(masked(x).reshape(2, 2), axis=1, keepdims=True) * x[0],
    "anomalies": lambda x: masked(x).anom() ** 2 * np.ma.anomalies(masked(x).reshape(2, 2), 1).ravel(),
    "running": lambda x: masked(x).cumsum() * np.ma.cumprod(masked(x), 0),
    "averages": lambda x: np.ma.average(masked(x), weights=x**2) * np.ma.average(masked(x)),
    "weighted columns": lambda x: np.ma.average(
        masked(x).reshape(2, 2), axis=0, weights=x[2:], returned=True
    )[0],
    "products": lambda x: np.ma.dot(masked(x).reshape(2, 2), OTHER.reshape(2, 2)) * np.ma.inner(x, masked(x)),
    "strict": lambda x: np.ma.dot(masked(x).reshape(2, 2), x.reshape(2, 2), strict=True),
    "products of NumPy": lambda x: np.dot(OTHER.reshape(2, 2), masked(x).reshape(2, 2)),
    "products of what is beneath": lambda x: (
        np.inner(masked(x).reshape(2, 2).data * 2.0, masked(x).reshape(2, 2)) * np.vdot(x, masked(x))
    ),
    "each with each": lambda x: np.ma.outer(masked(x), x),
    "a method": lambda x: masked(x).dot(x).filled(0.0),
    "covariances": lambda x: np.ma.cov(np.ma.vstack([masked(x), x**2])),
    "correlations": lambda x: np.ma.corrcoef(masked(x), x**2),
    "ufuncs": lambda x: (
        np.ma.minimum.reduce(masked(x)) * np.ma.maximum.reduce(masked(x).reshape(2, 2), axis=1)
    ),
    "complex": lambda x: np.ma.array((1.0 + 2.0j) * x + 1j * x**2, mask=MASK).var(),
}


@pytest.mark.every_case
@pytest.mark.parametrize("f", METHODS.values(), ids=METHODS)
def test_programs(f):
    """Methods, options, and functions that are made of others."""
    check_all(f)


def test_equal_elements():
    """A standard deviation of zero has the derivative zero, as that of an array has."""
    x = np.array([[1.0, 1.0, 3.0], [1.0, 2.0, 2.0]])
    gradient = grad(lambda x: np.ma.array(x, mask=[[0, 0, 1], [0, 0, 0]]).std(axis=1).sum())(x)
    np.testing.assert_allclose(gradient, np.stack([np.zeros(3), grad(np.std)(x[1])]))


def test_nan():
    """NaN that is not masked is NaN for the median, and what is masked does not count."""
    x = np.array([[np.nan, 1.0, 2.0], [np.nan, 1.0, 2.0]])
    mask = [[0, 0, 0], [1, 0, 0]]
    gradient = grad(lambda x: np.ma.median(np.ma.array(x, mask=mask), axis=1).sum())(x)
    assert np.isnan(gradient[0]).any()
    np.testing.assert_array_equal(gradient[1], [0.0, 0.5, 0.5])


@pytest.mark.every_case
@pytest.mark.parametrize(
    "f",
    [
        lambda x: masked(x).sum(out=np.ma.zeros(())),
        lambda x: np.ma.min(masked(x), fill_value=3.0),
        lambda x: np.ma.polyfit(masked(x), x, 1),
        lambda x: np.ma.median(masked(x), out=np.ma.zeros(())),
    ],
)
def test_refusals(f):
    """Options and functions that nothing is known of."""
    with pytest.raises(TypeError, match="Masked arrays keep their masks only in"):
        grad(lambda x: np.sum(f(x)))(X)
