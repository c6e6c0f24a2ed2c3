"""Masked arrays and matrices are refused, wherever a traced value meets one."""

import warnings

import numpy as np
import pytest

from chainrules.ad import grad, interception
from chainrules.ad.kinds_of_arrays import check_kind, refusal_of_class, refusal_of_function

X = np.array([0.7, 1.3, 2.1])
MASKED = np.ma.masked_array(np.arange(3.0), mask=[0, 1, 0])
with warnings.catch_warnings():
    warnings.simplefilter("ignore", PendingDeprecationWarning)  # NumPy would do without matrices
    MATRIX = np.matrix(np.eye(3))

MEETINGS = {
    "left": lambda x, other: x * other,
    "a ufunc": np.multiply,
    "a function": np.dot,
    "an augmented assignment": lambda x, other: np.sin(x).__iadd__(other),
    "a comparison": lambda x, other: (x < other) * x,
}


@pytest.mark.parametrize("intercepted", [True, False])
@pytest.mark.parametrize("meet", MEETINGS.values(), ids=MEETINGS)
@pytest.mark.parametrize(("other", "message"), [(MASKED, "masks|MaskedArray"), (MATRIX, "matri")])
def test_meetings(intercepted, meet, other, message):
    """Also where calls are not intercepted."""
    with interception(intercepted), pytest.raises(TypeError, match=message):
        grad(lambda x: np.sum(np.asarray(meet(x, other))))(X)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.ma.masked_array(x, mask=[0, 1, 0]),
        lambda x: np.ma.array(x, mask=[0, 1, 0]),
        lambda x: np.ma.masked_where(x > 1.0, x),
        lambda x: np.ma.add(x, x),
        np.asmatrix,
        lambda x: np.matrix([x]),
        lambda x: np.bmat([[x]]),
    ],
)
def test_making_one(f):
    """Of traced values none is made."""
    with pytest.raises(TypeError, match="write"):
        grad(lambda x: np.sum(np.asarray(f(x))))(X)


def test_operators_of_their_own():
    """On the left it is their own method that is called; elsewhere it asks for an array."""
    for other in (MASKED, MATRIX):
        with pytest.raises(TypeError, match="write"):
            grad(lambda x, other=other: np.sum(np.asarray(other * x)))(X)
    with interception(False), pytest.raises(TypeError, match="about to become an array"):
        grad(lambda x: np.sum(np.asarray(MASKED * x)))(X)


def test_constants():
    """Such an array may be made and used beside traced values, and asked for."""

    def f(x):
        masked = np.ma.array(np.arange(3.0), mask=[0, 1, 0])
        assert not np.ma.isMaskedArray(x)
        return np.sum(x) * masked.sum() + np.sum(np.ma.filled(x))

    np.testing.assert_array_equal(grad(f)(X), [3.0, 3.0, 3.0])


def test_questions():
    """Subclasses are of the kind of their class; arrays and other classes are of none."""

    class Special(np.ma.MaskedArray):
        """A masked array."""

    assert "masks" in refusal_of_class(Special)
    assert refusal_of_class(np.ndarray) is refusal_of_class(np.memmap) is refusal_of_class(int) is None
    assert "masks" in refusal_of_function("numpy.ma.extras", "average")
    assert refusal_of_function("numpy.linalg", "norm") is refusal_of_function(None, "f") is None
    assert check_kind(X) is None
