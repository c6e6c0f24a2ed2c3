"""Rules for Python's operators, which are the functions of `operator` and serve numbers and arrays alike."""

import operator
from typing import Any

import numpy as np

from chainrules import powers
from chainrules.elementwise import binary_rule, lazy_pullback
from chainrules.operands import ArrayOperand, Operand
from chainrules.rulesets.numpy.arithmetic import push_power
from chainrules.scatter import add_at, scatter
from chainrules_core import (
    InplaceableThunk,
    NoTangent,
    ProjectTo,
    frule,
    primal_of,
    rrule,
    scalar_rule,
    thunk,
    typeof_,
    unthunk,
)

binary_rule(operator.add, lambda *_: 1, lambda *_: 1)
binary_rule(operator.sub, lambda *_: 1, lambda *_: -1)
binary_rule(operator.mul, lambda _, x, y: y, lambda _, x, y: x)
# Not -x / y**2, whose denominator overflows and underflows long before the result does.
binary_rule(operator.truediv, lambda z, x, y: 1 / y, lambda z, x, y: -z / y)


@scalar_rule(operator.neg)
def _(y: Any, x: Operand) -> Any:
    return -1


@scalar_rule(operator.pos)
def _(y: Any, x: Operand) -> Any:
    return 1


# --- pow ---------------------------------------------------------------------------------------------------


@frule.dispatch
def pow_frule(tangents: Any, f: typeof_(operator.pow), x: Operand, p: Operand) -> tuple[Any, Any]:
    return push_power(tangents, x**p, x, p)


@rrule.dispatch
def pow_rrule(f: typeof_(operator.pow), x: Operand, p: Operand) -> tuple[Any, Any]:
    y = x**p
    return y, lazy_pullback(y, x, p, powers.by_base, powers.by_exponent)


# --- matmul ------------------------------------------------------------------------------------------------


@frule.dispatch
def matmul_frule(tangents: Any, f: typeof_(operator.matmul), A: ArrayOperand, B: ArrayOperand) -> Any:
    return frule(tangents, np.matmul, A, B)


@rrule.dispatch
def matmul_rrule(f: typeof_(operator.matmul), A: ArrayOperand, B: ArrayOperand) -> Any:
    return rrule(np.matmul, A, B)


# --- getitem -----------------------------------------------------------------------------------------------


@frule.dispatch
def getitem_frule(
    tangents: Any, f: typeof_(operator.getitem), x: ArrayOperand, index: Any
) -> tuple[Any, Any]:
    return x[index], unthunk(tangents[1])[index]


@rrule.dispatch
def getitem_rrule(f: typeof_(operator.getitem), x: ArrayOperand, index: Any) -> tuple[Any, Any]:
    y = x[index]
    project = ProjectTo(y)
    like_x = primal_of(x)

    def getitem_pullback(y_bar: Any) -> tuple[Any, Any, Any]:
        y_bar = project(unthunk(y_bar))
        x_bar: Any = thunk(scatter, y_bar, like_x, index)
        if primal_of(y_bar) is y_bar:
            # A loop over an array would allocate an array for each of its elements, unless what is nearly
            # all zeros is added in place. A traced cotangent cannot be.
            x_bar = InplaceableThunk(add=lambda accumulated: add_at(accumulated, index, y_bar), val=x_bar)
        return NoTangent(), x_bar, NoTangent()

    return y, getitem_pullback
