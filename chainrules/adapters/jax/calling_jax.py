"""`from_jax`: a function of JAX as one over NumPy, with rules in both modes."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from chainrules.ad.tracing import is_differentiable
from chainrules.adapters.errors import AdapterError
from chainrules.adapters.holes import Holes, components, filled, find_holes, structural_tangent
from chainrules.adapters.jax.functions_of_jax import FunctionOfJax
from chainrules_core import (
    NO_TANGENT,
    describe_callee,
    frule,
    primitive,
    rrule,
    unwrap_primitive,
)


def from_jax(f: Callable[..., Any], /) -> Callable[..., Any]:
    """A function of JAX as one over NumPy, with rules in both modes."""
    return primitive(FromJax(unwrap_primitive(f)))


class FromJax:
    """A function of JAX that is called with numbers and arrays of NumPy, and returns arrays of NumPy.

    Parameters
    ----------
    f
        The function.
    """

    def __init__(self, f: Callable[..., Any]) -> None:
        functools.update_wrapper(self, f, updated=())
        self.f = f
        self._flattened = functools.lru_cache(maxsize=128)(functools.partial(_Flattened, f))

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        call = self.taken_apart(args, kwargs)
        return call.function.filled(call.function.flat.marked(*call.arrays))

    def __reduce__(self) -> Any:
        return FromJax, (self.f,)

    def taken_apart(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> "_Call":
        """A call, taken apart into numbers and arrays, and a function of these.

        Raises
        ------
        AdapterError
            If there are numbers in an object that JAX does not look into, or one that cannot be hashed.
        """
        arrays: list[Any] = []
        holes = find_holes((args, kwargs), _is_array, arrays)
        marked = filled((args, kwargs), holes, [_Mark(place) for place in range(len(arrays))])
        leaves, tree = jax.tree_util.tree_flatten(marked)
        if sum(isinstance(leaf, _Mark) for leaf in leaves) < len(arrays):
            raise AdapterError(
                f"{describe_callee(self)} was given numbers in an object that JAX does not look into. Let JAX "
                "know its class, such as by `jax.tree_util.register_dataclass`, or give them in a tuple, list "
                "or dict."
            )
        # With their classes: 1 equals True, and is not the same argument.
        key = tuple((type(leaf), leaf) for leaf in leaves)
        try:
            hash(key)
        except TypeError as error:
            raise AdapterError(
                f"{describe_callee(self)}: arguments without numbers are constants of a compiled function, and "
                f"have to be hashable: {error}."
            ) from error
        return _Call(arrays, holes, self._flattened(tree, key))


@dataclass(frozen=True)
class _Mark:
    """Stands in the place of an array: that with a number, among all arrays of a call."""

    place: int


class _Flattened:
    """The function of the arrays in a call whose other arguments are constants.

    Attributes
    ----------
    flat
        The function.
    """

    def __init__(self, f: Callable[..., Any], tree: Any, leaves: tuple[tuple[type, Any], ...]) -> None:
        self._f = f
        self._tree = tree
        self._leaves = [leaf for _, leaf in leaves]
        self._result_tree: Any = None
        self.flat = FunctionOfJax(describe_callee(f), self._call)

    def _call(self, *arrays: Any) -> list[Any]:
        leaves = [arrays[leaf.place] if isinstance(leaf, _Mark) else leaf for leaf in self._leaves]
        args, kwargs = jax.tree_util.tree_unflatten(self._tree, leaves)
        ys, tree = jax.tree_util.tree_flatten(self._f(*args, **kwargs))
        if self._result_tree not in {None, tree}:
            raise AdapterError(
                f"{describe_callee(self._f)} returned {tree}, and {self._result_tree} for other shapes. Let the "
                "containers of the result depend on no shapes."
            )
        self._result_tree = tree
        return ys

    def filled(self, ys: Sequence[Any]) -> Any:
        """The result, with these arrays in its containers."""
        return jax.tree_util.tree_unflatten(self._result_tree, ys)

    def tangents_in(self, y_bar: Any) -> list[Any]:
        """The parts of a tangent of the result, one for each array."""
        holes, order = self._holes()
        found = dict(components(y_bar, holes, range(len(order))))
        return [found[place] for place in order]

    def tangent(self, y_dots: Sequence[Any]) -> Any:
        """The tangent of the result with these parts."""
        holes, order = self._holes()
        ordered = [y_dots[order.index(place)] for place in range(len(order))]
        return structural_tangent(self.filled(range(len(order))), holes, ordered)

    def _holes(self) -> tuple[Holes, list[int]]:
        """Where the arrays are in the result, and the place among these of each array of JAX."""
        marks: list[Any] = []
        count = self._result_tree.num_leaves
        holes = find_holes(self.filled([_Mark(place) for place in range(count)]), _is_mark, marks)
        order = {mark.place: place for place, mark in enumerate(marks)}
        return holes, [order[place] for place in range(count)]


@dataclass(frozen=True)
class _Call:
    """A call, taken apart.

    Attributes
    ----------
    arrays, holes
        The numbers and arrays in the arguments, and where they were.
    function
        The function of these.
    """

    arrays: list[Any]
    holes: Any
    function: _Flattened


def _is_array(x: Any) -> bool:
    return isinstance(x, np.ndarray | np.generic | float | complex) or is_differentiable(x)


def _is_mark(x: Any) -> bool:
    return isinstance(x, _Mark)


@frule.dispatch
def from_jax_frule(tangents: tuple[Any, ...], f: FromJax, *args: Any, **kwargs: Any) -> Any:
    call = f.taken_apart(args, kwargs)
    found = dict(components((tangents[1:],), {0: (call.holes or {}).get(0)}, range(len(call.arrays))))
    x_dots = [found.get(place, NO_TANGENT) for place in range(len(call.arrays))]
    ys, y_dots = call.function.flat.push(call.arrays, x_dots)
    return call.function.filled(ys), call.function.tangent(y_dots)


@rrule.dispatch
def from_jax_rrule(f: FromJax, *args: Any, **kwargs: Any) -> Any:
    call = f.taken_apart(args, kwargs)
    ys, pull = call.function.flat.pull(call.arrays)

    def from_jax_pullback(y_bar: Any) -> Any:
        x_bars = pull(call.function.tangents_in(y_bar))
        holes = (call.holes or {}).get(0, {})
        return NO_TANGENT, *(structural_tangent(x, holes.get(place), x_bars) for place, x in enumerate(args))

    return call.function.filled(ys), from_jax_pullback
