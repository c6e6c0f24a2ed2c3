"""Rules for the integer powers of sparse matrices.

See `chainrules/formulas/functions_of_matrices/sparse_powers.py`.
"""

from typing import Any

from scipy.sparse.linalg import matrix_power

from chainrules.formulas.functions_of_matrices.sparse_powers import pull_matrix_power, push_matrix_power
from chainrules.values.sparse import Sparse
from chainrules_core import frule, primitive, rrule, typeof_


@frule.dispatch
def matrix_power_frule(tangents: Any, f: typeof_(matrix_power), A: Sparse, power: int):
    return push_matrix_power(tangents, primitive(matrix_power), A, power)


@rrule.dispatch
def matrix_power_rrule(f: typeof_(matrix_power), A: Sparse, power: int):
    return pull_matrix_power(primitive(matrix_power), A, power)
