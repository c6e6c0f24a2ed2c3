"""Rules for sums, differences, products and quotients, elementwise, with a structured operand."""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.makers.either_operand import either_operand
from chainrules.values.operands import Operand
from chainrules.values.stacks import conjugate
from chainrules_core import NO_TANGENT, AbstractZero, primal_of, rule_maker, thunk, to_natural, unbroadcast
from chainrules_core.structured import StructuredArray

# The contribution of one operand's tangent; or, with the conjugate of the factor, to the operand's cotangent.
Term = Callable[[Any, Any, Any, Any], Any]


@rule_maker
def _arithmetic_rules(primal: Any, by_x: Term, by_y: Term) -> None:
    """Define the rules of ``z = primal(x, y)`` by the products of its partial derivatives with `z_bar`."""

    def push(tangents, x, y):
        _, x_dot, y_dot = tangents
        z = primal(x, y)
        terms = []
        if not isinstance(x_dot, AbstractZero):
            terms.append(by_x(z, x, y, x_dot))
        if not isinstance(y_dot, AbstractZero):
            terms.append(by_y(z, x, y, y_dot))
        return z, sum(terms[1:], start=terms[0]) if terms else x_dot

    def pull(x, y):
        z = primal(x, y)

        def arithmetic_pullback(z_bar):
            z_bar = to_natural(primal_of(z), z_bar)
            operands = _conjugate(z), _conjugate(x), _conjugate(y)
            x_bar = thunk(lambda: unbroadcast(x, by_x(*operands, z_bar)))
            y_bar = thunk(lambda: unbroadcast(y, by_y(*operands, z_bar)))
            return NO_TANGENT, x_bar, y_bar

        return z, arithmetic_pullback

    # Two matrices are no ambiguity, and neither are rules for operands of other kinds.
    either_operand(primal, StructuredArray, Operand, push, pull, precedence=2)


def _conjugate(x: Any) -> Any:
    return conjugate(x) if hasattr(primal_of(x), "dtype") else np.conjugate(x)


for _add in (operator.add, np.add):
    _arithmetic_rules(_add, lambda z, x, y, dot: dot, lambda z, x, y, dot: dot)
for _subtract in (operator.sub, np.subtract):
    _arithmetic_rules(_subtract, lambda z, x, y, dot: dot, lambda z, x, y, dot: -dot)
for _multiply in (operator.mul, np.multiply):
    _arithmetic_rules(_multiply, lambda z, x, y, dot: dot * y, lambda z, x, y, dot: dot * x)
for _divide in (operator.truediv, np.divide):
    _arithmetic_rules(_divide, lambda z, x, y, dot: dot / y, lambda z, x, y, dot: -(dot * z) / y)
