"""Rules for the eigenvalues and eigenvectors of Hermitian matrices, and of pairs with a definite matrix.

See `chainrules.formulas.spectra.eigenvectors` and `chainrules.formulas.spectra.definite_pencils`. Of a subset
of the eigenvectors each turns towards all others, which are computed for the derivative. Equal eigenvalues
are treated as in `numpy.linalg.eigh`; eigenvectors of equal eigenvalues of which only some are asked for have
the derivative NaN. The matrices are never overwritten: the derivative needs them.
"""

from typing import Any, NamedTuple

from scipy.linalg import eigh, eigvalsh

from chainrules.formulas.matrices.hermitian import hermitian_from, onto_triangle
from chainrules.formulas.spectra.definite_pencils import DefinitePencil
from chainrules.formulas.spectra.eigenvectors import other_eigenvectors, pull_eigh, push_eigh
from chainrules.values.named_results import cotangents_of_results, results_like, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import adjoint
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ZeroTangent,
    frule,
    primitive,
    rrule,
    typeof_,
    unbroadcast,
)

_eigh = primitive(eigh)


class _Asked(NamedTuple):
    """The keyword arguments of `scipy.linalg.eigh`."""

    lower: bool = True
    eigvals_only: bool = False
    overwrite_a: bool = False
    overwrite_b: bool = False
    type: int = 1
    check_finite: bool = True
    subset_by_index: Any = None
    subset_by_value: Any = None
    driver: Any = None


@frule.dispatch
def eigh_frule(tangents: Any, f: typeof_(eigh), A: ArrayOperand, *pair: Any, b: Any = None, **named: Any):
    B = pair[0] if pair else b
    asked = _Asked(**named)
    y, dots = _push(A, B, tangents[1], _second_tangent(tangents), asked)
    if asked.eigvals_only:
        return y[0], dots[0]
    return y, dots[0] if isinstance(dots[0], AbstractZero) else tangent_of_results(y, *dots)


@rrule.dispatch
def eigh_rrule(f: typeof_(eigh), A: ArrayOperand, *pair: Any, b: Any = None, **named: Any):
    B = pair[0] if pair else b
    asked = _Asked(**named)
    y = _decomposed(A, B, asked)

    def eigh_pullback(y_bar):
        bars = (y_bar, ZeroTangent()) if asked.eigvals_only else cotangents_of_results(y, y_bar)
        return NO_TANGENT, *_pull(A, B, y, bars, asked)[: 1 + len(pair)]

    return y[0] if asked.eigvals_only else y, eigh_pullback


@frule.dispatch
def eigvalsh_frule(
    tangents: Any, f: typeof_(eigvalsh), A: ArrayOperand, *pair: Any, b: Any = None, **named: Any
):
    asked = _Asked(**named)
    B = pair[0] if pair else b
    y, dots = _push(A, B, tangents[1], _second_tangent(tangents), asked)
    return y[0], dots[0]


@rrule.dispatch
def eigvalsh_rrule(f: typeof_(eigvalsh), A: ArrayOperand, *pair: Any, b: Any = None, **named: Any):
    asked = _Asked(**named)
    B = pair[0] if pair else b
    y = _decomposed(A, B, asked)

    def eigvalsh_pullback(w_bar):
        bars = _pull(A, B, y, (w_bar, ZeroTangent()), asked)
        return NO_TANGENT, *bars[: 1 + len(pair)]

    return y[0], eigvalsh_pullback


def _second_tangent(tangents):
    return tangents[2] if len(tangents) > 2 else NO_TANGENT


def _decomposed(A, B, asked: _Asked):
    """The eigenvalues and eigenvectors that are asked for; the vectors always."""
    options = asked._asdict() | {"eigvals_only": False, "overwrite_a": False, "overwrite_b": False}
    return _eigh(A, B, **options)


def _push(A, B, A_dot, B_dot, asked: _Asked):
    """The results and their tangents, which are zeros if those of the matrices are."""
    y = w, V = _decomposed(A, B, asked)
    if isinstance(A_dot, AbstractZero) and isinstance(B_dot, AbstractZero):
        return y, (A_dot, A_dot)
    H, H_dot = hermitian_from(A, asked.lower), _hermitian_tangent(A_dot, asked)
    if B is None:
        parts, dots = push_eigh(y, H_dot, asked.lower, _others(H, w, asked))
        return results_like(y, *parts), dots
    pencil = DefinitePencil.of(H, hermitian_from(B, asked.lower), asked.type)
    P = pencil.factor_dot(_hermitian_tangent(B_dot, asked))
    Y, C_dot = pencil.reduced(V), pencil.push(H_dot, P)
    (_, adapted), (w_dot, Y_dot) = push_eigh((w, Y), C_dot, asked.lower, _others(pencil.C, w, asked))
    V = V if adapted is Y else pencil.expanded(adapted)
    return results_like(y, w, V), (w_dot, pencil.push_vectors(adapted, Y_dot, P))


def _pull(A, B, y, y_bar, asked: _Asked):
    """The cotangents of both matrices, on the triangles that are read."""
    w_bar, V_bar = y_bar
    if isinstance(w_bar, AbstractZero) and isinstance(V_bar, AbstractZero):
        return w_bar, NO_TANGENT if B is None else w_bar
    w, V = y
    H = hermitian_from(A, asked.lower)
    if B is None:
        return unbroadcast(A, pull_eigh(y, y_bar, asked.lower, _others(H, w, asked))), NO_TANGENT
    pencil = DefinitePencil.of(H, hermitian_from(B, asked.lower), asked.type)
    Y, Y_bar = pencil.reduced(V), pencil.pull_vectors(V_bar)
    C_bar = pull_eigh((w, Y), (w_bar, Y_bar), asked.lower, _others(pencil.C, w, asked))
    C_bar = 0.5 * (C_bar + adjoint(C_bar))
    bars = pencil.pull_first(C_bar), pencil.pull_second(C_bar, Y, Y_bar)
    return tuple(
        unbroadcast(X, onto_triangle(X_bar, asked.lower)) for X, X_bar in zip((A, B), bars, strict=True)
    )


def _hermitian_tangent(A_dot, asked: _Asked):
    return A_dot if isinstance(A_dot, AbstractZero) else hermitian_from(A_dot, asked.lower)


def _others(H, w, asked: _Asked):
    """The eigenvalues and vectors of `H` that are not asked for, of which `w` are; `None` if all are."""
    if asked.eigvals_only:
        return None
    return other_eigenvectors(H, shape_of(w)[-1], asked.subset_by_index, asked.subset_by_value)
