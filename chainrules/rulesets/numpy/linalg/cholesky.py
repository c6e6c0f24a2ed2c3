"""Rules for the Cholesky decomposition; see `chainrules.formulas.factorizations.cholesky_factors`."""

import numpy as np

from chainrules.formulas.factorizations.cholesky_factors import pull_cholesky, push_cholesky
from chainrules.numerics.lazy_matrices import cholesky
from chainrules.values.operands import ArrayOperand
from chainrules_core import NO_TANGENT, ProjectTo, frule, rrule, typeof_


@frule.dispatch
def cholesky_frule(tangents, f: typeof_(np.linalg.cholesky), A: ArrayOperand, **named: bool):
    A_dot = tangents[1]
    y = cholesky(A, **named)
    return y, push_cholesky(y, A_dot, not any(named.values()))


@rrule.dispatch
def cholesky_rrule(f: typeof_(np.linalg.cholesky), A: ArrayOperand, **named: bool):
    y = cholesky(A, **named)
    project = ProjectTo(A)

    def cholesky_pullback(y_bar):
        return NO_TANGENT, project(pull_cholesky(y, y_bar, not any(named.values())))

    return y, cholesky_pullback
