"""Rules for Python's arithmetic operators, which serve numbers and arrays alike."""

import operator
from numbers import Complex, Real

import numpy as np

from chainrules.formulas.matrices.matrix_products import pull_matmul
from chainrules.formulas.numbers import powers
from chainrules.formulas.numbers.arithmetic import PRODUCT, QUOTIENT, REMAINDER
from chainrules.formulas.numbers.signs import sign
from chainrules.makers.elementwise import binary_rule, sign_rule, sum_rule
from chainrules.shortcuts.numpy.products import pull_matmul_of_plain
from chainrules.values.operands import ArrayOperand, Operand
from chainrules_core import frule, non_differentiable, rrule, scalar_rule, shortened_by, typeof_

sum_rule(operator.add, 1)
sum_rule(operator.sub, -1)
binary_rule(operator.mul, *PRODUCT, symmetric=True)
binary_rule(operator.truediv, *QUOTIENT)
binary_rule(operator.mod, *REMAINDER)
non_differentiable(operator.floordiv)
sign_rule(operator.neg, -1)
sign_rule(operator.pos, 1)

# --- abs ---------------------------------------------------------------------------------------------------


@scalar_rule(operator.abs)
def _(y, x: Real):
    return sign(x)


@frule.dispatch
def abs_frule(tangents, f: typeof_(operator.abs), x: Complex | ArrayOperand):
    return frule.unchecked(tangents, np.absolute, x)


@rrule.dispatch
def abs_rrule(f: typeof_(operator.abs), x: Complex | ArrayOperand):
    return rrule.unchecked(np.absolute, x)


# --- pow ---------------------------------------------------------------------------------------------------


@frule.dispatch
def pow_frule(tangents, f: typeof_(operator.pow), x: Operand, p: Operand):
    y = x**p
    return y, powers.push_power(tangents, y, x, p)


@rrule.dispatch
def pow_rrule(f: typeof_(operator.pow), x: Operand, p: Operand):
    y = x**p
    return y, powers.pullback_of(y, x, p)


# --- matmul ------------------------------------------------------------------------------------------------


@frule.dispatch
def matmul_frule(tangents, f: typeof_(operator.matmul), A: ArrayOperand, B: ArrayOperand):
    return frule.unchecked(tangents, np.matmul, A, B)


_pull_matmul = shortened_by(pull_matmul_of_plain)(pull_matmul)


@rrule.dispatch
def matmul_rrule(f: typeof_(operator.matmul), A: ArrayOperand, B: ArrayOperand):
    def matmul_pullback(C_bar):
        return _pull_matmul(C_bar, A, B)

    return np.matmul(A, B), matmul_pullback
