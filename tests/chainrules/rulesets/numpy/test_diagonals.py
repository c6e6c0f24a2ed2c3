"""The rules of diagonals and of the trace, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules_core import DimensionMismatchError, ZeroTangent, rrule
from tests.chainrules.lazy_checks import check_rules
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.structured_checks import check_symmetric

MATRICES = [
    normal(3, 4),
    normal(4, 3, dtype=complex),
    normal(3, 3, dtype=np.float32),
    normal(0, 3),
    normal(8, 8)[::2, ::-2],
]
OFFSETS = [-9, -2, -1, 0, 1, 3, 9]
AXES = [(0, 1), (1, 0), (0, 2), (2, 0), (-1, -3), (1, 2)]


@pytest.mark.parametrize("f", [np.diagonal, np.diag, np.trace], ids=lambda f: f.__name__)
@pytest.mark.parametrize("A", MATRICES)
def test_diagonals_of_matrices(f, A):
    """Every diagonal, those outside of the matrix too."""
    check_rule(f, A)
    for offset in OFFSETS:
        check_rule(f, A, offset)


@pytest.mark.parametrize("f", [np.diagonal, np.trace], ids=lambda f: f.__name__)
@pytest.mark.parametrize("axes", AXES)
def test_diagonals_of_stacks(f, axes):
    """Any two axes are those of the matrices."""
    A = normal(2, 3, 4)

    check_rule(f, A, 1, *axes)
    check_rule(f, A, axis1=axes[0], axis2=axes[1])
    check_rule(f, normal(2, 3, 4, 2, dtype=complex), -1, *axes)


@pytest.mark.parametrize("v", [normal(3), normal(3, dtype=complex), normal(0), normal(1, dtype=np.float32)])
def test_diagonal_matrices(v):
    """A vector becomes a diagonal."""
    check_rule(np.diag, v)
    for k in (-2, 1):
        check_rule(np.diag, v, k)
    check_rule(np.diag, v, k=1)


@pytest.mark.parametrize("v", [1.5, normal(3), normal(2, 2), normal(2, dtype=complex), normal(0)])
def test_diagonal_matrices_of_all_elements(v):
    """The elements of any array become a diagonal."""
    check_rule(np.diagflat, v)
    check_rule(np.diagflat, v, -1)
    check_rule(np.diagflat, v, k=2)


def test_trace_in_another_precision():
    """The cotangent has the precision of the argument."""
    check_rule(np.trace, normal(3, 3, dtype=np.float32), dtype=np.float64)


def test_trace_refuses_what_it_cannot_derive():
    """Writing into an array leaves no trace; a sum of integers cut from floats has no slope."""
    with pytest.raises(TypeError, match=r"np\.trace.*out="):
        rrule(np.trace, normal(2, 2), out=np.array(0.0))
    with pytest.raises(TypeError, match=r"np\.trace.*dtype="):
        rrule(np.trace, normal(2, 2), dtype=int)


@pytest.mark.parametrize("f", [np.trace, np.diagonal, np.diag])
def test_zero_cotangents(f):
    """A cotangent that is zero is pulled back to zero, by the shortcut and by the rule."""
    for options in ((), (1,)):
        assert rrule(f, normal(3, 3), *options)[1](ZeroTangent())[1] == ZeroTangent()


def test_trace_of_stacks_does_not_broadcast():
    """A cotangent in another shape than the traces is refused, even where it could be broadcast."""
    for find in (rrule, rrule.unchecked):
        _, pullback = find(np.trace, normal(3, 3, 2))
        with pytest.raises(DimensionMismatchError):
            pullback(np.ones(1))


def test_trace_with_a_traced_cotangent():
    """A cotangent that is differentiated itself goes to the diagonal, and its derivative comes back."""
    A, C = normal(3, 4), normal(3, 4, seed=1)

    def weighted(w):
        A_bar = grad(lambda A: w * np.trace(A))(A)
        return np.sum(A_bar * C)

    np.testing.assert_allclose(grad(weighted)(1.5), np.trace(C))


@pytest.mark.parametrize("f", [np.diagonal, np.diag, np.diagflat, np.trace], ids=lambda f: f.__name__)
def test_symmetric_matrices(f):
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_symmetric(f)


@pytest.mark.parametrize("offset", [0, 1, -2])
def test_diagonals_of_lazy_matrices(offset):
    """In which elements are not assigned to one by one."""
    pytest.importorskip("dask.array")
    check_rules(np.diagonal, normal(8, 4), offset)
    check_rules(np.trace, normal(8, 4), offset)


def test_numpys_integers():
    """As a loop over `np.arange` gives them."""
    check_rule(np.diagonal, normal(3, 3), np.int64(1))
    check_rule(np.diag, normal(3), np.int64(-1))
