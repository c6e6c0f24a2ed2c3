"""Rules for the determinant; see `chainrules.formulas.equations.determinants`."""

import numpy as np

from chainrules.formulas.equations.determinants import cofactors, pull_det, push_det
from chainrules.shortcuts.numpy.linalg.det import det_of_plain, push_det_of_plain
from chainrules.values.operands import ArrayOperand
from chainrules_core import frule, rrule, shortened_by, typeof_


@frule.dispatch
@shortened_by(push_det_of_plain)
def det_frule(tangents, f: typeof_(np.linalg.det), A: ArrayOperand):
    return push_det(tangents, A, cofactors)


@rrule.dispatch
@shortened_by(det_of_plain)
def det_rrule(f: typeof_(np.linalg.det), A: ArrayOperand):
    return pull_det(A, cofactors)
