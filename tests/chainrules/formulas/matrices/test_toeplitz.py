"""Toeplitz matrices, against the whole matrices."""

import numpy as np
import pytest
from scipy.linalg import toeplitz

from chainrules.formulas.matrices.toeplitz import adjoint_pair, column_and_row, pull_toeplitz, tangent_pair
from chainrules_core import Tangent, ZeroTangent
from tests.chainrules.rule_checks import normal
from tests.chainrules.stack_checks import check_stacks


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (4, 2), (1, 3)])
def test_adjoint_and_cotangent(rows, columns, dtype):
    """The adjoint matrix, and the cotangent of what is read from an array or a pair."""
    c, r = normal(rows, dtype=dtype), normal(columns, dtype=dtype, seed=1)
    np.testing.assert_array_equal(toeplitz(*adjoint_pair((c, r))), toeplitz(c, r).conj().T)
    U, V = normal(rows, 2, dtype=dtype, seed=2), normal(columns, 2, dtype=dtype, seed=3)
    M_bar = U @ V.conj().T
    c_dot, r_dot = normal(rows, dtype=dtype, seed=4), normal(columns, dtype=dtype, seed=5)
    pair_bar = pull_toeplitz((c, r), U, V)
    assert pair_bar[1][0] == 0
    by_pullback = np.vdot(pair_bar[0], c_dot) + np.vdot(pair_bar[1], r_dot)
    np.testing.assert_allclose(by_pullback.real, np.vdot(M_bar, toeplitz(c_dot, r_dot)).real)
    if rows == columns:
        c_bar = pull_toeplitz(c, U, V)
        # SciPy's solvers read the diagonal as it is; `toeplitz` makes it real.
        M_dot = toeplitz(c_dot, np.append(c_dot[:1], c_dot[1:].conj()))
        np.testing.assert_allclose(np.vdot(c_bar, c_dot).real, np.vdot(M_bar, M_dot).real)


def test_pairs():
    """A column alone has its conjugate for a row; zeros are found."""
    c, zero = normal(3, dtype=complex), ZeroTangent()
    np.testing.assert_array_equal(column_and_row(c)[1], c.conj())
    assert column_and_row((c, 2 * c))[1] is not c
    assert tangent_pair(c, zero) is None
    assert tangent_pair((c, c), Tangent[tuple](zero, zero)) is None
    np.testing.assert_array_equal(tangent_pair((c, c), Tangent[tuple](zero, c))[0], 0)
    np.testing.assert_array_equal(tangent_pair(c, c)[1], c.conj())


@pytest.mark.parametrize("shape", [(2,), (2, 3)])
def test_adjoint_of_a_stack(shape):
    """A stack of columns with one row, and of rows with one column."""
    stack, one = normal(*shape, 4), normal(4, seed=1)
    for c, r in ((stack, one), (one, stack)):
        pairs = adjoint_pair((c, r))
        for place in np.ndindex(shape):
            column, row = (x if x is one else x[place] for x in (c, r))
            np.testing.assert_array_equal(toeplitz(*(x[place] for x in pairs)), toeplitz(column, row).T)


@pytest.mark.parametrize("kinds", [(float, complex), (complex, float)])
def test_cotangents_of_both_kinds(kinds):
    """Of which one factor is complex; in a stack too."""
    c, r = normal(3, dtype=complex), normal(4, dtype=complex, seed=1)
    U, V = normal(3, 2, dtype=kinds[0], seed=2), normal(4, 2, dtype=kinds[1], seed=3)
    c_bar, r_bar = pull_toeplitz((c, r), U, V)
    by_pullback = np.vdot(c_bar, c) + np.vdot(r_bar, r)
    np.testing.assert_allclose(by_pullback.real, np.vdot(U @ V.conj().T, toeplitz(c, r)).real)
    check_stacks(lambda c, r, U, V: tuple(pull_toeplitz((c, r), U, V)), c, r, U, V)
