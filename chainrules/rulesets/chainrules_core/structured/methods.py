"""Rules for the methods of structured arrays: those of the functions that do the same.

A method is a callee as its class spells it: ``typeof_(Diagonal.inv)``.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.casting import astype
from chainrules.rulesets.chainrules_core.structured.dense_forms import dense_form
from chainrules_core import frule, rrule, typeof_
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
    "diagonal": np.diagonal,
    "inv": np.linalg.inv,
    "slogdet": np.linalg.slogdet,
    "solve": np.linalg.solve,
    "sum": np.sum,
    "to_dense": dense_form,
    "trace": np.trace,
    "transpose": np.transpose,
}

_KINDS = (
    *(Diagonal, Bidiagonal, Tridiagonal, SymTridiagonal, Symmetric, Hermitian),
    *(UpperTriangular, LowerTriangular, UnitUpperTriangular, UnitLowerTriangular),
)


def _method_rules(method: Callable[..., Any], function: Callable[..., Any]) -> None:
    @frule.dispatch
    def method_frule(
        tangents: Any, f: typeof_(method), A: StructuredArray, *options: Any, **named: Any
    ) -> Any:
        return frule(tangents, function, A, *options, **named)

    @rrule.dispatch
    def method_rrule(f: typeof_(method), A: StructuredArray, *options: Any, **named: Any) -> Any:
        return rrule(function, A, *options, **named)


for _name, _function in FUNCTIONS.items():
    # Several kinds may share one.
    for _method in dict.fromkeys(getattr(kind, _name) for kind in _KINDS):
        _method_rules(_method, _function)
