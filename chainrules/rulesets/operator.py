"""Rules for Python's operators, which are the functions of `operator` and serve numbers and arrays alike."""

import operator
from typing import Any

import numpy as np

from chainrules.operands import Operand
from chainrules.rulesets.numpy.arithmetic import pull_power, push_power
from chainrules.scatter import add_at, scatter
from chainrules_core import (
    AbstractArray,
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


@scalar_rule(operator.add)
def add_partials(_: Any, x: Operand, y: Operand) -> tuple[Any, Any]:
    return 1, 1


@scalar_rule(operator.sub)
def sub_partials(_: Any, x: Operand, y: Operand) -> tuple[Any, Any]:
    return 1, -1


@scalar_rule(operator.mul)
def mul_partials(_: Any, x: Operand, y: Operand) -> tuple[Any, Any]:
    return y, x


@scalar_rule(operator.truediv)
def truediv_partials(z: Any, x: Operand, y: Operand) -> tuple[Any, Any]:
    # Not -x / y**2, whose denominator overflows and underflows long before the result does.
    return 1 / y, -z / y


@scalar_rule(operator.neg)
def neg_partials(_: Any, x: Operand) -> Any:
    return -1


@scalar_rule(operator.pos)
def pos_partials(_: Any, x: Operand) -> Any:
    return 1


# --- pow ---------------------------------------------------------------------------------------------------


@frule.dispatch
def pow_frule(tangents: tuple, f: typeof_(operator.pow), x: Operand, p: Operand) -> tuple[Any, Any]:
    return push_power(tangents, x**p, x, p)


@rrule.dispatch
def pow_rrule(f: typeof_(operator.pow), x: Operand, p: Operand) -> tuple[Any, Any]:
    return pull_power(x**p, x, p)


# --- matmul ------------------------------------------------------------------------------------------------


@frule.dispatch
def matmul_frule(
    tangents: tuple, f: typeof_(operator.matmul), A: AbstractArray, B: AbstractArray
) -> tuple[Any, Any]:
    return frule(tangents, np.matmul, A, B)


@rrule.dispatch
def matmul_rrule(f: typeof_(operator.matmul), A: AbstractArray, B: AbstractArray) -> tuple[Any, Any]:
    return rrule(np.matmul, A, B)


# --- getitem -----------------------------------------------------------------------------------------------


@frule.dispatch
def getitem_frule(
    tangents: tuple, f: typeof_(operator.getitem), x: AbstractArray, index: object
) -> tuple[Any, Any]:
    return x[index], unthunk(tangents[1])[index]


@rrule.dispatch
def getitem_rrule(f: typeof_(operator.getitem), x: AbstractArray, index: object) -> tuple[Any, Any]:
    y = x[index]
    project = ProjectTo(y)
    like_x = primal_of(x)

    def getitem_pullback(y_bar: Any) -> tuple[Any, Any, Any]:
        y_bar = project(unthunk(y_bar))
        x_bar = thunk(scatter, y_bar, like_x, index)
        if primal_of(y_bar) is y_bar:
            # A loop over an array would allocate an array for each of its elements, unless what is nearly
            # all zeros is added in place. A traced cotangent cannot be.
            x_bar = InplaceableThunk(add=lambda accumulated: add_at(accumulated, index, y_bar), val=x_bar)
        return NoTangent(), x_bar, NoTangent()

    return y, getitem_pullback
