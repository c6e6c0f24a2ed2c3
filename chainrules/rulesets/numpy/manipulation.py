"""Rules for array manipulation: the elements stay what they are, and so do their cotangents."""

from typing import Any

import numpy as np
from chainrules_core import NoTangent, ProjectTo, frule, rrule, typeof_, unthunk
from chainrules_core.scalar_products import fitted

from chainrules.operands import Operand
from chainrules.reductions import shape_of

# --- reshape -----------------------------------------------------------------------------------------------


@frule.dispatch
def reshape_frule(
    tangents: tuple, f: typeof_(np.reshape), x: Operand, *options: object, **named: Any
) -> tuple[Any, Any]:
    return np.reshape(x, *options, **named), np.reshape(unthunk(tangents[1]), *options, **named)


@rrule.dispatch
def reshape_rrule(f: typeof_(np.reshape), x: Operand, *options: object, **named: Any) -> tuple[Any, Any]:
    order = _reshape_order(x, *options, **named)
    project = ProjectTo(x)
    shape = shape_of(x)

    def reshape_pullback(y_bar: Any) -> tuple[Any, ...]:
        x_bar = np.reshape(unthunk(y_bar), shape, order=order)
        return NoTangent(), project(x_bar), *(NoTangent() for _ in options)

    return np.reshape(x, *options, **named), reshape_pullback


def _reshape_order(x: Any, shape: Any = None, order: str = "C", *, copy: Any = None) -> str:
    if order == "A":  # as the elements lie in memory
        return "F" if isinstance(x, np.ndarray) and x.flags.fnc else "C"
    return order


# --- transpose ---------------------------------------------------------------------------------------------


@frule.dispatch
def transpose_frule(
    tangents: tuple, f: typeof_(np.transpose), x: Operand, axes: object = None
) -> tuple[Any, Any]:
    return np.transpose(x, axes), np.transpose(unthunk(tangents[1]), axes)


@rrule.dispatch
def transpose_rrule(f: typeof_(np.transpose), x: Operand, *axes: object, **named: Any) -> tuple[Any, Any]:
    project = ProjectTo(x)
    order = axes[0] if axes else named.get("axes")
    back = None if order is None else np.argsort([a % len(shape_of(x)) for a in order])

    def transpose_pullback(y_bar: Any) -> tuple[Any, ...]:
        return NoTangent(), project(np.transpose(unthunk(y_bar), back)), *(NoTangent() for _ in axes)

    return np.transpose(x, *axes, **named), transpose_pullback


# --- broadcast_to ------------------------------------------------------------------------------------------


@frule.dispatch
def broadcast_to_frule(tangents: tuple, f: typeof_(np.broadcast_to), x: Operand, shape: object) -> tuple[Any, Any]:
    return np.broadcast_to(x, shape), np.broadcast_to(unthunk(tangents[1]), shape)


@rrule.dispatch
def broadcast_to_rrule(f: typeof_(np.broadcast_to), x: Operand, shape: object) -> tuple[Any, Any]:
    def broadcast_to_pullback(y_bar: Any) -> tuple[Any, Any, Any]:
        return NoTangent(), fitted(x, unthunk(y_bar)), NoTangent()

    return np.broadcast_to(x, shape), broadcast_to_pullback
