"""What every rule for structured arrays is checked for: both modes, in the subspaces of the arguments.

The natural tangents of a structured array are matrices, with the inner product of matrices. The general
testers know the tangents of its fields only.
"""

import numpy as np

from chainrules_core import NoTangent, ProjectTo, frule, rrule, unthunk
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
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import regular

STEP = 1e-3


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


def random_tangent(x, seed):
    """A natural tangent of an argument or result; `NoTangent` for what cannot be perturbed."""
    if isinstance(x, StructuredArray):
        dense = normal(*x.shape, dtype=x.dtype, seed=seed)
        return ProjectTo(x)(dense)
    if isinstance(x, float | complex | np.inexact | np.ndarray) and np.result_type(x).kind in "fc":
        return normal(*np.shape(x), dtype=np.result_type(x), seed=seed)
    return NoTangent()


def inner(x, y):
    """The real inner product of two arrays of any kind."""
    return np.sum(np.conj(np.asarray(x)) * np.asarray(y)).real


def check_structured_rule(f, *args, rtol=1e-8, **fkwargs):
    """Compare both modes with finite differences, and ask whether each cotangent is in its subspace."""
    dots = [random_tangent(x, seed) for seed, x in enumerate(args, 10)]
    y_dot = difference(f, args, dots, fkwargs)
    y, pushed = frule((NoTangent(), *dots), f, *args, **fkwargs)
    np.testing.assert_array_equal(np.asarray(y), np.asarray(f(*args, **fkwargs)))
    np.testing.assert_allclose(np.asarray(unthunk(pushed)), y_dot, rtol=rtol, atol=rtol)

    y, pullback = rrule(f, *args, **fkwargs)
    y_bar = random_tangent(y, 1)
    f_bar, *bars = pullback(y_bar)
    bars = [unthunk(x_bar) for x_bar in bars]
    assert f_bar is NoTangent()
    for x, x_bar in zip(args, bars, strict=True):
        projected = ProjectTo(x)(x_bar)
        assert type(projected) is type(x_bar)
        np.testing.assert_array_equal(np.asarray(projected), np.asarray(x_bar))
    pairs = [(x_bar, dot) for x_bar, dot in zip(bars, dots, strict=True) if dot is not NoTangent()]
    np.testing.assert_allclose(sum(inner(*pair) for pair in pairs), inner(y_bar, y_dot), rtol=rtol, atol=rtol)


def difference(f, args, dots, fkwargs):
    """The derivative of `f` along `dots`, by central differences of sixth order."""

    def moved(t):
        steps = [x if dot is NoTangent() else x + t * dot for x, dot in zip(args, dots, strict=True)]
        return np.asarray(f(*steps, **fkwargs))

    weights = {1: 3 / 4, 2: -3 / 20, 3: 1 / 60}
    return sum(w * (moved(k * STEP) - moved(-k * STEP)) for k, w in weights.items()) / STEP
