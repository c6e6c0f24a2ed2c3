"""The rules of `scipy.linalg.solve_circulant`, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import solve_circulant

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from chainrules_core.structured import Diagonal
from tests.chainrules.rule_checks import check_kinds, check_rule, check_rule_in_double, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES
from tests.chainrules.rulesets.scipy.linalg.systems import RIGHT_SIDES, right_side


def column(*shape, axis=-1, dtype=np.float64):
    """The column of a matrix with a dominant diagonal."""
    c = np.moveaxis(normal(*shape, dtype=dtype), axis, -1)
    c[..., 0] += 6
    return np.moveaxis(c, -1, axis)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", RIGHT_SIDES)
def test_solve_circulant(shape, dtype):
    """One system, for a vector and for columns."""
    check_rule_in_double(solve_circulant, column(4, dtype=dtype), right_side(shape, dtype))


def test_axes():
    """Several systems, along any axes."""
    check_rule(solve_circulant, column(2, 4), normal(4))
    check_rule(solve_circulant, column(4, 2, axis=0), normal(3, 1, 4), caxis=0, baxis=-1, outaxis=1)
    check_rule(solve_circulant, column(4), normal(2, 4), baxis=1, outaxis=-1)


def test_operands_of_two_kinds():
    """The cotangent of a real operand is real."""
    check_kinds(solve_circulant, column(4), normal(4))


def test_a_right_side_of_a_structure():
    """Its cotangent has the structure too."""
    check_rule(solve_circulant, column(3), Diagonal(normal(3)))


def test_singular_matrix():
    """In the sense of least squares, by directions that keep the rank; otherwise an error as from SciPy."""
    c, b = np.array([1.0, 1, 0, 0]), normal(4)
    with pytest.raises(np.linalg.LinAlgError):
        rrule(solve_circulant, c, b)
    c_dot = np.array([2.0, 5, 0, -3])  # zero at the frequency at which the eigenvalue is
    c_dot -= np.fft.fft(c_dot)[2].real / 4 * np.array([1.0, -1, 1, -1])
    x, x_dot = frule((NoTangent(), c_dot, b), solve_circulant, c, b, singular="lstsq", tol=1e-9)
    step = 1e-6
    ahead, behind = (
        solve_circulant(c + sign * step * c_dot, b + sign * step * b, "lstsq", 1e-9) for sign in (1, -1)
    )
    np.testing.assert_allclose(x_dot, (ahead - behind) / (2 * step), atol=1e-8)
    bars = rrule(solve_circulant, c, b, "lstsq", 1e-9)[1](x)
    assert bars[3:] == (NoTangent(), ZeroTangent())
    np.testing.assert_allclose(bars[1] @ c_dot + bars[2] @ b, x @ x_dot)


def test_size_of_the_numbers():
    """Which eigenvalues are taken for zero does not depend on it; by default they are SciPy's choice."""
    c, b, x_bar = column(4), normal(4), normal(4, seed=1)
    small, usual = (rrule(solve_circulant, size * c, b)[1](x_bar)[2] * size for size in (1e-20, 1.0))
    np.testing.assert_allclose(small, usual)
    singular = np.array([1.0, 1, 0, 0])
    chosen, given = (rrule(solve_circulant, singular, b, "lstsq", tol)[1](x_bar)[1:3] for tol in (None, 1e-9))
    np.testing.assert_allclose(chosen, given)


def test_constants():
    """Zeros stay zeros."""
    c, b, zero = column(3), normal(3), ZeroTangent()
    assert frule((NoTangent(), zero, zero), solve_circulant, c, b)[1] == zero
    np.testing.assert_allclose(
        frule((NoTangent(), zero, b), solve_circulant, c, b)[1], solve_circulant(c, b), atol=1e-14
    )
    assert rrule(solve_circulant, c, b)[1](zero)[1:] == (zero, zero)
    gradient = grad(lambda b: np.sum(solve_circulant(c, b)))(b)
    np.testing.assert_allclose(gradient, 1 / np.sum(c))
