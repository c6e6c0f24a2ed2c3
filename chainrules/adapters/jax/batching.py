"""Calls of flat functions under `jax.vmap`: one call for all rows."""

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

import jax.numpy as jnp
from jax.interpreters import batching

from chainrules.adapters.flat_functions import FlatFunction, PullbackOf, PushforwardOf
from chainrules.adapters.jax.call_primitive import call_p, called
from chainrules.adapters.jax.descriptions import described
from chainrules.adapters.jax.mapped import Mapped
from chainrules.adapters.jax.stand_ins import function_of


def _batched(xs: Sequence[Any], axes: Sequence[Any], *, name: str, program: Any) -> Any:
    size = next(x.shape[axis] for x, axis in zip(xs, axes, strict=True) if axis is not None)
    mapped, stacked = _mapped(function_of(program), size, tuple(axis is not None for axis in axes))
    rows = [
        _stacked(x, axis, size) if is_stacked else x
        for x, axis, is_stacked in zip(xs, axes, stacked, strict=True)
    ]
    if not size:
        ys = [jnp.zeros(y.shape, y.dtype) for y in described(mapped, rows)]
        return ys, [0] * len(ys)
    ys = called(mapped, *rows)
    return ys, [0] * len(ys)


batching.primitive_batchers[call_p] = _batched


def _stacked(x: Any, axis: int | None, size: int) -> Any:
    return jnp.broadcast_to(x, (size, *x.shape)) if axis is None else jnp.moveaxis(x, axis, 0)


@singledispatch
def _mapped(
    function: FlatFunction, size: int, stacked: tuple[bool, ...]
) -> tuple[FlatFunction, tuple[bool, ...]]:
    """A flat function for stacks of arrays, and which of its arrays have to be stacks.

    A derivative for each row is a derivative of the function for stacks. So a primal is a stack where its
    tangent or its cotangent is one, and cotangents of results are stacks.
    """
    return Mapped(function, size, stacked), stacked


@_mapped.register
def _(function: PushforwardOf, size: int, stacked: tuple[bool, ...]) -> tuple[FlatFunction, tuple[bool, ...]]:
    count = len(function.given)
    rest = iter(stacked[count:])
    of_tangents = [is_given and next(rest) for is_given in function.given]
    primals = tuple(map(any, zip(stacked[:count], of_tangents, strict=True)))
    inner, primals = _mapped(function.function, size, primals)
    tangents = [is_stacked for is_stacked, is_given in zip(primals, function.given, strict=True) if is_given]
    return PushforwardOf(inner, function.given), (*primals, *tangents)


@_mapped.register
def _(function: PullbackOf, size: int, stacked: tuple[bool, ...]) -> tuple[FlatFunction, tuple[bool, ...]]:
    count = len(stacked) - sum(function.given)
    primals = tuple(
        is_stacked or place in function.wanted for place, is_stacked in enumerate(stacked[:count])
    )
    inner, primals = _mapped(function.function, size, primals)
    return PullbackOf(inner, function.wanted, function.given), (*primals, *[True] * sum(function.given))
