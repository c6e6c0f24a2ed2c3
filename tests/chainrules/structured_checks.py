"""What every rule for structured arrays is checked for, and matrices of all kinds to check it with."""

import numpy as np

from chainrules.ad import grad
from chainrules_core import ProjectTo, rrule, unthunk
from chainrules_core.structured import (
    Bidiagonal,
    Diagonal,
    Hermitian,
    LowerTriangular,
    StructuredArray,
    Symmetric,
    SymTridiagonal,
    Tridiagonal,
    UnitLowerTriangular,
    UnitUpperTriangular,
    UpperTriangular,
)
from chainrules_testutils import grad as grad_by_differences
from chainrules_testutils import rand_tangent, test_frule, test_rrule
from tests.chainrules.rule_checks import check_real_parts, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import regular


def matrices(n=4, dtype=np.float64, seed=0):
    """One matrix of each kind, far from singular ones."""
    main, beside = regular(n, n, dtype=dtype, seed=seed).diagonal(), normal(n - 1, dtype=dtype, seed=seed + 1)
    A = regular(n, n, dtype=dtype, seed=seed + 2)
    return [
        Diagonal(main),
        Bidiagonal(main, beside, "U"),
        Bidiagonal(main, beside, "L"),
        Tridiagonal(beside[::-1], main, beside),
        SymTridiagonal(main, beside),
        *(UpperTriangular(A), LowerTriangular(A), UnitUpperTriangular(A), UnitLowerTriangular(A)),
        *(Symmetric(A, "U"), Symmetric(A, "L"), Hermitian(A, "U"), Hermitian(A, "L")),
    ]


def name_of(matrix):
    """A readable id for a parametrized test."""
    return type(matrix).__name__ + getattr(matrix, "uplo", "")


def check_structured_rule(f, *args, **fkwargs):
    """Check both modes of a call, the cotangents along a random direction in the tangent space of each."""
    test_frule(f, *args, fkwargs=fkwargs)
    test_rrule(f, *args, fkwargs=fkwargs, mode="fast")
    check_real_parts(f, *args, **fkwargs)


def check_symmetric(f, *args, **fkwargs):
    """Check that ``f(A, *args)`` gives a symmetric `A` a symmetric cotangent: it cannot move otherwise."""
    check_keeps_structure(f, Symmetric(regular(3, 3)), *args, **fkwargs)


def check_keeps_structure(*call, **fkwargs):
    """Check that each matrix with structure has a cotangent with the same; `call` is given to `rrule`."""
    y, pullback = rrule.require(*call, **fkwargs)
    bars = pullback(rand_tangent(y, 0))
    for x, x_bar in zip(call[-len(bars) :], map(unthunk, bars), strict=True):
        assert not isinstance(x, StructuredArray) or ProjectTo(x)(x_bar) is x_bar


def check_gradient(f, A):
    """Compare the gradient of a program by a matrix, of a kind that it keeps, with differences."""
    gradient = grad(f)(A)
    (expected,) = grad_by_differences(None, f, A)
    assert type(ProjectTo(A)(gradient)) is type(gradient)
    np.testing.assert_allclose(np.asarray(gradient), np.asarray(ProjectTo(A)(expected)), rtol=1e-7, atol=1e-7)
