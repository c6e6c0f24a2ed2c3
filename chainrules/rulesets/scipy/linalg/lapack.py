"""Rules for routines of LAPACK that factorise, solve and invert: `scipy.linalg.lapack`.

The arrays in their results are those of functions of SciPy that have rules, by which they are differentiated;
pivots and ``info`` are constants. Arguments that may be overwritten are left as they are. For other routines,
such as `dgels`, write the function of `scipy.linalg`. E. Anderson and others, "LAPACK Users' Guide", 1999.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.linalg
from scipy.linalg import lapack

from chainrules.values.callee_unions import typeof_any
from chainrules.values.iterables import item_tangents, tuple_tangent
from chainrules.values.routines import kept_result
from chainrules.values.several_arrays import array_of
from chainrules_core import (
    NO_TANGENT,
    HasForwardsMode,
    HasReverseMode,
    NoDerivativeError,
    RuleConfig,
    frule,
    frule_via_ad,
    primal_of,
    primitive,
    rrule,
    rrule_via_ad,
)

_cholesky, _cho_solve = primitive(scipy.linalg.cholesky), primitive(scipy.linalg.cho_solve)
_lu_factor, _lu_solve = primitive(scipy.linalg.lu_factor), primitive(scipy.linalg.lu_solve)
_solve, _solve_triangular = primitive(scipy.linalg.solve), primitive(scipy.linalg.solve_triangular)
_svd, _svdvals = primitive(scipy.linalg.svd), primitive(scipy.linalg.svdvals)
_eigh, _eigvalsh = primitive(scipy.linalg.eigh), primitive(scipy.linalg.eigvalsh)

# --- The programs: each returns the arrays of a result that have derivatives -------------------------------


def potrf(a: Any, lower: Any = 0, clean: Any = 1, overwrite_a: Any = 0) -> Any:
    """The factor of Cholesky, beside which the other triangle may stay as it is."""
    factor = _cholesky(a, lower=bool(lower))
    return (factor if clean else beside(a, factor, lower),)


def beside(a: Any, found: Any, lower: Any, offset: int = 0) -> Any:
    """A triangle that was found, and what stood beside it, from a diagonal on."""
    if lower:
        return np.tril(found, -offset) + np.triu(a, 1 - offset)
    return np.triu(found, offset) + np.tril(a, offset - 1)


def potrs(c: Any, b: Any, lower: Any = 0, overwrite_b: Any = 0) -> Any:
    """The solution by a factor of Cholesky."""
    return (_cho_solve((c, bool(lower)), b),)


def posv(a: Any, b: Any, lower: Any = 0, overwrite_a: Any = 0, overwrite_b: Any = 0) -> Any:
    """The factor of Cholesky beside the other triangle, and the solution."""
    (c,) = potrf(a, lower, clean=0)
    return c, *potrs(c, b, lower)


def potri(c: Any, lower: Any = 0, overwrite_c: Any = 0) -> Any:
    """A triangle of the inverse by a factor of Cholesky."""
    return (beside(c, _cho_solve((c, bool(lower)), np.eye(len(c))), lower),)


def trtri(c: Any, lower: Any = 0, unitdiag: Any = 0, overwrite_c: Any = 0) -> Any:
    """The inverse of a triangle, whose diagonal may be meant to be 1."""
    inverse = _solve_triangular(c, np.eye(len(c)), lower=bool(lower), unit_diagonal=bool(unitdiag))
    return (beside(c, inverse, lower, int(unitdiag)),)


def gesv(a: Any, b: Any, overwrite_a: Any = 0, overwrite_b: Any = 0) -> Any:
    """The factors, and the solution."""
    return *getrf(a), _solve(a, b)


def getrf(a: Any, overwrite_a: Any = 0) -> Any:
    """Both triangles in one matrix."""
    return (_lu_factor(a)[0],)


def getrs(lu: Any, piv: Any, b: Any, trans: Any = 0, overwrite_b: Any = 0) -> Any:
    """The solution by both triangles."""
    return (_lu_solve((lu, piv), b, trans=int(trans)),)


def getri(lu: Any, piv: Any, lwork: Any = None, overwrite_lu: Any = 0) -> Any:
    """The inverse by both triangles."""
    return (_lu_solve((lu, piv), np.eye(len(lu))),)


def trtrs(  # noqa: PLR0913, PLR0917 - the arguments of LAPACK
    a: Any, b: Any, lower: Any = 0, trans: Any = 0, unitdiag: Any = 0, lda: Any = None, overwrite_b: Any = 0
) -> Any:
    """The solution by a triangle."""
    how = {"lower": bool(lower), "unit_diagonal": bool(unitdiag)}
    return (_solve_triangular(a, b, trans=int(trans), **how),)


def syev(a: Any, compute_v: Any = 1, lower: Any = 0, lwork: Any = None, overwrite_a: Any = 0) -> Any:
    """The eigenvalues, and the vectors if they are wanted."""
    return decomposed(a, compute_v, lower, "ev")


def decomposed(a: Any, compute_v: Any, lower: Any, driver: str) -> Any:
    """What the same routine gives by way of `eigh`, so that vectors have the same signs."""
    if compute_v:
        return _eigh(a, lower=bool(lower), driver=driver)
    return (_eigvalsh(a, lower=bool(lower)),)


def syevd(  # noqa: PLR0913, PLR0917 - the arguments of LAPACK
    a: Any, compute_v: Any = 1, lower: Any = 0, lwork: Any = None, liwork: Any = None, overwrite_a: Any = 0
) -> Any:
    """As `syev`, by another way."""
    return decomposed(a, compute_v, lower, "evd")


def heevd(a, compute_v=1, lower=0, lwork=None, liwork=None, lrwork=None, overwrite_a=0):  # noqa: PLR0913, PLR0917 - the arguments of LAPACK
    """As `syevd`, of complex numbers."""
    return decomposed(a, compute_v, lower, "evd")


def gesdd(
    a: Any, compute_uv: Any = 1, full_matrices: Any = 1, lwork: Any = None, overwrite_a: Any = 0
) -> Any:
    """The singular vectors and values, or the values alone."""
    if compute_uv:
        return _svd(a, full_matrices=bool(full_matrices))
    return (_svdvals(a),)


_OF_ALL = (potrf, potrs, posv, potri, trtri, gesv, getrf, getrs, getri, trtrs, gesdd)
PROGRAMS: dict[Any, Callable[..., Any]] = {
    **{getattr(lapack, kind + program.__name__): program for kind in "sdcz" for program in _OF_ALL},
    **{getattr(lapack, name): syev for name in ("ssyev", "dsyev", "cheev", "zheev")},
    **{getattr(lapack, name): syevd for name in ("ssyevd", "dsyevd")},
    **{getattr(lapack, name): heevd for name in ("cheevd", "zheevd")},
}
# Where the arrays with derivatives stand in a result, by their number; elsewhere, in the order of the result.
PLACES = {(gesv, 2): (0, 2), (gesdd, 1): (1,)}


# --- The rules ---------------------------------------------------------------------------------------------


@frule.dispatch
def routine_frule(
    config: RuleConfig[HasForwardsMode], tangents: Any, f: typeof_any(PROGRAMS), *given: Any, **named: Any
):
    result = kept_result(f, PROGRAMS[f], given, named)
    arrays, dots = frule_via_ad(config, (NO_TANGENT, *tangents[1:]), program_of(f, named), *given)
    known = dict(zip(places_of(f, result, arrays), item_tangents(dots, len(arrays)), strict=True))
    return result, tuple_tangent(tuple, [known.get(place, NO_TANGENT) for place in range(len(result))])


@rrule.dispatch
def routine_rrule(config: RuleConfig[HasReverseMode], f: typeof_any(PROGRAMS), *given: Any, **named: Any):
    result = kept_result(f, PROGRAMS[f], given, named)

    def routine_pullback(result_bar):
        arrays, pullback = rrule_via_ad(config, program_of(f, named), *given)
        bars = item_tangents(result_bar, len(result))
        return NO_TANGENT, *pullback(tuple_tangent(tuple, [bars[k] for k in places_of(f, result, arrays)]))[
            1:
        ]

    return result, routine_pullback


def places_of(f: Any, result: Any, arrays: Any) -> tuple[int, ...]:
    """Where the arrays of a program stand in the result of the routine, to which they have to be equal."""
    places = PLACES.get((PROGRAMS[f], len(arrays)), tuple(range(len(arrays))))
    for place, array in zip(places, arrays, strict=True):
        x, y = primal_of(result[place]), primal_of(array)
        # The digits of single precision, of a matrix that is not well conditioned; another sign is far off.
        if not np.allclose(x, y, rtol=1e-3, atol=1e-3 * np.max(np.abs(y), initial=0.0)):
            raise NoDerivativeError(
                f"{f.__name__}: item {place} of the result has another sign or another value than the "
                "function of `scipy.linalg` gives, by which it is differentiated. Write that function."
            )
    return places


def program_of(f: Any, named: dict[str, Any]) -> Callable[..., Any]:
    """The program of a routine; routines of real numbers read real parts alone."""
    is_real = str(f.__name__).removeprefix("function ")[0] in "sd"

    def run(*given: Any) -> Any:
        operands = [array_of(x) for x in given]
        return PROGRAMS[f](*(np.real(x) if is_real else x for x in operands), **named)

    return run
