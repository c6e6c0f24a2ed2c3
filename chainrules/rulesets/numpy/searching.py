"""Rules for searching: choosing between values by a condition."""

from typing import Any

import numpy as np
from chainrules_core import AbstractZero, NoTangent, ZeroTangent, frule, non_differentiable, rrule, typeof_, unthunk
from chainrules_core.scalar_products import fitted

from chainrules.operands import Operand

non_differentiable(np.where, object)


@frule.dispatch
def where_frule(
    tangents: tuple, f: typeof_(np.where), condition: object, x: Operand, y: Operand
) -> tuple[Any, Any]:
    _, _, x_dot, y_dot = map(unthunk, tangents)
    z = np.where(condition, x, y)
    if isinstance(x_dot, AbstractZero) and isinstance(y_dot, AbstractZero):
        return z, ZeroTangent()
    z_dot = np.where(condition, _number(x_dot), _number(y_dot))
    return z, np.broadcast_to(z_dot, z.shape)


def _number(x_dot: Any) -> Any:
    return 0.0 if isinstance(x_dot, AbstractZero) else x_dot


@rrule.dispatch
def where_rrule(f: typeof_(np.where), condition: object, x: Operand, y: Operand) -> tuple[Any, Any]:
    def where_pullback(z_bar: Any) -> tuple[Any, ...]:
        z_bar = unthunk(z_bar)
        x_bar = fitted(x, np.where(condition, z_bar, 0))
        y_bar = fitted(y, np.where(condition, 0, z_bar))
        return NoTangent(), NoTangent(), x_bar, y_bar

    return np.where(condition, x, y), where_pullback
