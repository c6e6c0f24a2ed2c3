"""The operators that compare, and operators on bits and truth values: none of them has a derivative."""

import operator

from chainrules.values.operands import Operand
from chainrules_core import non_differentiable

non_differentiable(operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
non_differentiable(operator.is_, operator.is_not, operator.not_, operator.truth)
non_differentiable(operator.inv, operator.invert, operator.index)

# Of dicts `|` is a union, see `items`.
for operation in (operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift):
    non_differentiable(operation, Operand, Operand)
