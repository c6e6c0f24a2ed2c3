"""What JAX has to know of a result before there is one: shapes, dtypes, containers."""

import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import numpy as np

from chainrules.ad.values.structures import has_parts, parts_of
from chainrules.adapters.errors import AdapterError
from chainrules.adapters.flat_functions import FlatCall, FlatFunction, Outcome, Pullback
from chainrules.adapters.holes import filled, find_holes
from chainrules.adapters.jax.arrays import canonical_dtype, is_array
from chainrules.adapters.jax.examples import value_by_example
from chainrules.adapters.results import is_same
from chainrules_core import primal_of

Abstract = Callable[..., Any]


@dataclass(frozen=True, eq=False)
class PromisedCall(FlatFunction):
    """A call whose result can be described to JAX before there is one, and has to keep to that.

    Attributes
    ----------
    call
        The call.
    specimens
        The arrays of JAX that it is given; shapes and dtypes in the places of those that JAX traces.
    abstract
        A function that describes the result, if there is one.
    promises
        The description, once it was asked for or a result was there.
    """

    call: FlatCall
    specimens: Sequence[Any]
    abstract: Abstract | None
    promises: list[Outcome] = field(default_factory=list)

    @property
    def name(self) -> str:  # noqa: D102 - as in the base class
        return self.call.name

    @property
    def promise(self) -> Outcome:
        """The result with a `jax.ShapeDtypeStruct` in the place of each array."""
        if not self.promises:
            described = self._by_example() if self.abstract is None else self._as_described(self.abstract)
            self.promises.append(described)
        return self.promises[0]

    @property
    def has_constants(self) -> bool:
        """Whether there are strings or other objects in the result, which JAX knows nothing of."""
        return _has_constants(self.promise.template)

    def value(self, arrays: Sequence[Any]) -> Outcome:  # noqa: D102 - as in the base class
        return self._kept(self.call.value(arrays))

    def traced_value(self, arrays: Sequence[Any]) -> Outcome:  # noqa: D102 - as in the base class
        return self._kept(self.call.traced_value(arrays))

    def pull(self, arrays: Sequence[Any], wanted: Sequence[int]) -> tuple[Outcome, Pullback]:  # noqa: D102 - as in the base class
        outcome, pullback = self.call.pull(arrays, wanted)
        return self._kept(outcome), pullback

    def push(self, arrays: Sequence[Any], x_dots: Sequence[Any]) -> tuple[Outcome, list[Any]]:  # noqa: D102 - as in the base class
        outcome, y_dots = self.call.push(arrays, x_dots)
        return self._kept(outcome), y_dots

    def _as_described(self, abstract: Abstract) -> Outcome:
        call = self.call
        _, args, kwargs = filled(
            (call.f, call.args, call.kwargs), call.holes, [struct_like(x) for x in self.specimens]
        )
        structs: list[Any] = []
        y = abstract(*args, **kwargs)
        holes = find_holes(y, lambda x: isinstance(x, jax.ShapeDtypeStruct), structs)
        template = filled(y, holes, [None] * len(structs))
        numbers: list[Any] = []
        find_holes(template, is_array, numbers)
        if numbers:
            raise AdapterError(
                f"The `abstract` function of {self.name} returned a {type(numbers[0]).__name__}. It "
                "describes a result: let it return a `jax.ShapeDtypeStruct` for each number and array."
            )
        return Outcome([struct_like(x) for x in structs], template, holes)

    def _by_example(self) -> Outcome:
        found = _described(value_by_example(self.call, self.specimens))
        if not found.arrays and _has_constants(found.template):
            raise AdapterError(
                f"{self.name} returned {found.template!r} for made-up numbers. JAX compiles functions to "
                "arrays: let it return one, or call it outside of `jax.jit`."
            )
        return found

    def _kept(self, outcome: Outcome) -> Outcome:
        """A result, which is as it was described.

        Raises
        ------
        AdapterError
            If it has other containers, strings, shapes or dtypes.
        """
        found = _described(outcome)
        if self.abstract is None and not self.promises:
            self.promises.append(found)
            return outcome
        promise = self.promise
        for y, struct in zip(found.arrays, promise.arrays, strict=False):
            if y.shape != struct.shape or y.dtype != struct.dtype:
                raise self._broken(
                    f"an array of {y.dtype} with the shape {y.shape}",
                    f"one of {struct.dtype} with the shape {struct.shape}",
                )
        if found.holes != promise.holes or not is_same(found.template, promise.template):
            raise self._broken(
                repr(found.filled(["..."] * len(found.arrays))),
                repr(promise.filled(["..."] * len(promise.arrays))),
            )
        return outcome

    def _broken(self, found: str, promised: str) -> AdapterError:
        if self.abstract is not None:
            return AdapterError(
                f"{self.name} returned {found}, but its `abstract` function describes {promised}. Dtypes "
                "follow NumPy's promotion; let the two agree."
            )
        return AdapterError(
            f"{self.name} returned {found}, but {promised} when it was tried with made-up numbers. A program "
            "that JAX compiles or maps has one shape, dtype and string for all values: let the result not "
            "depend on them; or describe it, with `to_jax(f, abstract=g)`, if the made-up numbers were "
            "unusual; or call the function outside of `jax.jit`."
        )


def struct_like(x: Any) -> jax.ShapeDtypeStruct:
    """The shape of an array, and the dtype that JAX has for it."""
    return jax.ShapeDtypeStruct(x.shape, canonical_dtype(x.dtype))


def _described(outcome: Outcome) -> Outcome:
    return outcome._replace(arrays=[struct_like(np.asarray(primal_of(y))) for y in outcome.arrays])


def _has_constants(template: Any) -> bool:
    if has_parts(template):
        return isinstance(template, types.FunctionType) or any(
            map(_has_constants, parts_of(template).values())
        )
    return template is not None
