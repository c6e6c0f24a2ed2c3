"""The rules of matrices that are made of given elements, against finite differences."""

import numpy as np
import pytest
from scipy import linalg

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_declared, check_rule, normal, positive
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES
from tests.chainrules.rulesets.scipy.linalg.systems import stacks


@pytest.mark.parametrize("dtype", DTYPES)
def test_block_diagonal_matrices(dtype):
    """Matrices, vectors, which are rows, and numbers; also without elements."""
    check_rule(linalg.block_diag, normal(2, 3, dtype=dtype), normal(2, dtype=dtype, seed=1), 1.5)
    check_rule(linalg.block_diag, normal(1, 2, dtype=dtype), np.empty((0, 1)))


@stacks
@pytest.mark.parametrize("dtype", DTYPES)
def test_stacks_of_block_diagonal_matrices(dtype):
    """They broadcast."""
    check_rule(linalg.block_diag, normal(3, 2, 2, dtype=dtype), normal(2, 1, seed=1))


def test_lists():
    """Numbers in lists are traced, too."""

    def f(x, A):
        return np.sum(linalg.block_diag([x, 2.0], A, [[1.0, x], [x, 3.0]], [7]) ** 2)

    by_x, by_A = grad(f, (0, 1))(3.0, np.eye(2))
    assert by_x == pytest.approx(18.0)
    np.testing.assert_array_equal(by_A, 2 * np.eye(2))
    assert (
        frule((NoTangent(), ZeroTangent(), NoTangent()), linalg.block_diag, np.eye(1), 1.0)[1]
        == ZeroTangent()
    )
    assert rrule(linalg.block_diag, [1.0], np.eye(1))[1](ZeroTangent())[1:] == (ZeroTangent(), ZeroTangent())


@pytest.mark.parametrize("dtype", DTYPES)
def test_toeplitz(dtype):
    """Without a row it is conjugate to the column; else the first element of the row is not looked at."""
    c, r = normal(3, dtype=dtype), normal(4, dtype=dtype, seed=1)
    check_rule(linalg.toeplitz, c)
    check_rule(linalg.toeplitz, c, r)
    check_rule(linalg.toeplitz, c, r=r)
    check_rule(linalg.toeplitz, c, None)


@pytest.mark.parametrize("dtype", DTYPES)
def test_other_placements(dtype):
    """Elements on diagonals, among zeros."""
    c, r = normal(3, dtype=dtype), normal(3, dtype=dtype, seed=1)
    check_rule(linalg.circulant, c)
    check_rule(linalg.hankel, c)
    check_rule(linalg.hankel, c, r)
    check_rule(linalg.leslie, c, r[:2])
    check_rule(linalg.diagsvd, c, 3, 5)
    check_rule(linalg.diagsvd, c, 4, 3)
    for mode in ("full", "same", "valid"):
        check_rule(linalg.convolution_matrix, c, 4, mode)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("f", [linalg.companion, linalg.fiedler_companion])
def test_companion_matrices(f, dtype):
    """By all coefficients of the polynomial, the first of which divides the others."""
    for n in (2, 3, 6):
        check_rule(f, positive(n, dtype=dtype))


def test_fiedler():
    """Where numbers are equal, there is a kink, with the derivative zero."""
    check_rule(linalg.fiedler, normal(4))
    check_rule(linalg.fiedler, normal(3, dtype=complex))
    np.testing.assert_array_equal(
        grad(lambda a: np.sum(linalg.fiedler(a)))(np.array([1.0, 1.0, 2.0])), [-2, -2, 4]
    )


@pytest.mark.parametrize("f", [linalg.circulant, linalg.companion, linalg.fiedler])
def test_constants(f):
    """A zero tangent stays one."""
    assert frule((NoTangent(), ZeroTangent()), f, np.arange(1.0, 4.0))[1] == ZeroTangent()


@pytest.mark.parametrize(
    "f",
    [
        linalg.dft,
        linalg.hadamard,
        linalg.helmert,
        linalg.hilbert,
        linalg.invhilbert,
        linalg.invpascal,
        linalg.pascal,
    ],
)
def test_matrices_of_a_size(f):
    """They depend on an integer."""
    check_declared(f, 4)
