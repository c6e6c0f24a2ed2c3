"""Rules for some singular values and vectors of large matrices.

See `chainrules.formulas.spectra.partial_spectra`. Singular values have to be simple, and vectors are
differentiated where they are not zero.
"""

from typing import Any

import numpy as np
from scipy.sparse.linalg import svds

from chainrules.formulas.spectra.partial_spectra import pull_triplet, push_triplet
from chainrules.values.named_results import cotangents_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules_core import NO_TANGENT, AbstractZero, Tangent, frule, primitive, rrule, typeof_, unthunk

_svds = primitive(svds)

# The options in the order in which SciPy takes them, behind the matrix.
_NAMES = ("k", "ncv", "tol", "which", "v0", "maxiter", "return_singular_vectors", "solver", "rng", "options")


@frule.dispatch
def svds_frule(tangents: Any, f: typeof_(svds), A: ArrayOperand, *args: Any, **named: Any):
    options = dict(zip(_NAMES, args, strict=False)) | named
    asked = options.get("return_singular_vectors", True)
    A_dot = unthunk(tangents[1])
    U, s, Vh = _decomposed(A, options)
    y = _as_asked(asked, U, s, Vh)
    if isinstance(A_dot, AbstractZero):
        return y, NO_TANGENT
    u_dots, s_dots, v_dots = zip(
        *(push_triplet(triplet, A, A_dot) for triplet in _triplets(U, s, Vh)), strict=True
    )
    s_dot = np.stack(s_dots)
    if asked is False:
        return s, s_dot
    dots = _as_asked(asked, np.stack(u_dots, axis=1), s_dot, np.conjugate(np.stack(v_dots)), NO_TANGENT)
    return y, Tangent[tuple](*dots)


@rrule.dispatch
def svds_rrule(f: typeof_(svds), A: ArrayOperand, *args: Any, **named: Any):
    options = dict(zip(_NAMES, args, strict=False)) | named
    asked = options.get("return_singular_vectors", True)
    U, s, Vh = _decomposed(A, options)
    y = _as_asked(asked, U, s, Vh)

    def svds_pullback(y_bar: Any) -> Any:
        U_bar, s_bar, Vh_bar = (
            (NO_TANGENT, unthunk(y_bar), NO_TANGENT) if asked is False else cotangents_of_results(y, y_bar)
        )
        A_bar: Any = NO_TANGENT
        if not all(isinstance(bar, AbstractZero) for bar in (U_bar, s_bar, Vh_bar)):
            triplets = _triplets(U, s, Vh)
            parts = [
                pull_triplet(triplet, A, triplet_bar)
                for triplet, triplet_bar in zip(
                    triplets, _triplets(U_bar, s_bar, Vh_bar, len(triplets)), strict=True
                )
            ]
            A_bar = sum(parts[1:], start=parts[0])
        return NO_TANGENT, A_bar, *(NO_TANGENT for _ in args)

    return y, svds_pullback


def _as_asked(asked: bool | str, U: Any, s: Any, Vh: Any, nothing: Any = None) -> Any:
    """The result of SciPy, which returns the singular values alone, or with vectors on one side or both."""
    if asked is False:
        return s
    return (nothing if asked == "vh" else U), s, (nothing if asked == "u" else Vh)


def _decomposed(A: Any, options: dict[str, Any]) -> Any:
    return _svds(A, **{**options, "return_singular_vectors": True})


def _triplets(U: Any, s: Any, Vh: Any, number: int | None = None) -> list[tuple[Any, Any, Any]]:
    """Left vector, singular value and right vector of each; or parts of cotangents, which may be zeros."""
    number = shape_of(s)[0] if number is None else number
    return [
        (
            U if isinstance(U, AbstractZero) else U[:, i],
            s if isinstance(s, AbstractZero) else s[i],
            Vh if isinstance(Vh, AbstractZero) else np.conjugate(Vh[i]),
        )
        for i in range(number)
    ]
