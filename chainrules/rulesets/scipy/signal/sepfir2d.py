"""Rules for a filter along rows and then along columns of an image, which is reflected at its borders.

It is `scipy.ndimage.convolve1d` twice. SciPy's manual says "mirror-symmetric", which is "reflect" there. That
function rounds the results of an image of integers, this one does not.
"""

from typing import Any

import numpy as np
from scipy.ndimage import convolve1d
from scipy.signal import sepfir2d

from chainrules.makers.linear_rules import tangent_like
from chainrules.values.operands import OperandInLists
from chainrules_core import NO_TANGENT, ProjectTo, frule, primitive, rrule, typeof_, unthunk

_sepfir2d = primitive(sepfir2d)
_HOW = None, "reflect"


@frule.dispatch
def sepfir2d_frule(
    tangents: Any, f: typeof_(sepfir2d), x: OperandInLists, hrow: OperandInLists, hcol: OperandInLists
):
    _, x_dot, *h_dots = tangents
    y, y_dot = np.multiply(x, 1.0), x_dot
    for axis, h, h_dot in ((1, hrow, h_dots[0]), (0, hcol, h_dots[1])):
        given = NO_TANGENT, y_dot, h_dot, *(NO_TANGENT,) * 3
        y, y_dot = frule.unchecked(given, convolve1d, y, h, axis, *_HOW)
    y = _sepfir2d(x, hrow, hcol)
    return y, tangent_like(y, y_dot)


@rrule.dispatch
def sepfir2d_rrule(f: typeof_(sepfir2d), x: OperandInLists, hrow: OperandInLists, hcol: OperandInLists):
    rows, pull_rows = rrule.unchecked(convolve1d, np.multiply(x, 1.0), hrow, 1, *_HOW)
    _, pull_columns = rrule.unchecked(convolve1d, rows, hcol, 0, *_HOW)

    project = ProjectTo(x)

    def sepfir2d_pullback(y_bar):
        _, rows_bar, hcol_bar, *_ = pull_columns(y_bar)
        _, x_bar, hrow_bar, *_ = pull_rows(unthunk(rows_bar))
        return NO_TANGENT, project(x_bar), hrow_bar, hcol_bar

    return _sepfir2d(x, hrow, hcol), sepfir2d_pullback
