"""The systems of equations of fitted splines, beside SciPy's solutions of dense ones."""

import numpy as np
import pytest
from scipy.interpolate import BSpline, splrep

from chainrules.ad.interception.known.scipy.interpolate.fits import (
    Fit,
    chosen_knots,
    continued_knots,
    default_knots,
    jumps,
    plain,
    rows_at,
    with_parts,
)

X = np.linspace(0.0, 6.0, 12)
Y = np.sin(X) + 0.1 * np.cos(7.0 * np.arange(12))


def _dense(rows, n):
    matrix = np.zeros((len(rows.columns[0]), n))
    for values, columns in zip(*rows, strict=True):
        matrix[np.arange(len(columns)), columns] += values
    return matrix


def test_rows():
    """Products with the matrix, its transpose and with itself."""
    t, c = default_knots(X, 3), np.cos(np.arange(12.0))[:, None]
    rows = rows_at(t, 3, X, 1)
    matrix = _dense(rows, 12)
    np.testing.assert_allclose(rows @ c, BSpline(t, c, 3)(X, 1))
    np.testing.assert_allclose(rows.adjoint(c, c), matrix.T @ c)
    entries, i, j = rows.gram(X)
    gram = np.zeros((12, 12))
    np.add.at(gram, (i, j), entries)
    np.testing.assert_allclose(gram, matrix.T @ (X[:, None] * matrix), atol=1e-12)


def test_jumps():
    """The jumps of the highest derivative."""
    t, c = default_knots(X, 2), np.cos(np.arange(12.0))[:, None]
    inner = t[3:-3]
    expected = BSpline(t, c, 2)(inner + 1e-9, 2) - BSpline(t, c, 2)(inner - 1e-9, 2)
    np.testing.assert_allclose(jumps(t, 2, None) @ c, expected)


@pytest.mark.every_case
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("s", [0.0, 0.05])
def test_coefficients(k, s):
    """SciPy's are a solution, through points and smooth, and the sum of squares is its own."""
    (t, c, _), squares, *_ = splrep(X, Y, k=k, s=s, full_output=1)
    knots = chosen_knots(t, k, X, (X[0], X[-1]), False)
    np.testing.assert_array_equal(knots, t)
    c = c[: len(t) - k - 1, None]
    new, found = Fit(knots, k, X, Y[:, None], np.ones(12)).coefficients(c, s != 0.0)
    np.testing.assert_allclose(new, c, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found, squares, atol=1e-12)


def test_other_coefficients_are_refused():
    """They would have another derivative than that of the solution."""
    t = default_knots(X, 3)
    with pytest.raises(np.linalg.LinAlgError, match="fewer knots"):
        Fit(t, 3, X, Y[:, None], np.ones(12)).coefficients(np.ones((12, 1)), False)


def test_least_squares_are_not_smooth():
    """Where SciPy stopped at the spline of least squares, nothing is added."""
    (t, c, _), squares, *_ = splrep(X, Y, t=[2.1, 4.3], full_output=1)
    new, found = Fit(t, 3, X, Y[:, None], np.ones(12)).coefficients(c[: len(t) - 4, None], True)
    np.testing.assert_allclose(new[:, 0], c[: len(t) - 4], rtol=1e-9)
    np.testing.assert_allclose(found, squares)


class _Spline:
    """One that holds another, as SciPy 1.18 has them."""

    def __init__(self, inner=None, **parts):
        vars(self).update(parts)
        if inner is not None:
            self._delegate_to = inner


def test_parts():
    """They are where the version of SciPy has them; the spline itself stays as it is."""
    for old in (_Spline(_c=1.0), _Spline(c=1.0), _Spline(_Spline(c=1.0))):
        new = with_parts(old, c=2.0)
        for spline, c in ((old, 1.0), (new, 2.0)):
            held = vars(getattr(spline, "_delegate_to", spline))
            assert list(held.values()) == [c]


def test_knots():
    """Those that are no points are refused, and periodic ones are continued."""
    with pytest.raises(ValueError, match="give them by `t`"):
        chosen_knots(np.array([0.0, 0.0, 1.7, 6.0, 6.0]), 1, X, (0.0, 6.0), False)
    t = continued_knots(np.array([1.0, 2.5]), 2, (0.0, 4.0), True)
    np.testing.assert_allclose(t, [-3.0, -1.5, 0.0, 1.0, 2.5, 4.0, 5.0, 6.5])


def test_plain_values():
    """Lists and tuples stay what they are."""
    assert plain([1.0, (2.0, None)]) == [1.0, (2.0, None)]
