"""The shapes and dtypes of what flat functions return, without calling them."""

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

import jax

from chainrules.adapters.flat_functions import FlatFunction, PullbackOf, PushforwardOf
from chainrules.adapters.jax.arrays import canonical_dtype
from chainrules.adapters.jax.mapped import Mapped
from chainrules.adapters.jax.promises import PromisedCall, struct_like


@singledispatch
def described(function: FlatFunction, xs: Sequence[Any]) -> list[jax.ShapeDtypeStruct]:
    """The shapes and dtypes of the arrays that a flat function returns for arrays with those of `xs`."""
    raise NotImplementedError(f"a {type(function).__name__}")


@described.register
def _(function: PromisedCall, xs: Sequence[Any]) -> list[jax.ShapeDtypeStruct]:
    return function.promise.arrays


@described.register
def _(function: PullbackOf, xs: Sequence[Any]) -> list[jax.ShapeDtypeStruct]:
    return [struct_like(xs[place]) for place in function.wanted]


@described.register
def _(function: PushforwardOf, xs: Sequence[Any]) -> list[jax.ShapeDtypeStruct]:
    # An integer has a tangent of real numbers, which nobody asks for.
    ys = described(function.function, xs[: len(function.given)])
    return [y if y.dtype.kind in "fc" else jax.ShapeDtypeStruct(y.shape, canonical_dtype(float)) for y in ys]


@described.register
def _(function: Mapped, xs: Sequence[Any]) -> list[jax.ShapeDtypeStruct]:
    row = [
        jax.ShapeDtypeStruct(x.shape[1:], x.dtype) if has_rows else x
        for x, has_rows in zip(xs, function.stacked, strict=True)
    ]
    return [
        jax.ShapeDtypeStruct((function.size, *y.shape), y.dtype) for y in described(function.function, row)
    ]
