"""Rules for the determinant; see `chainrules.formulas.equations.determinants`."""

from scipy.linalg import det

from chainrules.formulas.equations.determinants import cofactors, pull_det, push_det
from chainrules.values.operands import ArrayOperand
from chainrules_core import NO_TANGENT, ProjectTo, frule, primitive, rrule, typeof_

_det = primitive(det)


@frule.dispatch
def det_frule(tangents, f: typeof_(det), A: ArrayOperand, *options, **named):
    y, y_dot = push_det(tangents, A, cofactors, _checked_det(A, *options, **named))
    return y, ProjectTo(y)(y_dot)  # SciPy returns a float64 for a float32


@rrule.dispatch
def det_rrule(f: typeof_(det), A: ArrayOperand, *options, **named):
    y, pull = pull_det(A, cofactors, _checked_det(A, *options, **named))

    def det_pullback(y_bar):
        return *pull(y_bar), *(NO_TANGENT,) * len(options)

    return y, det_pullback


def _checked_det(A, overwrite_a: bool = False, check_finite: bool = True):
    """The determinant; the argument is never overwritten."""
    return _det(A, check_finite=check_finite)
