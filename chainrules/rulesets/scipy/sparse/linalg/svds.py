"""Rules for some singular values and vectors of large matrices.

See `chainrules.formulas.spectra.partial_spectra`, and for operators
`chainrules.formulas.spectra.pairs_of_operators`. Singular values have to be simple, and vectors are
differentiated where they are not zero.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse.linalg import LinearOperator, svds

from chainrules.formulas.spectra.pairs_of_operators import pull_triplet_of_operator, push_triplet_of_operator
from chainrules.formulas.spectra.partial_spectra import pull_triplet, push_triplet
from chainrules.values.named_results import cotangents_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    HasForwardsMode,
    HasReverseMode,
    RuleConfig,
    Tangent,
    frule,
    primitive,
    rrule,
    typeof_,
)

_svds = primitive(svds)

# The options in the order in which SciPy takes them, behind the matrix.
_NAMES = ("k", "ncv", "tol", "which", "v0", "maxiter", "return_singular_vectors", "solver", "rng", "options")


# The tangents or cotangents of one triplet.
_Push = Callable[[Any, Any], Any]
_Pull = Callable[[Any, Any], Any]


@frule.dispatch
def svds_frule(tangents: Any, f: typeof_(svds), A: ArrayOperand, *args: Any, **named: Any):
    return _push(tangents[1], A, args, named, lambda triplet, A_dot: push_triplet(triplet, A, A_dot))


@rrule.dispatch
def svds_rrule(f: typeof_(svds), A: ArrayOperand, *args: Any, **named: Any):
    return _pull(A, args, named, lambda triplet, bars: pull_triplet(triplet, A, bars))


@frule.dispatch
def svds_frule_of_operator(
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    f: typeof_(svds),
    A: LinearOperator,
    *args: Any,
    **named: Any,
):
    def push_one(triplet: Any, A_dot: Any) -> Any:
        return push_triplet_of_operator(config, triplet, A, A_dot)

    return _push(tangents[1], A, args, named, push_one)


@rrule.dispatch
def svds_rrule_of_operator(
    config: RuleConfig[HasReverseMode], f: typeof_(svds), A: LinearOperator, *args: Any, **named: Any
):
    return _pull(A, args, named, lambda triplet, bars: pull_triplet_of_operator(config, triplet, A, bars))


def _push(A_dot: Any, A: Any, args: tuple[Any, ...], named: dict[str, Any], push_one: _Push) -> Any:
    options = dict(zip(_NAMES, args, strict=False)) | named
    asked = options.get("return_singular_vectors", True)
    U, s, Vh = _decomposed(A, options)
    y = _as_asked(asked, U, s, Vh)
    if isinstance(A_dot, AbstractZero):
        return y, NO_TANGENT
    u_dots, s_dots, v_dots = zip(*(push_one(triplet, A_dot) for triplet in _triplets(U, s, Vh)), strict=True)
    s_dot = np.stack(s_dots)
    if asked is False:
        return s, s_dot
    dots = _as_asked(asked, np.stack(u_dots, axis=1), s_dot, np.conjugate(np.stack(v_dots)), NO_TANGENT)
    return y, Tangent[tuple](*dots)


def _pull(A: Any, args: tuple[Any, ...], named: dict[str, Any], pull_one: _Pull) -> Any:
    options = dict(zip(_NAMES, args, strict=False)) | named
    asked = options.get("return_singular_vectors", True)
    U, s, Vh = _decomposed(A, options)
    y = _as_asked(asked, U, s, Vh)

    def svds_pullback(y_bar: Any) -> Any:
        U_bar, s_bar, Vh_bar = (
            (NO_TANGENT, y_bar, NO_TANGENT) if asked is False else cotangents_of_results(y, y_bar)
        )
        A_bar: Any = NO_TANGENT
        if not all(isinstance(bar, AbstractZero) for bar in (U_bar, s_bar, Vh_bar)):
            triplets = _triplets(U, s, Vh)
            triplet_bars = _triplets(U_bar, s_bar, Vh_bar, len(triplets))
            parts = [pull_one(*both) for both in zip(triplets, triplet_bars, strict=True)]
            A_bar = sum(parts[1:], start=parts[0])
        return NO_TANGENT, A_bar, *(NO_TANGENT,) * len(args)

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
