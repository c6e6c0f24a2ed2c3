"""Rules for the inverse of a matrix; see `chainrules.formulas.equations.inverses`."""

import numpy as np

from chainrules.formulas.equations.inverses import pullback_of_inverse, push_inverse
from chainrules.shortcuts.numpy.linalg.inv import inv_of_plain, push_inv_of_plain
from chainrules.values.operands import ArrayOperand
from chainrules_core import frule, rrule, shortened_by, typeof_


@frule.dispatch
@shortened_by(push_inv_of_plain)
def inv_frule(tangents, f: typeof_(np.linalg.inv), A: ArrayOperand):
    Y = np.linalg.inv(A)
    return Y, push_inverse(Y, tangents[1])


@rrule.dispatch
@shortened_by(inv_of_plain)
def inv_rrule(f: typeof_(np.linalg.inv), A: ArrayOperand):
    Y = np.linalg.inv(A)
    return Y, pullback_of_inverse(A, Y)
