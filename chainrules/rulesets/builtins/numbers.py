"""Rules for builtins of numbers.

The absolute value, the power and the remainder have the conventions of the operators: 0 is the derivative of
``abs`` at 0, and the quotient of ``divmod`` is constant between jumps. ``complex(a, b)`` is linear in both.
"""

import operator
from numbers import Complex, Real

import numpy as np

from chainrules.formulas.numbers.signs import sign
from chainrules.values.operands import ArrayOperand, Operand
from chainrules_core import (
    NO_TANGENT,
    ProjectTo,
    ZeroTangent,
    frule,
    non_differentiable,
    primal_of,
    primitive,
    rrule,
    scalar_rule,
    typeof_,
)

# --- abs and pow have the rules of `operator` --------------------------------------------------------------


@scalar_rule(abs)
def _(y, x: Real):
    return sign(x)


@frule.dispatch
def abs_frule(tangents, f: typeof_(abs), x: Complex | ArrayOperand):
    return frule.unchecked(tangents, np.absolute, x)


@rrule.dispatch
def abs_rrule(f: typeof_(abs), x: Complex | ArrayOperand):
    return rrule.unchecked(np.absolute, x)


@frule.dispatch
def pow_frule(tangents, f: typeof_(pow), x: Operand, p: Operand):
    return frule.unchecked(tangents, operator.pow, x, p)


@rrule.dispatch
def pow_rrule(f: typeof_(pow), x: Operand, p: Operand):
    return rrule.unchecked(operator.pow, x, p)


non_differentiable(pow, int, int, int)  # with a modulus

# --- divmod and round --------------------------------------------------------------------------------------


@scalar_rule(divmod)
def _(results, x: Operand, y: Operand):
    quotient, _ = results
    return (ZeroTangent(), ZeroTangent()), (1, -primal_of(quotient))


non_differentiable(round)

# --- Conversions -------------------------------------------------------------------------------------------


to_float = primitive(float)


@frule.dispatch
def float_frule(tangents, f: typeof_(float), x: Operand):
    y = to_float(x)
    return y, ProjectTo(y)(tangents[1])


@rrule.dispatch
def float_rrule(f: typeof_(float), x: Operand):
    project = ProjectTo(x)

    def float_pullback(y_bar):
        return NO_TANGENT, project(y_bar)

    return to_float(x), float_pullback


@scalar_rule(complex)
def _(z, x: Operand):
    return 1


@scalar_rule(complex)
def _(z, real: Operand, imag: Operand):
    return 1, 1j


non_differentiable(float, str | bytes)
non_differentiable(complex, str)
