"""What JAX has to know of a result before there is one: shapes, dtypes, containers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import singledispatch
from typing import Any

import jax
import numpy as np

from chainrules.adapters.errors import AdapterError
from chainrules.adapters.flat_functions import (
    FlatCall,
    FlatFunction,
    Outcome,
    PullbackOf,
    PushforwardOf,
)
from chainrules.adapters.holes import filled, find_holes
from chainrules.adapters.jax.arrays import canonical_dtype
from chainrules.adapters.jax.examples import example_array
from chainrules.adapters.jax.mapped import Mapped

Abstract = Callable[..., Any]


@dataclass(frozen=True, eq=False)
class PromisedCall(FlatFunction):
    """A call whose result has been, or can be, described to JAX before it is there.

    Attributes
    ----------
    call
        The call.
    tensors
        The arrays of JAX that it is given; those that JAX only traces have a shape and a dtype.
    abstract
        A function that describes the result, if there is one.
    promises
        The description, once it was asked for: a result with descriptions in the places of arrays.
    """

    call: FlatCall
    tensors: Sequence[Any]
    abstract: Abstract | None
    promises: list[Outcome] = field(default_factory=list)

    @property
    def name(self) -> str:  # noqa: D102 - as in the base class
        return self.call.name

    def promise(self) -> Outcome:
        """The result with a `jax.ShapeDtypeStruct` in the place of each array."""
        if not self.promises:
            self.promises.append(self._described() if self.abstract else self._by_example())
        return self.promises[0]

    def value(self, arrays: Sequence[Any]) -> Outcome:  # noqa: D102 - as in the base class
        return self._kept(self.call.value(arrays))

    def traced_value(self, arrays: Sequence[Any]) -> Outcome:  # noqa: D102 - as in the base class
        return self._kept(self.call.traced_value(arrays))

    def pull(self, arrays: Sequence[Any], wanted: Sequence[int]) -> Any:  # noqa: D102 - as in the base class
        outcome, pullback = self.call.pull(arrays, wanted)
        return self._kept(outcome), pullback

    def push(self, arrays: Sequence[Any], x_dots: Sequence[Any]) -> Any:  # noqa: D102 - as in the base class
        outcome, y_dots = self.call.push(arrays, x_dots)
        return self._kept(outcome), y_dots

    def _described(self) -> Outcome:
        f, args, kwargs = self.call._filled([_struct(x) for x in self.tensors])
        y = self.abstract(*args, **kwargs)
        structs: list[Any] = []
        holes = find_holes(y, lambda x: isinstance(x, jax.ShapeDtypeStruct), structs)
        return Outcome(list(map(_struct, structs)), filled(y, holes, [None] * len(structs)), holes)

    def _by_example(self) -> Outcome:
        with jax.ensure_compile_time_eval():
            outcome = self.call.value([example_array(x) for x in self.tensors])
        return outcome._replace(arrays=[_struct(np.asarray(y)) for y in outcome.arrays])

    def _kept(self, outcome: Outcome) -> Outcome:
        return outcome


def _struct(x: Any) -> Any:
    return jax.ShapeDtypeStruct(x.shape, canonical_dtype(x.dtype))


@singledispatch
def promised(function: FlatFunction, xs: Sequence[Any]) -> list[Any]:
    """The shapes and dtypes of the arrays that a flat function returns for arrays with those of `xs`."""
    raise NotImplementedError


@promised.register
def _(function: PromisedCall, xs: Sequence[Any]) -> list[Any]:
    return function.promise().arrays


@promised.register
def _(function: PullbackOf, xs: Sequence[Any]) -> list[Any]:
    return [_struct(xs[place]) for place in function.wanted]


@promised.register
def _(function: PushforwardOf, xs: Sequence[Any]) -> list[Any]:
    ys = promised(function.function, xs[: len(function.given)])
    return [y if y.dtype.kind in "fc" else jax.ShapeDtypeStruct(y.shape, canonical_dtype(float)) for y in ys]


@promised.register
def _(function: Mapped, xs: Sequence[Any]) -> list[Any]:
    rows = [
        jax.ShapeDtypeStruct(x.shape[1:], x.dtype) if has_rows else x
        for x, has_rows in zip(xs, function.stacked, strict=True)
    ]
    return [
        jax.ShapeDtypeStruct((function.size, *y.shape), y.dtype) for y in promised(function.function, rows)
    ]
