"""The rules of products and systems with Toeplitz matrices, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import matmul_toeplitz, solve_toeplitz, toeplitz

from chainrules.ad import grad
from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_second_derivative, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks
from tests.chainrules.rulesets.scipy.linalg.systems import RIGHT_SIDES, SCIPY, right_side


def column(*shape, dtype=np.float64, seed=0):
    """A column or row of a matrix with a dominant diagonal."""
    c = normal(*shape, dtype=dtype, seed=seed)
    c[..., 0] += 6
    return c


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("f", [matmul_toeplitz, solve_toeplitz])
@pytest.mark.parametrize("shape", RIGHT_SIDES)
def test_column_and_row(shape, f, dtype):
    """A column, whose conjugate is the row; or both, of which the first element of the row is not read."""
    c, r, B = column(4, dtype=dtype), normal(4, dtype=dtype, seed=2), right_side(shape, dtype)
    for matrix in (c, (c, r)):
        test_frule(f, matrix, B)
        test_rrule(f, matrix, B)
    if dtype is np.float64:
        check_second_derivative(f, c, B)
        check_second_derivative(lambda c, r, B: f((c, r), B), c, r, B)


@pytest.mark.parametrize("dtypes", [(np.float64, complex), (complex, np.float64), (np.float32, np.float32)])
@pytest.mark.parametrize("f", [matmul_toeplitz, solve_toeplitz])
def test_operands_of_two_kinds(f, dtypes):
    """The cotangent of a real operand is real; that of a float32 is one."""
    c, B = column(3, dtype=dtypes[0]), normal(3, dtype=dtypes[1])
    test_frule(f, c, B, rtol=1e-5)  # of single precision
    test_rrule(f, c, B, rtol=1e-5)  # as above


@pytest.mark.parametrize("rows", [1, 2, 6])
def test_products_with_wide_and_high_matrices(rows):
    """The column and the row have their own lengths."""
    test_frule(matmul_toeplitz, (normal(rows), normal(4)), normal(4, 2))
    test_rrule(matmul_toeplitz, (normal(rows), normal(4)), normal(4, 2))


@pytest.mark.skipif(SCIPY < (1, 17), reason="stacks since SciPy 1.17")
@pytest.mark.parametrize("f", [matmul_toeplitz, solve_toeplitz])
def test_stacks(f):
    """Stacks broadcast, also of columns with one row."""
    for matrix, B in (
        (column(2, 3), normal(3)),
        ((column(2, 3), normal(3)), normal(3, 2)),
        (column(3), normal(2, 3, 1)),
    ):
        test_frule(f, matrix, B)
        test_rrule(f, matrix, B)


@pytest.mark.parametrize("f", [matmul_toeplitz, solve_toeplitz])
def test_stacks_before_they_are_taken(f, monkeypatch):
    """SciPy flattens columns, and the rule refuses them."""
    monkeypatch.setattr("chainrules.rulesets.scipy.linalg.toeplitz_systems._TAKES_STACKS", False)
    test_rrule(f, column(3), normal(3, 2))
    for c, b in (
        (column(2, 3), normal(3)),
        ((normal(3), column(2, 3)), normal(3)),
        (column(3), normal(2, 3, 1)),
    ):
        with pytest.raises(ValueError, match="for each matrix"):
            rrule(f, c, b)
        with pytest.raises(ValueError, match="for each matrix"):
            frule((NoTangent(), ZeroTangent(), b), f, c, b)


@pytest.mark.parametrize("f", [matmul_toeplitz, solve_toeplitz])
def test_constants(f):
    """Zeros stay zeros; any operand may be constant."""
    pair, b, zero = (column(3), normal(3)), normal(3), ZeroTangent()
    for pair_dot in (zero, Tangent[tuple](zero, zero)):
        assert frule((NoTangent(), pair_dot, zero), f, pair, b)[1] == zero
        np.testing.assert_allclose(frule((NoTangent(), pair_dot, b), f, pair, b)[1], f(pair, b))
    one_dot = Tangent[tuple](pair[0], zero)
    assert np.all(np.isfinite(frule((NoTangent(), one_dot, zero), f, pair, b)[1]))
    assert rrule(f, pair, b)[1](zero)[1:] == (zero, zero)
    assert len(rrule(f, pair, b, True)[1](b)) == 4


def test_in_plain_code():
    """The gradient is that with the whole matrix."""
    c, b = column(5), normal(5)

    def by_matrix(c):
        return np.sum(np.linalg.solve(c[np.abs(np.subtract.outer(np.arange(5), np.arange(5)))], b) ** 2)

    np.testing.assert_allclose(toeplitz(c)[1, 0], c[1])
    np.testing.assert_allclose(grad(lambda c: np.sum(solve_toeplitz(c, b) ** 2))(c), grad(by_matrix)(c))


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused where SciPy does."""
    check_memory_and_checks(solve_toeplitz, column(3), normal(3))
