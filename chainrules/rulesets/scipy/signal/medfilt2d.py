"""Rules for the median of a window in a plane: that of `scipy.ndimage`, with zeros beyond the borders."""

from typing import Any

import numpy as np
from scipy.ndimage import median_filter
from scipy.signal import medfilt2d

from chainrules.values.operands import OperandInLists
from chainrules_core import NO_TANGENT, frule, rrule, typeof_


def _size(kernel_size=3):
    return (3, 3) if kernel_size is None else tuple(np.broadcast_to(kernel_size, 2).tolist())


@frule.dispatch
def medfilt2d_frule(tangents, f: typeof_(medfilt2d), x: OperandInLists, *options: Any, **named: Any):
    moved = *tangents[:2], NO_TANGENT
    return frule.unchecked(moved, median_filter, x, _size(*options, **named), mode="constant")


@rrule.dispatch
def medfilt2d_rrule(f: typeof_(medfilt2d), x: OperandInLists, *options: Any, **named: Any):
    y, pullback = rrule.unchecked(median_filter, x, _size(*options, **named), mode="constant")

    def medfilt2d_pullback(y_bar):
        return *pullback(y_bar)[:2], *(NO_TANGENT for _ in options)

    return y, medfilt2d_pullback
