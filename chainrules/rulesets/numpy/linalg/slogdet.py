"""Rules for the sign and the logarithm of the modulus of the determinant.

See `chainrules.formulas.equations.determinants`.
"""

import numpy as np

from chainrules.formulas.equations.determinants import pull_slogdet, push_slogdet
from chainrules.shortcuts.numpy.linalg.slogdet import push_slogdet_of_plain, slogdet_of_plain
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import transposed
from chainrules_core import frule, rrule, shortened_by, typeof_


@frule.dispatch
@shortened_by(push_slogdet_of_plain)
def slogdet_frule(tangents, f: typeof_(np.linalg.slogdet), A: ArrayOperand):
    return push_slogdet(tangents, A, _slogdet_gradient)


@rrule.dispatch
@shortened_by(slogdet_of_plain)
def slogdet_rrule(f: typeof_(np.linalg.slogdet), A: ArrayOperand):
    return pull_slogdet(A, _slogdet_gradient)


def _slogdet_gradient(A):
    return transposed(np.linalg.inv(A))
