"""Functions that ask about matrices have no derivative."""

import numpy as np
import pytest
from scipy.linalg import (
    bandwidth,
    find_best_blas_type,
    get_blas_funcs,
    get_lapack_funcs,
    ishermitian,
    issymmetric,
)

from chainrules.ad import grad
from chainrules_core import NoTangent, frule, rrule
from tests.chainrules.rule_checks import check_declared, check_quickly


@pytest.mark.parametrize("f", [issymmetric, ishermitian, bandwidth])
def test_questions(f):
    """Their answers are constants."""
    A = np.eye(2)
    y, pullback = rrule(f, A)
    assert y == f(A)
    assert pullback(NoTangent()) == (NoTangent(), NoTangent())
    assert frule((NoTangent(), A), f, A)[1] == NoTangent()
    check_quickly(f, A)


def test_plain_code():
    """A program may branch by their answers."""

    def f(A):
        return np.sum(A) if issymmetric(A) and bandwidth(A) == (0, 0) else np.sum(A**2)

    np.testing.assert_array_equal(grad(f)(np.eye(2)), np.ones((2, 2)))


def test_routines():
    """Routines are no values."""
    check_declared(get_blas_funcs, "gemm")
    check_declared(get_lapack_funcs, ("gesv",))
    check_declared(find_best_blas_type, (), np.dtype(float))
