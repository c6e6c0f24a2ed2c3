"""Rules for routines of BLAS that return an array of their own: products, solutions with triangles, norms.

Each is a program of NumPy and SciPy here, by which it is differentiated. Routines that write into their
arguments, such as `daxpy` and `dscal`, have no rule. Arguments that may be overwritten are left as they are.
"Basic Linear Algebra Subprograms Technical Forum Standard", International Journal of High Performance
Computing Applications 16, 2002.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.linalg
from scipy.linalg import blas

from chainrules.values.callee_unions import typeof_any
from chainrules.values.routines import kept_result
from chainrules.values.several_arrays import array_of
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    HasForwardsMode,
    HasReverseMode,
    RuleConfig,
    ZeroTangent,
    frule,
    frule_via_ad,
    not_implemented,
    primitive,
    rrule,
    rrule_via_ad,
)

solve_triangular = primitive(scipy.linalg.solve_triangular)

# --- The programs ------------------------------------------------------------------------------------------


def elements(x, n, offset, step):
    """The elements of a vector that a routine reads: from the last one on, if the step is negative."""
    stride = abs(step)
    n = (len(x) - offset - 1) // stride + 1 if n is None else n
    taken = x[offset : offset + (n - 1) * stride + 1 : stride] if n else x[:0]
    return taken if step > 0 else taken[::-1]


def dot(x, y, n=None, offx=0, incx=1, offy=0, incy=1):  # noqa: PLR0913, PLR0917 - the arguments of BLAS, here and below
    """``xᵀ y``."""
    return np.sum(elements(x, n, offx, incx) * elements(y, n, offy, incy))


def dotc(x, y, n=None, offx=0, incx=1, offy=0, incy=1):  # noqa: PLR0913, PLR0917 - as of `dot`
    """``xᴴ y``."""
    return dot(np.conj(x), y, n, offx, incx, offy, incy)


def nrm2(x, n=None, offx=0, incx=1):
    """The Euclidean norm."""
    return np.linalg.norm(elements(x, n, offx, incx))


def asum(x, n=None, offx=0, incx=1):
    """The sum of the sizes of the real and imaginary parts."""
    x = elements(x, n, offx, incx)
    return np.sum(np.abs(np.real(x))) + np.sum(np.abs(np.imag(x)))


def gemv(alpha, a, x, beta=0.0, y=None, offx=0, incx=1, offy=0, incy=1, trans=0, overwrite_y=0):  # noqa: PLR0913, PLR0917 - as of `dot`
    """``alpha op(A) x + beta y``."""
    a = transposed(a, trans)
    product = alpha * (a @ elements(x, a.shape[1], offx, incx))
    return beside(product, beta, y, offy, incy)


def gemm(alpha, a, b, beta=0.0, c=None, trans_a=0, trans_b=0, overwrite_c=0):  # noqa: PLR0913, PLR0917 - as of `dot`
    """``alpha op(A) op(B) + beta C``."""
    product = alpha * (transposed(a, trans_a) @ transposed(b, trans_b))
    return product if c is None else product + beta * c


def ger(alpha, x, y, incx=1, incy=1, a=0.0, overwrite_x=1, overwrite_y=1, overwrite_a=0):  # noqa: PLR0913, PLR0917 - as of `dot`
    """``alpha x yᵀ + A``."""
    refuse_steps(0, incx, incy)
    return alpha * np.outer(x, y) + a


def gerc(alpha, x, y, incx=1, incy=1, a=0.0, overwrite_x=1, overwrite_y=1, overwrite_a=0):  # noqa: PLR0913, PLR0917 - as of `dot`
    """``alpha x yᴴ + A``."""
    return ger(alpha, x, np.conj(y), incx, incy, a)


def products_with(whole: Callable[[Any, Any], Any]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The products of a vector, and of a matrix, with the whole of a matrix of which one triangle is read."""

    def with_vector(alpha, a, x, beta=0.0, y=None, offx=0, incx=1, offy=0, incy=1, lower=0, overwrite_y=0):  # noqa: PLR0913, PLR0917 - as of `dot`
        """``alpha A x + beta y``."""
        return gemv(alpha, whole(a, lower), x, beta, y, offx, incx, offy, incy)

    def with_matrix(alpha, a, b, beta=0.0, c=None, side=0, lower=0, overwrite_c=0):  # noqa: PLR0913, PLR0917 - as of `dot`
        """``alpha A B + beta C`` or ``alpha B A + beta C``."""
        a = whole(a, lower)
        return gemm(alpha, *((b, a) if side else (a, b)), beta, c)

    return with_vector, with_matrix


def trmv(a, x, offx=0, incx=1, lower=0, trans=0, diag=0, overwrite_x=0):  # noqa: PLR0913, PLR0917 - as of `dot`
    """``op(A) x``, of a triangle."""
    refuse_steps(offx, incx)
    n = len(a)
    return followed_by(transposed(triangle(a, lower, diag), trans) @ x[:n], x)


def trsv(a, x, incx=1, offx=0, lower=0, trans=0, diag=0, overwrite_x=0):  # noqa: PLR0913, PLR0917 - as of `dot`
    """``op(A)⁻¹ x``, of a triangle."""
    refuse_steps(offx, incx)
    n = len(a)
    return followed_by(solve_triangular(a, x[:n], int(trans), bool(lower), bool(diag)), x)


def trmm(alpha, a, b, side=0, lower=0, trans_a=0, diag=0, overwrite_b=0):  # noqa: PLR0913, PLR0917 - as of `dot`
    """``alpha op(A) B`` or ``alpha B op(A)``, of a triangle."""
    A = transposed(triangle(a, lower, diag), trans_a)
    return alpha * (b @ A if side else A @ b)


def trsm(alpha, a, b, side=0, lower=0, trans_a=0, diag=0, overwrite_b=0):  # noqa: PLR0913, PLR0917 - as of `dot`
    """``alpha op(A)⁻¹ B`` or ``alpha B op(A)⁻¹``, of a triangle."""
    if not side:
        return alpha * solve_triangular(a, b, int(trans_a), bool(lower), bool(diag))
    if trans_a == 2:  # the transpose of the adjoint is the conjugate
        return alpha * solve_triangular(np.conj(a), b.T, 0, bool(lower), bool(diag)).T
    return alpha * solve_triangular(a, b.T, 1 - int(trans_a), bool(lower), bool(diag)).T


def transposed(a, trans):
    """The matrix, its transpose or its adjoint."""
    return (a, a.T, np.conj(a.T))[int(trans)]


def triangle(a, lower, diag):
    """A triangle of a matrix, on whose diagonal ones may be assumed."""
    below = -1 if diag else 0
    part = np.tril(a, below) if lower else np.triu(a, -below)
    return part + np.eye(len(a)) if diag else part


def symmetric(a, lower):
    """The symmetric matrix with a triangle."""
    return np.tril(a) + np.tril(a, -1).T if lower else np.triu(a) + np.triu(a, 1).T


def hermitian(a, lower):
    """The Hermitian matrix with a triangle; imaginary parts on the diagonal are not read."""
    part = np.tril(a, -1) if lower else np.triu(a, 1)
    return part + np.conj(part.T) + np.diag(np.real(np.diagonal(a)))


def beside(product, beta, y, offset, step):
    """A product added to a multiple of a vector, whose further elements stay."""
    refuse_steps(offset, step)
    return product if y is None else followed_by(product + beta * y[: len(product)], y)


def followed_by(x, y):
    """A vector, and the further elements of a longer one."""
    return np.concatenate([x, y[len(x) :]]) if len(y) > len(x) else x


def refuse_steps(offset: int, *steps: int) -> None:
    """Refuse results between whose elements there are others."""
    if offset != 0 or any(step != 1 for step in steps):
        raise not_implemented("a routine of BLAS with offsets or steps in its result: take a slice").error()


# --- The rules ---------------------------------------------------------------------------------------------

symv, symm = products_with(symmetric)
hemv, hemm = products_with(hermitian)
_BY_KINDS: dict[tuple[str, ...], dict[str, Callable[..., Any]]] = {
    ("s", "d", "c", "z"): {
        "gemv": gemv,
        "gemm": gemm,
        "symm": symm,
        "trmv": trmv,
        "trsv": trsv,
        "trmm": trmm,
        "trsm": trsm,
    },
    ("s", "d"): {"dot": dot, "ger": ger, "symv": symv},
    ("c", "z"): {"dotu": dot, "dotc": dotc, "geru": ger, "gerc": gerc, "hemv": hemv, "hemm": hemm},
    ("s", "d", "sc", "dz"): {"nrm2": nrm2, "asum": asum},
}
PROGRAMS: dict[Any, Callable[..., Any]] = {
    getattr(blas, kind + name): program
    for kinds, programs in _BY_KINDS.items()
    for name, program in programs.items()
    for kind in kinds
}


@frule.dispatch
def routine_frule(
    config: RuleConfig[HasForwardsMode], tangents: Any, f: typeof_any(PROGRAMS), *given: Any, **named: Any
):
    y = kept_result(f, PROGRAMS[f], given, named)
    if all(isinstance(dot, AbstractZero) for dot in tangents[1:]):
        return y, ZeroTangent()
    return y, frule_via_ad(config, (NO_TANGENT, *tangents[1:]), program_of(f, named), *given)[1]


@rrule.dispatch
def routine_rrule(config: RuleConfig[HasReverseMode], f: typeof_any(PROGRAMS), *given: Any, **named: Any):
    def routine_pullback(y_bar):
        _, pullback = rrule_via_ad(config, program_of(f, named), *given)
        return NO_TANGENT, *pullback(y_bar)[1:]

    return kept_result(f, PROGRAMS[f], given, named), routine_pullback


def program_of(f: Any, named: dict[str, Any]) -> Callable[..., Any]:
    """The program of a routine; routines of real numbers read real parts alone."""
    program, is_real = PROGRAMS[f], str(f.__name__).removeprefix("function ")[0] in "sd"
    is_real = is_real and program not in {nrm2, asum}

    def run(*given: Any) -> Any:
        operands = [array_of(x) for x in given]
        return program(*(np.real(x) if is_real else x for x in operands), **named)

    return run
