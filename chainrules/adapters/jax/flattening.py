"""Functions of JAX in terms of the numbers and arrays in their arguments and results."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax

from chainrules.adapters.closures import bound_closure
from chainrules.adapters.errors import AdapterError
from chainrules.adapters.holes import components, find_holes, structural_tangent
from chainrules.adapters.jax.functions_of_jax import FunctionOfJax
from chainrules_core import describe_callee


@dataclass(frozen=True)
class Mark:
    """Stands in the place of an array: that with a number, among all arrays of a call."""

    place: int


class Flattened:
    """The function of the arrays in a call whose other arguments are constants.

    Attributes
    ----------
    flat
        The function.
    """

    def __init__(self, f: Callable[..., Any], tree: Any, leaves: tuple[tuple[type, Any], ...]) -> None:
        self._f = f
        self._closure = bound_closure(f)  # derivatives are traced later than values
        self._tree = tree
        self._leaves = [leaf for _, leaf in leaves]
        self._result: Result | None = None
        self.flat = FunctionOfJax(describe_callee(f), self._call)

    @property
    def result(self) -> "Result":
        """The containers of the result, which are known once the function was called."""
        assert self._result is not None  # noqa: S101 - for type checkers
        return self._result

    def _call(self, *arrays: Any) -> list[Any]:
        leaves = [arrays[leaf.place] if isinstance(leaf, Mark) else leaf for leaf in self._leaves]
        args, kwargs = jax.tree_util.tree_unflatten(self._tree, leaves)
        f = self._f if self._closure is None else self._closure.current()
        ys: list[Any]
        ys, tree = jax.tree_util.tree_flatten(f(*args, **kwargs))
        if self._result is None:
            self._result = Result(tree)
        elif self._result.tree != tree:
            raise AdapterError(
                f"{describe_callee(self._f)} returned {tree}, and {self._result.tree} for other shapes. Let "
                "the containers of the result depend on no shapes."
            )
        return ys


class Result:
    """The containers of a result, as JAX knows them and as tangents are in them.

    Attributes
    ----------
    tree
        The containers, as JAX describes them.
    """

    def __init__(self, tree: Any) -> None:
        self.tree = tree
        marks: list[Any] = []
        whole = self.filled([Mark(place) for place in range(tree.num_leaves)])
        self._holes = find_holes(whole, lambda x: isinstance(x, Mark), marks)
        # The place in JAX's order of each array in the order of the holes.
        self._order = [mark.place for mark in marks]
        self._whole = whole

    def filled(self, ys: Sequence[Any]) -> Any:
        """The result, with these arrays in its containers."""
        return jax.tree_util.tree_unflatten(self.tree, ys)

    def parts(self, y_bar: Any) -> list[Any]:
        """The parts of a tangent of the result, one for each array."""
        parts: list[Any] = [None] * len(self._order)
        for place, part in components(y_bar, self._holes, range(len(self._order))):
            parts[self._order[place]] = part
        return parts

    def tangent(self, y_dots: Sequence[Any]) -> Any:
        """The tangent of the result with these parts."""
        return structural_tangent(self._whole, self._holes, [y_dots[place] for place in self._order])
