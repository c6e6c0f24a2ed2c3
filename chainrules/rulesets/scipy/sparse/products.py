"""Rules for matrix products in which a factor is sparse.

See `chainrules/formulas/matrices/sparse_products.py`.
"""

import operator

from chainrules.formulas.matrices.sparse_products import pull_product, push_product
from chainrules.makers.either_operand import either_operand
from chainrules.values.operands import ArrayOperand
from chainrules.values.sparse import Sparse

either_operand(operator.matmul, Sparse, ArrayOperand, push_product, pull_product)
