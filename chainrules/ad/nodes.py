"""The record of a traced computation, and how cotangents travel backwards through it.

A traced value refers to its node, a node to the nodes of the arguments that it was computed from. There is no list of
all operations: what does not lead to a value that somebody holds is freed while the program still runs.
"""

import heapq
import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from chainrules_core import (
    AbstractZero,
    DerivativeNotImplementedError,
    NotImplementedTangent,
    add_inplace,
    unthunk,
)

# Later is higher: a trace that begins inside another one is nested in it. Only the order of the numbers matters,
# so threads may share the counter.
_numbers = itertools.count()

Path = tuple[Any, ...]


class Trace:
    """One differentiation of one call. A value traced by another is, to this one, a constant."""

    __slots__ = ("level",)

    def __init__(self) -> None:
        self.level = next(_numbers)


class Node:
    """One operation, or one input, of a traced computation.

    Attributes
    ----------
    number
        Greater than that of every node that this one was computed from.
    parents
        For each positional argument of the operation: its node; `None` for a constant; a list of pairs of a path and a node for
        a container or closure that holds traced values.
    pullback
        The operation's pullback; `None` for an input.
    """

    __slots__ = ("number", "parents", "pullback")

    def __init__(
        self, parents: Sequence["Node | list[tuple[Path, Node]] | None"], pullback: Callable[[Any], Any] | None
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
    """
    cotangents = Cotangents()
    for node, y_bar in seeds:
        cotangents.add(node, y_bar)
    for node, y_bar in cotangents.in_order():
        for parent, x_bar in zip(node.parents, node.pullback(y_bar)[1:], strict=True):  # type: ignore[misc]  # not None
            if parent is None:
                continue
            if type(parent) is Node:
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
        if isinstance(x_bar, AbstractZero):
            return
        if isinstance(x_bar, NotImplementedTangent):
            raise DerivativeNotImplementedError(f"A gradient depends on a derivative that its rule does not have: {x_bar!r}")
        if node not in self._sums:
            self._sums[node] = x_bar
            if node.pullback is not None:
                heapq.heappush(self._pending, (-node.number, node))
        elif node in self._made_here:
            self._sums[node] = add_inplace(self._sums[node], x_bar)
        else:
            self._sums[node] = self._sums[node] + x_bar
            self._made_here.add(node)

    def add_parts(self, parts: list[tuple[Path, Node]], x_bar: Any) -> None:
        """Add to the cotangents of the nodes that one argument holds."""
        x_bar = unthunk(x_bar)
        for path, node in parts:
            self.add(node, component(x_bar, path))

    def in_order(self) -> Iterable[tuple[Node, Any]]:
        """The operations and their cotangents, each after all operations that used its result."""
        while self._pending:
            # Whatever used a result has a greater number than what computed it, so the greatest is complete.
            _, node = heapq.heappop(self._pending)
            self._made_here.discard(node)
            yield node, forced(self._sums.pop(node))

    def __getitem__(self, node: Node) -> Any:
        return forced(self._sums[node])

    def __contains__(self, node: Node) -> bool:
        return node in self._sums


def component(x_bar: Any, path: Path) -> Any:
    """What a structural cotangent holds at the end of a path of field names, positions and keys."""
    for key in path:
        if isinstance(x_bar, AbstractZero):
            return x_bar
        x_bar = unthunk(x_bar[key])
    return x_bar


def forced(x: Any) -> Any:
    """The value of a thunk, through however many layers."""
    while (value := unthunk(x)) is not x:
        x = value
    return x
