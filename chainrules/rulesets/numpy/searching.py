"""Rules for searching: choosing between values by a condition."""

from typing import Any

import numpy as np

from chainrules.operands import Operand
from chainrules_core import NoTangent, frule, non_differentiable, rrule, thunk, typeof_, unthunk
from chainrules_core.scalar_products import fitted

non_differentiable(np.where, object)


@frule.dispatch
def where_frule(
    tangents: Any, f: typeof_(np.where), condition: Any, x: Operand, y: Operand
) -> tuple[Any, Any]:
    _, _, x_dot, y_dot = map(unthunk, tangents)
    z: Any = np.where(condition, x, y)
    z_dot: Any = np.where(condition, x_dot, y_dot)
    return z, z_dot if z_dot.shape == z.shape else np.broadcast_to(z_dot, z.shape)


@rrule.dispatch
def where_rrule(f: typeof_(np.where), condition: Any, x: Operand, y: Operand) -> tuple[Any, Any]:
    def where_pullback(z_bar: Any) -> tuple[Any, ...]:
        z_bar = unthunk(z_bar)
        x_bar = thunk(lambda: fitted(x, np.where(condition, z_bar, 0)))
        y_bar = thunk(lambda: fitted(y, np.where(condition, 0, z_bar)))
        return NoTangent(), NoTangent(), x_bar, y_bar

    return np.where(condition, x, y), where_pullback
