"""Rules for the linear map between the domain of a polynomial and the window of its basis.

The map takes the ends ``old`` of one interval to the ends ``new`` of another. With ``t = (x - old[0]) /
(old[1] - old[0])`` it is ``y = (1 - t) new[0] + t
new[1]``, and its slope is ``scl``. Where the ends move, the ends of the image move by ``e = new_dot - scl
old_dot``: ``y_dot = (1 - t) e[0] + t e[1] + scl x_dot``.
"""

from typing import Any

import numpy as np
from numpy.polynomial import polyutils

from chainrules.values.named_results import cotangents_of_results
from chainrules.values.operands import ArrayOperand, Operand
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    Tangent,
    frule,
    non_differentiable,
    primitive,
    rrule,
    strong_product,
    typeof_,
    unbroadcast,
)

mapdomain = primitive(polyutils.mapdomain)
mapparms = primitive(polyutils.mapparms)

non_differentiable(polyutils.format_float)


@frule.dispatch
def mapdomain_frule(
    tangents: Any, f: typeof_(polyutils.mapdomain), x: Operand, old: ArrayOperand, new: ArrayOperand
):
    x_dot, old_dot, new_dot = tangents[1:]
    scl, ends_dot = slope(old, new), new_dot - slope(old, new) * old_dot
    y, y_dot = mapdomain(x, old, new), scl * x_dot
    return y, y_dot if isinstance(ends_dot, AbstractZero) else y_dot + point_between(ends_dot, way(x, old))


@rrule.dispatch
def mapdomain_rrule(f: typeof_(polyutils.mapdomain), x: Operand, old: ArrayOperand, new: ArrayOperand):
    scl = slope(old, new)

    def mapdomain_pullback(y_bar):
        last = np.sum(strong_product(np.conjugate(way(x, old)), y_bar))
        old_bar, new_bar = of_ends(old, new, np.sum(y_bar) - last, last)
        return NO_TANGENT, unbroadcast(x, np.conjugate(scl) * y_bar), old_bar, new_bar

    return mapdomain(x, old, new), mapdomain_pullback


@frule.dispatch
def mapparms_frule(tangents: Any, f: typeof_(polyutils.mapparms), old: ArrayOperand, new: ArrayOperand):
    old_dot, new_dot = tangents[1:]
    off, scl = mapparms(old, new)
    ends_dot = new_dot - scl * old_dot
    scl_dot = (ends_dot[1] - ends_dot[0]) / (old[1] - old[0])
    return (off, scl), Tangent[tuple](point_between(ends_dot, way(0.0, old)), scl_dot)


@rrule.dispatch
def mapparms_rrule(f: typeof_(polyutils.mapparms), old: ArrayOperand, new: ArrayOperand):
    y = mapparms(old, new)

    def mapparms_pullback(y_bar):
        off_bar, scl_bar = cotangents_of_results(y, y_bar)
        last = np.conjugate(way(0.0, old)) * off_bar + scl_bar / np.conjugate(old[1] - old[0])
        if isinstance(last, AbstractZero):
            return NO_TANGENT, last, last
        return NO_TANGENT, *of_ends(old, new, off_bar - last, last)

    return y, mapparms_pullback


def slope(old: Any, new: Any) -> Any:
    """The slope of the map."""
    return (new[1] - new[0]) / (old[1] - old[0])


def way(x: Any, old: Any) -> Any:
    """How far a point is on the way from one end of the interval to the other."""
    return (x - old[0]) / (old[1] - old[0])


def point_between(ends: Any, t: Any) -> Any:
    """The point at the part `t` of the way from one end to the other."""
    return (1 - t) * ends[0] + t * ends[1]


def of_ends(old: Any, new: Any, first_bar: Any, last_bar: Any) -> tuple[Any, Any]:
    """The cotangents of both intervals, from the cotangents of the ends of the image."""
    ends_bar = np.stack((first_bar, last_bar))
    return ProjectTo(old)(-np.conjugate(slope(old, new)) * ends_bar), ProjectTo(new)(ends_bar)
