"""Each classic mistake is named, and nothing else is."""

import numpy as np
import pytest

from chainrules_testutils.advice.hints import shape_hint, value_hint
from chainrules_testutils.values.precision import Tolerance

TOLERANCE = Tolerance(1e-9, 1e-9)
X = np.array([[1.0, 2.0], [5.0, -3.0]])
Z = X + 1j * X.T**2


@pytest.mark.parametrize(
    ("actual", "expected", "says"),
    [
        (-X, X, "hint: the wrong sign: this is minus the expected value."),
        (-X[0, 0], X[0, 0], "hint: the wrong sign: this is minus the expected value."),
        (2 * X, X, "hint: 2 times the expected value everywhere."),
        (1.000001 * X, X, "hint: 1.000001 times the expected value everywhere."),
        (X / 2, X, "hint: 0.5 times the expected value everywhere."),
        (-2 * X, X, "hint: -2 times the expected value everywhere."),
        *(
            (factor * X[1, 0], X[1, 0], f"hint: {factor} times the expected value.")
            for factor in (2, 0.5, -2, -0.5)
        ),
        (3 * Z, Z, "hint: 3 times the expected value everywhere."),
        (X.T, X, "hint: the transpose of the expected value."),
        (Z.conj(), Z, "hint: the complex conjugate of the expected value."),
    ],
)
def test_values(actual, expected, says):
    """A wrong value that is a simple function of the right one is told as that."""
    assert value_hint(np.asarray(actual), np.asarray(expected), TOLERANCE) == says


@pytest.mark.parametrize("factor", [2, 0.5])
def test_fields_of_symmetric_matrices(factor):
    """Cotangents of the fields where those of the elements belong, or the other way round."""
    symmetric = X + X.T
    fields = np.where(np.eye(2), 1.0, factor) * symmetric

    assert f"right on the diagonal, {factor} times the expected value off it" in value_hint(
        fields, symmetric, TOLERANCE
    )
    assert value_hint(fields[:1], symmetric[:1], TOLERANCE) is None


@pytest.mark.parametrize(
    ("actual", "expected"),
    [(3 * X[0, 0], X[0, 0]), (X + 1, X), (0 * X, X), (X, 0 * X), (X, X), (1j * Z, Z), (X + np.inf, X)],
)
def test_no_guesses(actual, expected):
    """A ratio of two numbers explains nothing, nor do zeros; equal values need no hint."""
    assert value_hint(np.asarray(actual), np.asarray(expected), TOLERANCE) is None


@pytest.mark.parametrize(
    ("actual", "expected", "says"),
    [
        ((2, 3), (3, 2), ": transposed?"),
        ((4, 3), (3,), ": sum over the axes that the primal broadcast"),
        ((4, 3), (4, 1), ": sum over the axes that the primal broadcast"),
        ((4, 3), (), ": sum over the axes that the primal broadcast"),
        ((3,), (4, 3), ""),
        ((3,), (2,), ""),
    ],
)
def test_shapes(actual, expected, says):
    """Transposed shapes and those of broadcast arguments are told."""
    assert shape_hint(actual, expected) == says


@pytest.mark.parametrize("expected", [np.inf, np.nan, np.array([1.0, -np.inf])])
def test_infinity_has_no_multiples(expected):
    """There is no hint, and no warning, where the expected value is not finite."""
    assert value_hint(np.asarray(2.0), np.asarray(expected), Tolerance(1e-9, 1e-9)) is None


@pytest.mark.parametrize(
    ("actual", "expected", "says"),
    [
        ((), (2,), ": one number for an array. If each element is to get it, write `np.full_like(x, x_bar)`"),
        ((1, 3), (2,), ": sum over the axes that the primal broadcast"),
        ((2, 2), (3, 2), ""),
        ((5, 1), (5,), ": axes of length 1 differ, write `np.reshape(..., (5,))`"),
        ((1,), (), ": axes of length 1 differ, write `np.reshape(..., ())`"),
        ((3,), (1, 3), ": axes of length 1 differ, write `np.reshape(..., (1, 3))`"),
    ],
)
def test_other_shapes(actual, expected, says):
    """A number for an array, more axes than there are, axes of length 1, and shapes that nothing explains."""
    assert shape_hint(actual, expected) == says


def test_multiples_of_arrays():
    """One number times all elements, if it is real; of a number alone it is one that derivations lose."""
    assert value_hint(np.array([3.0]), np.array([1.0]), TOLERANCE) is None
    assert value_hint(np.array([2.0]), np.array([1.0]), TOLERANCE) == "hint: 2 times the expected value."
    assert value_hint(3 * X[0], X[0], TOLERANCE) == "hint: 3 times the expected value everywhere."
    assert value_hint((3 + 1j) * Z, Z, TOLERANCE) is None
    assert (
        value_hint((3 + 1e-9j) * Z, Z, Tolerance(1e-6, 1e-6))
        == "hint: 3 times the expected value everywhere."
    )
    assert value_hint(np.array([[[1.0, 2.0]]]), np.array([[[2.0, 1.0]]]), TOLERANCE) is None
    assert value_hint(X[:, :1], X[:, :1].T, TOLERANCE) == "hint: the transpose of the expected value."
