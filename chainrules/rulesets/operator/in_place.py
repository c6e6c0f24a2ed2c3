"""Rules for the functions behind augmented assignments, ``x += y`` and the like.

For a number or a tuple they make a new value, like the operators without the assignment. They would change an
array or a list in place: that is refused.
"""

import operator
from collections.abc import Callable
from typing import Any

from chainrules.makers.mutation_refusals import refuse_mutation
from chainrules.values.operands import ArrayOperand, NumberOperand, Operand
from chainrules_core import frule, non_differentiable, rrule, typeof_

OUT_OF_PLACE = {
    operator.iadd: operator.add,
    operator.iconcat: operator.concat,
    operator.imatmul: operator.matmul,
    operator.imod: operator.mod,
    operator.imul: operator.mul,
    operator.ipow: operator.pow,
    operator.isub: operator.sub,
    operator.itruediv: operator.truediv,
}


def in_place_rule(in_place: Callable[[Any, Any], Any], out_of_place: Callable[[Any, Any], Any]) -> None:
    """Define the rules of the in-place form of an operator."""

    @frule.dispatch
    def in_place_frule(tangents, f: typeof_(in_place), x: NumberOperand | tuple, y):
        return frule.unchecked(tangents, out_of_place, x, y)

    @rrule.dispatch
    def in_place_rrule(f: typeof_(in_place), x: NumberOperand | tuple, y):
        return rrule.unchecked(out_of_place, x, y)

    instead = f"Write `x = operator.{out_of_place.__name__}(x, y)`."
    refuse_mutation(in_place, ArrayOperand | list, instead)


for pair in OUT_OF_PLACE.items():
    in_place_rule(*pair)

refuse_mutation(operator.setitem, object, "Build a new array, with `np.where` for one, or a new container.")
refuse_mutation(operator.delitem, object, "Build a new container without the item.")

refuse_mutation(operator.ior, dict, "Write `x = operator.or_(x, y)`.")

non_differentiable(operator.ifloordiv)

for operation in (operator.iand, operator.ilshift, operator.ior, operator.irshift, operator.ixor):
    non_differentiable(operation, Operand, Operand)
