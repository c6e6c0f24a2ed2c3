"""Rules for matrix products in which a factor is sparse: see `chainrules/formulas/sparse_products.py`."""

import operator
from typing import Any

from chainrules.formulas.sparse_products import pull_product, push_product
from chainrules.values.operands import ArrayOperand
from chainrules.values.sparse import Sparse
from chainrules_core import frule, rrule, typeof_


@frule.dispatch(precedence=2)
def matmul_frule(tangents: Any, f: typeof_(operator.matmul), A: Sparse, B: ArrayOperand):
    return push_product(tangents, A, B)


@frule.dispatch(precedence=1)
def matmul_from_left_frule(tangents: Any, f: typeof_(operator.matmul), A: ArrayOperand, B: Sparse):
    return push_product(tangents, A, B)


@rrule.dispatch(precedence=2)  # two sparse factors are no ambiguity
def matmul_rrule(f: typeof_(operator.matmul), A: Sparse, B: ArrayOperand):
    return pull_product(A, B)


@rrule.dispatch(precedence=1)
def matmul_from_left_rrule(f: typeof_(operator.matmul), A: ArrayOperand, B: Sparse):
    return pull_product(A, B)
