"""Rules for array manipulation: the elements stay what they are, and so do their cotangents."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.operands import Operand
from chainrules.reductions import shape_of
from chainrules_core import NoTangent, ProjectTo, frule, primal_of, rrule, typeof_, unthunk
from chainrules_core.scalar_products import fitted

# --- Another shape ---------------------------------------------------------------------------------


@frule.dispatch
def reshape_frule(
    tangents: Any, f: typeof_(np.reshape), x: Operand, *options: Any, **named: Any
) -> tuple[Any, Any]:
    return _moved(np.reshape, x, tangents, options, named)


@rrule.dispatch
def reshape_rrule(f: typeof_(np.reshape), x: Operand, *options: Any, **named: Any) -> tuple[Any, Any]:
    order = _reshape_order(x, *options, **named)
    return _moved_back(
        np.reshape, x, options, named, lambda y_bar, shape: np.reshape(y_bar, shape, order=order)
    )


def _reshape_order(x: Any, shape: Any = None, order: Any = "C", **_: Any) -> Any:
    if order == "A":  # as the elements lie in memory
        x = primal_of(x)
        return "F" if isinstance(x, np.ndarray) and x.flags.fnc else "C"
    return order


@frule.dispatch
def expand_dims_frule(
    tangents: Any, f: typeof_(np.expand_dims), x: Operand, *options: Any, **named: Any
) -> tuple[Any, Any]:
    return _moved(np.expand_dims, x, tangents, options, named)


@rrule.dispatch
def expand_dims_rrule(f: typeof_(np.expand_dims), x: Operand, *options: Any, **named: Any) -> tuple[Any, Any]:
    return _moved_back(np.expand_dims, x, options, named, np.reshape)


# --- Other places ----------------------------------------------------------------------------------


@frule.dispatch
def transpose_frule(
    tangents: Any, f: typeof_(np.transpose), x: Operand, *options: Any, **named: Any
) -> tuple[Any, Any]:
    return _moved(np.transpose, x, tangents, options, named)


@rrule.dispatch
def transpose_rrule(f: typeof_(np.transpose), x: Operand, *options: Any, **named: Any) -> tuple[Any, Any]:
    inverse = _inverse_permutation(len(shape_of(x)), *options, **named)
    return _moved_back(np.transpose, x, options, named, lambda y_bar, shape: np.transpose(y_bar, inverse))


def _inverse_permutation(ndim: int, axes: Any = None) -> Any:
    if axes is None:
        return None  # reversing the axes is its own inverse
    order = axes if isinstance(axes, tuple | list) else (axes,)
    return tuple(int(place) for place in np.argsort([axis % ndim for axis in order]))


@frule.dispatch
def swapaxes_frule(
    tangents: Any, f: typeof_(np.swapaxes), x: Operand, *options: Any, **named: Any
) -> tuple[Any, Any]:
    return _moved(np.swapaxes, x, tangents, options, named)


@rrule.dispatch
def swapaxes_rrule(f: typeof_(np.swapaxes), x: Operand, *options: Any, **named: Any) -> tuple[Any, Any]:
    def swap(y_bar: Any, shape: tuple[int, ...]) -> Any:
        return np.swapaxes(y_bar, *options, **named)

    return _moved_back(np.swapaxes, x, options, named, swap)


# --- Several times ---------------------------------------------------------------------------------


@frule.dispatch
def broadcast_to_frule(
    tangents: Any, f: typeof_(np.broadcast_to), x: Operand, *options: Any, **named: Any
) -> tuple[Any, Any]:
    return _moved(np.broadcast_to, x, tangents, options, named)


@rrule.dispatch
def broadcast_to_rrule(
    f: typeof_(np.broadcast_to), x: Operand, *options: Any, **named: Any
) -> tuple[Any, Any]:
    return _moved_back(np.broadcast_to, x, options, named, lambda y_bar, shape: fitted(x, y_bar))


# --- What they share -------------------------------------------------------------------------------


def _moved(
    f: Callable[..., Any], x: Any, tangents: Any, options: tuple[Any, ...], named: dict[str, Any]
) -> tuple[Any, Any]:
    """The forward rule: the tangents of the elements go where the elements go."""
    return f(x, *options, **named), f(unthunk(tangents[1]), *options, **named)


def _moved_back(
    f: Callable[..., Any],
    x: Any,
    options: tuple[Any, ...],
    named: dict[str, Any],
    back: Callable[[Any, tuple[int, ...]], Any],
) -> tuple[Any, Any]:
    """The reverse rule: ``back(y_bar, shape)`` brings the cotangents of the elements back."""
    project = ProjectTo(x)
    shape = shape_of(x)

    def moved_pullback(y_bar: Any) -> tuple[Any, ...]:
        return NoTangent(), project(back(unthunk(y_bar), shape)), *(NoTangent() for _ in options)

    return f(x, *options, **named), moved_pullback
