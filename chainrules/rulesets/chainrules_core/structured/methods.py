"""Rules for the methods of structured arrays, by the rules of the functions that do the same.

A method is a callee as its class spells it: ``typeof_(Diagonal.inv)``.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.operations.casting import astype
from chainrules.operations.dense_forms import dense_form
from chainrules_core import Tangent, frule, primal_of, rrule, to_natural, typeof_
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

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "astype": astype,
    "conj": np.conjugate,
    "conjugate": np.conjugate,
    "copy": np.positive,
    "det": np.linalg.det,
    "inv": np.linalg.inv,
    "solve": np.linalg.solve,
    "sum": np.sum,
    "to_dense": dense_form,
    "trace": np.trace,
    "transpose": np.transpose,
}

_KINDS = (
    StructuredArray,
    *(Diagonal, Bidiagonal, Tridiagonal, SymTridiagonal, Symmetric, Hermitian),
    *(UpperTriangular, LowerTriangular, UnitUpperTriangular, UnitLowerTriangular),
)


def _method_rules(method: Callable[..., Any], function: Callable[..., Any]) -> None:
    @frule.dispatch
    def method_frule(tangents: Any, f: typeof_(method), A: StructuredArray, *options: Any, **named: Any):
        return frule.unchecked(tangents, function, A, *options, **named)

    @rrule.dispatch
    def method_rrule(f: typeof_(method), A: StructuredArray, *options: Any, **named: Any):
        answer = rrule.unchecked(function, A, *options, **named)
        return answer and _natural(*answer)


def _natural(y: Any, pull: Callable[[Any], Any]) -> tuple[Any, Callable[[Any], Any]]:
    """A reverse rule that takes cotangents of both forms, where the result is structured."""
    if not isinstance(primal_of(y), StructuredArray):
        return y, pull

    def method_pullback(y_bar):
        return pull(to_natural(primal_of(y), y_bar))

    return y, method_pullback


for _name, _function in FUNCTIONS.items():
    # Several kinds may share one.
    for _method in dict.fromkeys(getattr(kind, _name) for kind in _KINDS):
        _method_rules(_method, _function)


# --- diagonal: the function returns elements that the array holds, the method copies them --------------


def _diagonal_rules(method: Callable[..., Any]) -> None:
    @frule.dispatch
    def diagonal_frule(tangents: Any, f: typeof_(method), A: StructuredArray, *offset: Any, **named: Any):
        y, y_dot = frule.unchecked(tangents, np.diagonal, A, *offset, **named)
        return y.copy(), y_dot

    @rrule.dispatch
    def diagonal_rrule(f: typeof_(method), A: StructuredArray, *offset: Any, **named: Any):
        y, pull = rrule.unchecked(np.diagonal, A, *offset, **named)
        return y.copy(), pull


for _method in dict.fromkeys(kind.diagonal for kind in _KINDS):
    _diagonal_rules(_method)

# --- slogdet: the function has names for its results, the method has not -----------------------------


def _slogdet_rules(method: Callable[..., Any]) -> None:
    @frule.dispatch
    def slogdet_frule(tangents: Any, f: typeof_(method), A: StructuredArray):
        y, y_dot = frule.unchecked(tangents, np.linalg.slogdet, A)
        return tuple(y), Tangent[tuple](y_dot.sign, y_dot.logabsdet)

    @rrule.dispatch
    def slogdet_rrule(f: typeof_(method), A: StructuredArray):
        y, pull = rrule.unchecked(np.linalg.slogdet, A)
        return tuple(y), pull


for _method in dict.fromkeys(kind.slogdet for kind in _KINDS):
    _slogdet_rules(_method)
