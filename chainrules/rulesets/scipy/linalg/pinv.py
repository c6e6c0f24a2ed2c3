"""Rules for pseudo-inverses; see `chainrules.formulas.equations.pseudo_inverses`.

`pinvh` reads one triangle of a Hermitian matrix, on which its cotangent stands. The rank, where it is asked
for, is a constant.
"""

from typing import Any

from scipy.linalg import pinv, pinvh

from chainrules.formulas.equations.pseudo_inverses import constant_in, pull_pinv, push_pinv
from chainrules.formulas.matrices.matrix_readings import HERMITIAN, WHOLE, Elements
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, frule, primitive, rrule, typeof_


def _rules_of(primal: Any, reading_by: Any) -> None:
    """Define the rules, where ``reading_by(*options, **named)`` says what is read of the argument."""
    inverse = primitive(primal)

    @frule.dispatch
    def pinv_frule(tangents, f: typeof_(primal), A: ArrayOperand, *options, **named):
        A_dot = tangents[1]
        y = inverse(A, *options, **named)
        if isinstance(A_dot, AbstractZero):
            return y, A_dot
        read = reading_by(*options, **named).matrix
        Y_dot = push_pinv(y[0] if isinstance(y, tuple) else y, read(A), read(A_dot))
        return y, tangent_of_results(y, Y_dot, NO_TANGENT) if isinstance(y, tuple) else Y_dot

    @rrule.dispatch
    def pinv_rrule(f: typeof_(primal), A: ArrayOperand, *options, **named):
        y = inverse(A, *options, **named)
        project = ProjectTo(A)
        reading = reading_by(*options, **named)

        def pinv_pullback(y_bar):
            Y, Y_bar = y, y_bar
            if isinstance(y, tuple):
                Y, Y_bar = y[0], cotangents_of_results(y, Y_bar)[0]
            if not isinstance(Y_bar, AbstractZero):
                Y_bar = project(reading.cotangent(pull_pinv(Y, reading.matrix(A), Y_bar)))
            return NO_TANGENT, Y_bar, *map(constant_in, options)

        return y, pinv_pullback


def _whole(**_: Any) -> Elements:
    return WHOLE


def _triangle(atol: Any = None, rtol: Any = None, lower: bool = True, *_: Any, **__: Any) -> Elements:
    return HERMITIAN[bool(lower)]


_rules_of(pinv, _whole)
_rules_of(pinvh, _triangle)
