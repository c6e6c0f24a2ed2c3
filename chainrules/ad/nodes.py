"""The record of a traced computation, and how cotangents travel backwards through it.

A traced value refers to its node, a node to the nodes of what it was computed from. There is no list of all
operations: what does not lead to a value that somebody holds is freed while the program still runs.
"""

import heapq
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from chainrules_core import (
    AbstractThunk,
    AbstractZero,
    DerivativeNotImplementedError,
    DimensionMismatchError,
    NotImplementedTangent,
    add_inplace,
    debug_mode,
    unthunk,
)

# Later is greater. Only the order of the numbers matters, so threads and nested traces share the counter.
_numbers = itertools.count()

# Cotangents of these classes are neither thunks nor zeros, which most need not be asked.
_PLAIN = frozenset({float, np.float64, np.ndarray})

Path = tuple[Any, ...]


class Trace:
    """One differentiation of one call. A value traced by another is, to this one, a constant."""

    __slots__ = ("level", "watches_arrays")

    def __init__(self) -> None:
        # A trace that begins inside another one has a greater level.
        self.level = next(_numbers)
        # Asked once, not at each operation.
        self.watches_arrays = debug_mode()


class Node:
    """One operation, or one input, of a traced computation.

    Attributes
    ----------
    number
        Greater than that of every node that this one was computed from.
    parents
        For the function of the operation, and for each of its arguments: its node; `None` for a constant; a
        list of pairs of a path and a node for a container or closure that holds traced values.
    pullback
        The operation's pullback; `None` for an input.
    """

    __slots__ = ("number", "parents", "pullback")

    def __init__(
        self,
        parents: Sequence["Node | list[tuple[Path, Node]] | None"],
        pullback: Callable[[Any], Any] | None,
    ) -> None:
        self.number = next(_numbers)
        self.parents = parents
        self.pullback = pullback


def propagate(seeds: Iterable[tuple[Node, Any]]) -> "Cotangents":
    """Carry the cotangents of results back to the inputs of a computation.

    Parameters
    ----------
    seeds
        The nodes of the results, each with its cotangent.

    Returns
    -------
    Cotangents
        The cotangents of the inputs that the results depend on.

    Raises
    ------
    DerivativeNotImplementedError
        If one of them depends on a derivative that a rule says it does not have.
    DimensionMismatchError
        If a pullback does not return one cotangent for each argument.
    """
    cotangents = Cotangents()
    for node, y_bar in seeds:
        cotangents.add(node, y_bar)
    for node, y_bar in cotangents.in_order():
        parents = node.parents
        x_bars = node.pullback(y_bar)  # type: ignore[misc]  # only operations are pending
        if len(x_bars) != len(parents):
            raise _wrong_number_of_cotangents(node, x_bars)
        for parent, x_bar in zip(parents, x_bars, strict=True):
            if parent is None:
                continue
            if isinstance(parent, Node):
                cotangents.add(parent, x_bar)
            else:
                cotangents.add_parts(parent, x_bar)
    return cotangents


class Cotangents:
    """The cotangents of nodes, summed over the paths by which they arrive."""

    def __init__(self) -> None:
        self._sums: dict[Node, Any] = {}
        # The nodes whose sum was made here: nobody else holds it, so that it may be added to in place.
        self._made_here: set[Node] = set()
        self._pending: list[tuple[int, Node]] = []

    def add(self, node: Node, x_bar: Any) -> None:
        """Add to the cotangent of a node."""
        if type(x_bar) not in _PLAIN:
            if isinstance(x_bar, AbstractZero):
                return
            _refuse_missing(x_bar)
        if node not in self._sums:
            self._sums[node] = x_bar
            if node.pullback is not None:
                heapq.heappush(self._pending, (-node.number, node))
        elif node in self._made_here:
            self._sums[node] = add_inplace(self._sums[node], x_bar)
        else:
            self._add_second(node, x_bar)

    def _add_second(self, node: Node, x_bar: Any) -> None:
        first, second = forced(self._sums[node]), forced(x_bar)
        total = first + second
        self._sums[node] = total
        # What others hold, a rule or the other argument of an addition, is never written into.
        if total is not first and total is not second:
            self._made_here.add(node)

    def add_parts(self, parts: list[tuple[Path, Node]], x_bar: Any) -> None:
        """Add to the cotangents of the nodes that one argument holds."""
        for path, node in parts:
            self.add(node, component(x_bar, path))

    def in_order(self) -> Iterator[tuple[Node, Any]]:
        """The operations and their cotangents, each after all operations that used its result."""
        pending = self._pending
        while pending:
            # Whatever used a result has a greater number than what computed it, so the greatest is complete.
            _, node = heapq.heappop(pending)
            self._made_here.discard(node)
            y_bar = self._sums.pop(node)
            if type(y_bar) not in _PLAIN:
                y_bar = forced(y_bar)
                if isinstance(y_bar, AbstractZero):
                    continue
            yield node, y_bar

    def __getitem__(self, node: Node) -> Any:
        return forced(self._sums[node])

    def __contains__(self, node: Node) -> bool:
        return node in self._sums


def component(x_bar: Any, path: Path) -> Any:
    """What a structural cotangent holds at the end of a path of field names, positions and keys."""
    for key in path:
        x_bar = forced(x_bar)
        if isinstance(x_bar, AbstractZero):
            return x_bar
        x_bar = x_bar[key]
    return x_bar


def forced(x: Any) -> Any:
    """The value of a thunk, through however many layers; any other value itself."""
    if type(x) in _PLAIN:
        return x
    while isinstance(x, AbstractThunk):
        x = unthunk(x)
    _refuse_missing(x)
    return x


def _refuse_missing(x_bar: Any) -> None:
    if isinstance(x_bar, NotImplementedTangent):
        raise DerivativeNotImplementedError(
            f"A gradient depends on a derivative that its rule does not have: {x_bar!r}", x_bar
        )


def _wrong_number_of_cotangents(node: Node, x_bars: Any) -> DimensionMismatchError:
    name = getattr(node.pullback, "__qualname__", repr(node.pullback))
    return DimensionMismatchError(
        f"{name} returned {len(x_bars)} cotangents for {len(node.parents) - 1} arguments. A pullback "
        "returns one for the function itself, and one for each positional argument."
    )
