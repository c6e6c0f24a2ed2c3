"""Rules for the triangles of matrices: the cotangent of a triangle is that triangle of the cotangent."""

from typing import Any

import numpy as np

from chainrules.values.operands import ArrayOperand
from chainrules_core import NO_TANGENT, frule, rrule, typeof_, unbroadcast


def _triangle_rules(primal: Any) -> None:
    @frule.dispatch
    def triangle_frule(tangents: Any, f: typeof_(primal), A: ArrayOperand, *options: Any, **named: int):
        return primal(A, *options, **named), primal(tangents[1], *options, **named)

    @rrule.dispatch
    def triangle_rrule(f: typeof_(primal), A: ArrayOperand, *options: Any, **named: int):
        def triangle_pullback(y_bar):
            A_bar = unbroadcast(A, primal(y_bar, *options, **named))
            return NO_TANGENT, A_bar, *(NO_TANGENT,) * len(options)

        return primal(A, *options, **named), triangle_pullback


_triangle_rules(np.tril)
_triangle_rules(np.triu)
