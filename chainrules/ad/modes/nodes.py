"""The record of a computation that is traced backwards, and the way of cotangents through it.

A traced value refers to its node, and a node to the nodes of the arguments of its operation. There is no list
of all operations: one that leads to no value that somebody holds is freed while the program still runs.
"""

import itertools
from collections.abc import Callable, Iterable
from heapq import heappop, heappush
from typing import Any

import numpy as np

from chainrules.ad.calls.rule_answers import (
    OF_UNFIT_COTANGENTS,
    note_cotangent,
    without_fields,
    wrong_number_of_cotangents,
)
from chainrules.ad.traced.trace import CONSTANT, name_recursion
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.values.plain_values import ARRAYS, DOUBLE, FLOATS, is_array_like
from chainrules.ad.values.structures import Path, parts_of
from chainrules.operations.scatter import ScatterThunk
from chainrules_core import (
    AbstractThunk,
    AbstractZero,
    DerivativeNotImplementedError,
    InplaceableThunk,
    NotImplementedTangent,
    ReturnedCotangents,
    Thunk,
    add_inplace,
    primal_of,
    unthunk_throughout,
)
from chainrules_core.speed import STAND_INS

# One operation, or one input, of a traced computation: ``(number, parents, pullback)``.
#
# number: less than that of every node that this one was computed from, and of no other node, so that a heap
#     of nodes is one of numbers.
# parents: the nodes of the function of the operation, and of each argument: `CONSTANT` if nothing is traced,
#     a list of pairs of a path and a node for a container or closure that holds traced values.
# pullback: the operation's pullback; `None` for an input.
#
# A plain tuple takes a fifth of the time that an object takes to make, which is once for each operation.
Node = tuple[int, tuple[Any, ...], Callable[[Any], Any] | None]

# Only the order of the numbers matters, so threads and nested traces share the counter.
next_number = itertools.count(0, -1).__next__

# Tangents and cotangents of these classes are neither thunks nor zeros.
WITHOUT_THUNK = FLOATS | {np.ndarray} | TRACED

# Cotangents of these classes wait as they are until the sum is complete: whether a thunk is zero shows later.
_WAITING = WITHOUT_THUNK | {Thunk, ScatterThunk}

# What rounding may leave of a derivative that is zero.
ROUNDING = 1e-13

# A function, since methods of a thunk are found slowly: the attributes of its value are looked for too.
_computed = Thunk.__unthunk__


def input_node() -> Node:
    """The node of an input, where its cotangent is collected."""
    return next_number(), (), None


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
        del node, y_bar
    del seeds  # so that operations can be freed as they are done with, if nobody else holds the results
    cotangents.pull_all()
    return cotangents


class Cotangents:
    """The cotangents of nodes, summed over the paths by which they arrive."""

    __slots__ = ("_made_here", "_pending", "_sources", "_sums", "lost")

    def __init__(self) -> None:
        self._sums: dict[int, Any] = {}
        # The nodes whose sum was made here: nobody else holds it, so that it may be added to in place.
        self._made_here: set[int] = set()
        # A heap. An operation that used a result has a smaller number than the one that computed it, so that
        # the cotangent of the smallest is complete.
        self._pending: list[Node] = []
        # The rules of others, by the nodes that they returned cotangents for; of our own nobody asks.
        self._sources: dict[int, Any] = {}
        # By the number of an input why its cotangent is not known.
        self.lost: dict[int, str] = {}

    def note_lost(self, node: Node, y_bar: Any, reason: str) -> None:
        """Note the inputs on which a value depends whose cotangent was lost for a reason."""
        for number, x_bar in propagate([(node, y_bar)])._sums.items():
            if is_number_with_derivative(evaluated(x_bar), ROUNDING):
                self.lost[number] = reason

    def pull_all(self) -> None:  # noqa: C901, PLR0912 - written out for speed
        """Pull the cotangents of all operations back to their arguments, and forget them."""
        pending, sums, made_here = self._pending, self._sums, self._made_here
        while pending:
            number, parents, pullback = heappop(pending)
            y_bar = sums.pop(number)
            made_here.discard(number)
            if y_bar.__class__ not in WITHOUT_THUNK:
                y_bar = computed_throughout(y_bar)
                if isinstance(y_bar, AbstractZero):
                    continue
            try:
                x_bars = pullback(y_bar)  # type: ignore[misc]  # only operations are pending
                # Along a chain, each cotangent is complete as soon as it arrives.
                while not pending and len(parents) == 2 and _is_link_of_chain(parents, x_bars):
                    (number, parents, pullback), y_bar = parents[1], x_bars[1]
                    x_bars = pullback(y_bar)
            except RecursionError as error:
                name_recursion(error)
                raise
            except OF_UNFIT_COTANGENTS as error:
                note_cotangent(error, pullback, y_bar, self._sources.get(number))
                raise
            is_several = x_bars.__class__ is tuple or self._are_returned(x_bars, parents)
            if not is_several or len(x_bars) != len(parents):
                raise wrong_number_of_cotangents(pullback, parents, x_bars)
            place = 0  # by hand, in two thirds of the time that `zip` takes
            for parent in parents:
                if parent is not CONSTANT:
                    x_bar = x_bars[place]
                    # As `add`: a Kalman filter takes 0.97 of the time.
                    if parent.__class__ is not tuple:
                        self.add(parent, x_bar)
                    elif parent[0] in sums:
                        self._add_to_sum(parent[0], x_bar)
                    elif x_bar.__class__ in _WAITING or _counts(x_bar):
                        sums[parent[0]] = x_bar
                        if parent[2] is not None:
                            heappush(pending, parent)
                place += 1  # noqa: SIM113 - `enumerate` takes longer

    def _are_returned(self, x_bars: Any, parents: tuple[Any, ...]) -> bool:
        """Whether these are several cotangents; those of a rule of others are noted to be its own."""
        if x_bars.__class__ is ReturnedCotangents:
            for parent in parents:
                if parent is not CONSTANT:
                    for node in (parent,) if parent.__class__ is tuple else [node for _, node in parent]:
                        self._sources[node[0]] = x_bars.method.function
        return isinstance(x_bars, tuple | list)

    def add(self, parent: Any, x_bar: Any) -> None:
        """Add to the cotangent of a node, or to those of the nodes in a list of paths and nodes."""
        if parent.__class__ is list:
            for path, node in parent:
                self.add(node, component(x_bar, path))
            return
        number = parent[0]
        if number in self._sums:
            self._add_to_sum(number, x_bar)
        elif x_bar.__class__ in _WAITING or _counts(x_bar):
            self._sums[number] = x_bar
            if parent[2] is not None:
                heappush(self._pending, parent)

    def _add_to_sum(self, number: int, x_bar: Any) -> None:
        cls = x_bar.__class__
        if cls is Thunk:
            x_bar = _computed(x_bar)
            cls = x_bar.__class__
        if cls in _WAITING or _counts(x_bar):
            if number in self._made_here:
                self._sums[number] = _added_to_own(self._sums[number], x_bar)
            else:
                self._add_second(number, x_bar)

    def _add_second(self, number: int, x_bar: Any) -> None:
        first = self._sums[number]
        # An array that others may hold, a rule or the other argument of an addition, is never written into.
        is_own = first.__class__ is ScatterThunk
        first = first.__unthunk__() if is_own else evaluated(first)
        if isinstance(x_bar, InplaceableThunk) and first.__class__ in ARRAYS:
            self._sums[number] = _added_to_own(first if is_own else first.copy(), x_bar)
            self._made_here.add(number)
            return
        second = evaluated(x_bar)
        total = first + second
        self._sums[number] = total
        if total is not first and total is not second:
            self._made_here.add(number)

    def get(self, node: Node) -> Any:
        """The cotangent of an input; `None` where none arrived."""
        x_bar = self._sums.get(node[0])
        return x_bar if x_bar.__class__ in WITHOUT_THUNK or x_bar is None else evaluated(x_bar)

    def waits(self, node: Node) -> bool:
        """Whether the cotangent of an input has not been computed yet."""
        return self._sums.get(node[0]).__class__ is Thunk


def _added_to_own(total: Any, x_bar: Any) -> Any:
    """As `add_inplace`, with shorter ways for the most frequent sums."""
    is_array = total.__class__ in ARRAYS and (total.dtype is DOUBLE or total.dtype.kind in "fc")
    if is_array and x_bar.__class__ is ScatterThunk:
        y, _, index = x_bar.args
        if index.__class__ is int and type(y) in FLOATS:  # an element, as in a loop
            total[index] += y
            return total
        if x_bar.can_be_added_to(total):
            return x_bar.add(total)
    if STAND_INS and type(total) not in STAND_INS:
        y = x_bar.args[0] if x_bar.__class__ is ScatterThunk else x_bar
        if type(y) in STAND_INS:  # a recorded value cannot be written into a plain array
            return total + evaluated(x_bar)
    if is_array and is_array_like(x_bar, total):
        return np.add(total, x_bar, total)
    return add_inplace(total, x_bar)


_NUMBERS, _PLAIN = (float, complex, np.ndarray, np.number), np.dtype(float)


def component(x_bar: Any, path: Path) -> Any:
    """The part of a structural cotangent at the end of a path of field names, positions and keys."""
    for key in path:
        x_bar = evaluated(x_bar)
        if isinstance(x_bar, AbstractZero):
            return x_bar
        if key.__class__ is str and isinstance(x_bar, _NUMBERS) and not getattr(x_bar, "dtype", _PLAIN).names:
            raise without_fields(x_bar, key)
        # Some rules answer with an instance of the primal's class, which is a dataclass then.
        x_bar = x_bar[key] if hasattr(x_bar, "__getitem__") else parts_of(x_bar)[key]
    return x_bar


def is_number_with_derivative(x_bar: Any, rounding: float = 0.0) -> bool:
    """Whether a tangent is a number that is not zero, or an array that has one; up to a rounding error."""
    x_bar = primal_of(x_bar)
    return isinstance(x_bar, _NUMBERS) and not np.all(np.abs(x_bar) <= rounding)


def moves_with_inputs(node: Node, y_bar: Any) -> bool:
    """Whether the inputs of a computation have cotangents that are not zero, but for rounding."""
    x_bars = propagate([(node, y_bar)])._sums.values()
    return any(is_number_with_derivative(evaluated(x_bar), ROUNDING) for x_bar in x_bars)


def evaluated(x: Any) -> Any:
    """The value of a thunk, through however many layers; any other value itself."""
    cls = x.__class__
    if cls is Thunk:
        x = _computed(x)
        cls = x.__class__
    if cls in WITHOUT_THUNK:
        return x
    while isinstance(x, AbstractThunk):
        x = x.__unthunk__()
        if x.__class__ in WITHOUT_THUNK:
            return x
    _refuse_missing(x)
    return x


def computed_throughout(x: Any) -> Any:
    """As `evaluated`, and without thunks in the fields of a structural tangent: what rules are given."""
    return unthunk_throughout(evaluated(x))


def _is_link_of_chain(parents: tuple[Any, ...], x_bars: tuple[Any, ...]) -> bool:
    """Whether the only argument is the result of an operation, and its cotangent no thunk."""
    callee, parent = parents
    return (
        callee is CONSTANT
        and x_bars.__class__ is tuple
        and parent.__class__ is tuple
        and parent[2] is not None
        and len(x_bars) == 2
        and x_bars[1].__class__ in WITHOUT_THUNK
    )


def _counts(x_bar: Any) -> bool:
    """Whether a cotangent is not zero.

    Raises
    ------
    DerivativeNotImplementedError
        If it is one that a rule does not have.
    """
    if isinstance(x_bar, AbstractZero):
        return False
    _refuse_missing(x_bar)
    return True


def _refuse_missing(x_bar: Any) -> None:
    if isinstance(x_bar, NotImplementedTangent):
        raise DerivativeNotImplementedError(
            f"A gradient depends on a derivative that a rule does not have: {x_bar.info} "
            f"({x_bar.file}:{x_bar.line})",
            x_bar,
        )
