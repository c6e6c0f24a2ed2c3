"""Rules for the magnitude of the gradient of a smoothed image, ``y = √(Σ g_k²)``.

``g_k`` is the image that `gaussian_filter` differentiates along the axis ``k``, so that its cotangent is
``conj(g_k / y) y_bar``; it is zero where `y` is.
"""

import inspect
from typing import Any

import numpy as np
from scipy.ndimage import gaussian_filter, gaussian_gradient_magnitude

from chainrules.makers.linear_rules import tangent_like
from chainrules.values.image_calls import ImageCall
from chainrules.values.operands import OperandInLists
from chainrules.values.stacks import conjugate
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ZeroTangent,
    frule,
    primal_of,
    primitive,
    rrule,
    sum_tangents,
    typeof_,
    unthunk,
)

_magnitude = primitive(gaussian_gradient_magnitude)
_SIGNATURE = inspect.signature(gaussian_gradient_magnitude)


def _filters(call: ImageCall):
    """How `gaussian_filter` is called for each axis."""
    rest = call.get("kwargs", {})
    for axis, mode in zip(call.axes, call.for_each_axis("mode"), strict=True):
        order = [int(axis == k) for k in range(call.ndim)]
        yield (call["input"], call["sigma"], order, None, mode, call["cval"]), rest


def _share(g, y):
    """The derivative of the magnitude by one of its parts."""
    is_zero = primal_of(y) == 0
    return np.where(is_zero, 0.0, g / np.where(is_zero, 1.0, y))


@frule.dispatch
def magnitude_frule(
    tangents, f: typeof_(gaussian_gradient_magnitude), x: OperandInLists, *options: Any, **named: Any
):
    call = ImageCall(_SIGNATURE, "gaussian_gradient_magnitude", (x, *options), named)
    y, terms = _magnitude(x, *options, **named), []
    dots = [*tangents[1:], *(NO_TANGENT for _ in range(6))]
    for args, rest in _filters(call):
        moved = (NO_TANGENT, *dots[:2], NO_TANGENT, NO_TANGENT, NO_TANGENT, dots[4])
        g, g_dot = frule.unchecked(moved, gaussian_filter, *args, **rest)
        if not isinstance(g_dot, AbstractZero):
            terms.append(_share(g, y) * g_dot)
    return y, tangent_like(y, sum_tangents(y, terms)) if terms else ZeroTangent()


@rrule.dispatch
def magnitude_rrule(f: typeof_(gaussian_gradient_magnitude), x: OperandInLists, *options: Any, **named: Any):
    call = ImageCall(_SIGNATURE, "gaussian_gradient_magnitude", (x, *options), named)
    y = _magnitude(x, *options, **named)

    def magnitude_pullback(y_bar):
        bars = [ZeroTangent(), *(ZeroTangent() if k in {0, 3} else NO_TANGENT for k in range(len(options)))]
        for args, rest in _filters(call):
            g, pullback = rrule.unchecked(gaussian_filter, *args, **rest)
            _, x_bar, sigma_bar, _, _, _, cval_bar = pullback(conjugate(_share(g, y)) * y_bar)
            for place, bar in ((0, x_bar), (1, sigma_bar), (4, cval_bar)):
                if place < len(bars):
                    bars[place] = bars[place] + unthunk(bar)
        return NO_TANGENT, *bars

    return y, magnitude_pullback
