"""Rules for polynomials as sums of powers."""

from typing import Any

import numpy as np

from chainrules.makers.series import define_rules
from chainrules.makers.series.conversion import define_trim
from chainrules.values.operands import ArrayOperand, Operand
from chainrules.values.reductions import shape_of
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    ZeroTangent,
    frule,
    primal_of,
    rrule,
    typeof_,
    unbroadcast,
    unthunk,
)

define_rules(np.polynomial.polynomial, "poly")
define_trim(np.polynomial.polynomial.polytrim)


# --- Values, given the roots: products of differences ----------------------------------------------


@frule.dispatch
def polyvalfromroots_frule(
    tangents: Any,
    f: typeof_(np.polynomial.polynomial.polyvalfromroots),
    x: Operand,
    r: ArrayOperand,
    *options: Any,
    **named: Any,
):
    x_dot, r_dot = tangents[1:3]
    d = x - _root_columns(x, r, *options, **named)
    dots = [] if isinstance(x_dot, AbstractZero) else [np.broadcast_to(x_dot, shape_of(d))]
    if not isinstance(r_dot, AbstractZero):
        dots.append(-np.broadcast_to(_root_columns(x, r_dot, *options, **named), shape_of(d)))
    d_dot = sum(dots[1:], dots[0]) if dots else ZeroTangent()
    y, y_dot = frule((NO_TANGENT, d_dot, NO_TANGENT), np.prod, d, 0)
    return y, y_dot


@rrule.dispatch
def polyvalfromroots_rrule(
    f: typeof_(np.polynomial.polynomial.polyvalfromroots),
    x: Operand,
    r: ArrayOperand,
    *options: Any,
    **named: Any,
):
    columns = _root_columns(x, r, *options, **named)
    y, pull_product = rrule(np.prod, x - columns, 0)

    def polyvalfromroots_pullback(y_bar):
        d_bar = unthunk(pull_product(y_bar)[1])
        r_bar = ProjectTo(r)(np.reshape(unbroadcast(columns, -d_bar), shape_of(r)))
        return NO_TANGENT, unbroadcast(x, d_bar), r_bar, *(NO_TANGENT,) * len(options)

    return y, polyvalfromroots_pullback


def _root_columns(x: Any, r: Any, tensor: bool = True) -> Any:
    """The roots, with an axis for each axis of the points."""
    points = shape_of(x)
    if not tensor and len(points) >= len(shape_of(r)) and isinstance(primal_of(x), np.ndarray):
        raise ValueError("polyvalfromroots(..., tensor=False): x.ndim must be < r.ndim")
    return np.reshape(r, (*shape_of(r), *(1 for _ in points))) if tensor and points else r
