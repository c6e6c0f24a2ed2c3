"""`vectorized`: a function of one item as one of many, by its recorded program with a leading axis."""

import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from chainrules.ad.derivatives.wrapping import Derived
from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.recording.batching.axes import (
    Axes,
    leaves_with_axes,
    moved_out,
    number_of_items,
    with_axes,
    with_leaves,
)
from chainrules.ad.recording.batching.items import Items
from chainrules.ad.recording.batching.lifted import lifted
from chainrules.ad.recording.batching.program import BatchedProgram, DifferingItemsError
from chainrules.ad.recording.batching.results import arrays, joined, row, whole
from chainrules.ad.recording.batching.segments import NotSeparableError, segment_of
from chainrules.ad.recording.entry import rules_changed
from chainrules.ad.recording.passes import Needed
from chainrules.ad.recording.recorder import IS_RECORDING, beside_the_program, record_program
from chainrules.ad.recording.refused import CompilationError
from chainrules.ad.recording.running import difference_between, owned
from chainrules.ad.recording.signature import UnknownArgumentError, leaves_of
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.surroundings import Surroundings
from chainrules.ad.recording.tape import FailedError, NotRecordableError, Tape, reason_of
from chainrules.ad.recording.variant import described_call
from chainrules.ad.recording.variant_table import VariantRow, VariantTable
from chainrules.ad.traced.tracing import is_traced
from chainrules_core.speed import value_for_dispatch

MOST_PROGRAMS = 32


@dataclass(slots=True, eq=False)
class _Program:
    """One way that items take.

    Attributes
    ----------
    batched
        The operations for all items.
    slots
        Those of the arguments.
    plain
        The result for the item that was recorded.
    surroundings
        What the function read from outside.
    captured
        Arrays from outside whose elements are read anew.
    signature, seconds
        The arguments of one item, and the time that recording took.
    items
        How many items took this way.
    """

    batched: BatchedProgram
    slots: list[Slot]
    plain: Any
    surroundings: Surroundings | None = None
    captured: dict[Slot, Any] = field(default_factory=dict)
    signature: str = ""
    seconds: float = 0.0
    items: int = 0

    def is_up_to_date(self, leaves: list[Any]) -> bool:
        """Whether what the function read from outside is as it was."""
        known = self.surroundings
        return known is not None and known.difference() is None and not any(map(known.holds, leaves))

    def row(self) -> VariantRow:
        """The row of a table."""
        operations = sum(step.kind in {"operation", "write"} for _, step in self.batched.steps)
        guards = len(self.batched.steps) - operations
        by_rows = tuple(self.batched.by_rows)
        return VariantRow(self.signature, operations, guards, self.items, self.seconds, by_rows)


class Vectorized(Derived):
    """The function that `vectorized` returns."""

    unnamed, remembers = "vectorized", True

    def __init__(self, f: Callable[..., Any], in_axes: Axes = 0, out_axes: Axes = 0) -> None:
        self.f, self.in_axes, self.out_axes = f, in_axes, out_axes
        self._programs: dict[Any, list[_Program]] = {}
        self._at = rules_changed[0]
        self.__post_init__()

    def __getstate__(self) -> dict[str, Any]:
        """All but what was recorded, which is recorded anew in another process."""
        return {"f": self.f, "in_axes": self.in_axes, "out_axes": self.out_axes}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]  # as it was called

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run the program of one item for all items."""
        return _Call(self, args, kwargs).result()

    @property
    def variants(self) -> VariantTable:
        """What was recorded, as a table: a row for each way that items took."""
        return VariantTable(tuple(p.row() for programs in self._programs.values() for p in programs))

    def programs(self, key: Any) -> list[_Program]:
        """The ways that items of a signature took so far."""
        if self._at != rules_changed[0]:
            self._programs.clear()
            self._at = rules_changed[0]
        return self._programs.setdefault(key, [])


class _Call:
    """One call.

    Parameters
    ----------
    f
        The vectorized function.
    args, kwargs
        Its arguments.
    """

    def __init__(self, f: Vectorized, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self._f, self._function, self._is_lifted = f, f.f, is_traced(f.f)
        args, axes = with_axes(f.f, f.in_axes, args, kwargs)
        if self._is_lifted:  # what it holds is the same for all items
            self._function, held = lifted(f.f)
            args, axes = (held, *args), (None, *axes)
        self._call = args, kwargs
        leaves: list[tuple[Any, int | None]] = []
        for i, (x, axis) in enumerate(zip(args, axes, strict=True)):
            leaves += leaves_with_axes(x, axis, f"argument {i}")
        for name, x in kwargs.items():
            leaves += leaves_with_axes(x, 0, f"argument `{name}`")
        self._size = number_of_items(leaves)
        self._given = [x for x, _ in leaves]
        self._captured: list[Any] = []
        self._is_mapped = [axis is not None for _, axis in leaves]
        self._values = [np.moveaxis(x, axis, 0) if axis else x for x, axis in leaves]
        # Flags, text and the like are part of the program.
        self._is_number = [_is_number(value_for_dispatch(x)) for x in self._given]

    def result(self) -> Any:
        """What the function returns."""
        y = moved_out(self._joined(list(self._groups())), self._f.out_axes, self._placed)
        return y if IS_RECORDING.get() or is_traced(y) else owned(y, self._given + self._captured)

    # --- Groups of items that take one way ----------------------------------------------------------------

    def _groups(self) -> Iterator[tuple[Any, Any]]:
        """Items that take one way together, with their results, until there are none left."""
        remaining = np.arange(self._size)
        while True:
            items, y = self._group(remaining)
            yield items, y
            remaining = np.setdiff1d(remaining, items, assume_unique=True)
            if remaining.size == 0:
                return

    def _group(self, remaining: Any) -> tuple[Any, Any]:
        place = None
        for program, is_new in self._programs(int(remaining[0]) if self._size else None):
            items = remaining
            while True:
                try:
                    y = program.batched.run(self._values_of(program, items), items.size)
                except DifferingItemsError as error:
                    place = error.place
                    if is_new and not np.all(error.agreeing[:1]):
                        raise self._refusal(
                            "an item decides otherwise than it did by itself", place
                        ) from error
                    items = items[error.agreeing]
                    if not items.size:
                        break  # another program
                except NotRecordableError as error:
                    raise self._refusal(*reason_of(error)) from error
                else:
                    if is_new:
                        self._compare(y, program, items)
                    program.items += items.size
                    self._captured += program.captured.values()
                    return items, y
        raise self._refusal(f"items decide in more than {MOST_PROGRAMS} ways", place)

    def _values_of(self, program: _Program, items: Any) -> dict[Slot, Any]:
        """The inputs of a program for some items."""
        is_all = items.size == self._size
        numbers = itertools.compress(zip(self._values, self._is_mapped, strict=True), self._is_number)
        values = [x if is_all or not is_mapped else x[items] for x, is_mapped in numbers]
        return program.captured | dict(zip(program.slots, values, strict=True))

    def _joined(self, groups: list[tuple[Any, Any]]) -> Any:
        """The results of all items in their order."""
        if len(groups) == 1:
            return groups[0][1]
        sizes = [items.size for items, _ in groups]
        order = np.argsort(np.concatenate([items for items, _ in groups]))
        return joined([y for _, y in groups], sizes, order)

    def _placed(self, y: Any, axis: Any) -> Any:
        """A part of the result with the axis of items where the caller wants it."""
        if axis is None:
            if isinstance(y, Items):
                raise ValueError(
                    "vectorized: `out_axes` is None for a result that is another one for each item."
                )
            return y
        y = whole(y, self._size)
        return np.moveaxis(y, 0, axis) if axis and hasattr(y, "ndim") else y

    # --- Programs -----------------------------------------------------------------------------------------

    def _programs(self, item: int | None) -> Iterator[tuple[_Program, bool]]:
        """The programs that are known, and one that is recorded for an item, each with whether it is new."""
        plains = [self._item(*pair, item) for pair in zip(self._values, self._is_mapped, strict=True)]
        tape = IS_RECORDING.get()
        if tape is not None:
            yield self._segment(tape, plains), True
        else:
            yield from self._kept_programs(plains, item)

    def _kept_programs(self, plains: list[Any], item: int | None) -> Iterator[tuple[_Program, bool]]:
        args, kwargs = with_leaves(self._call, iter(plains))
        try:
            key = leaves_of((args, kwargs), []), tuple(self._is_mapped), tuple(np.geterr().values())
        except UnknownArgumentError as error:
            raise self._refusal(str(error), None) from error
        programs = [] if self._is_lifted else self._f.programs(key)
        for program in list(programs):
            if program.is_up_to_date(plains):
                yield program, False
            else:
                programs.remove(program)
        if len(programs) < MOST_PROGRAMS:
            program = self._recorded(args, kwargs, item)
            programs.insert(0, program)
            yield program, True

    def _item(self, x: Any, is_mapped: bool, i: int | None) -> Any:
        """The plain value of an argument for one item; a value of ones where there are no items."""
        plain = value_for_dispatch(x)
        if not is_mapped:
            return plain
        item = np.ones(plain.shape[1:], plain.dtype) if i is None else np.array(plain[i], order="K")
        # A whole number would be a constant of the program.
        return item[()] if item.ndim == 0 and item.dtype.kind in "fc" else item

    def _recorded(self, args: Any, kwargs: Any, item: int | None) -> _Program:
        """The program of an item."""
        f, began = self._function, time.perf_counter()
        try:
            with beside_the_program():
                recording = record_program(f, args, kwargs)
                needed = Needed(recording, is_batched=True)
        except NotRecordableError as error:
            if isinstance(error, FailedError) and item is not None:
                f(*args, **kwargs)  # it may raise by itself
            raise self._refusal(*reason_of(error)) from error
        if recording.tape.catches:  # one item may raise, and others not
            raise self._refusal("it catches exceptions", None)
        if recording.make_result is not None:
            raise self._refusal("it returns a named tuple, or the tangent of an object", None)
        slots = [Slot("argument", i) for i in range(len(recording.inputs))]
        mapped = set(itertools.compress(slots, itertools.compress(self._is_mapped, self._is_number)))
        steps = [(i, needed.step(i)) for i in needed.steps]
        batched = BatchedProgram(steps, recording.result, mapped, needed.key_of)
        plain = recording.tape.plain(recording.result)
        captured = {Slot("captured", i): x for i, (x, _) in enumerate(recording.captured)}
        signature, seconds = described_call(f, args, kwargs), time.perf_counter() - began
        return _Program(batched, slots, plain, recording.surroundings, captured, signature, seconds)

    def _segment(self, tape: Tape, plains: list[Any]) -> _Program:
        """The program of an item, as a part of the one that is being recorded."""

        def call(*numbers: Any) -> Any:
            given = iter(numbers)
            leaves = (
                next(given) if is_number else x for x, is_number in zip(plains, self._is_number, strict=True)
            )
            args, kwargs = with_leaves(self._call, leaves)
            return choose(self._function)(*args, **kwargs)

        numbers = list(itertools.compress(plains, self._is_number))
        mapped = list(itertools.compress(self._is_mapped, self._is_number))
        try:
            return _Program(*segment_of(tape, call, numbers, mapped))
        except NotSeparableError as error:
            raise tape.refuse(str(error)) from error

    def _compare(self, y: Any, program: _Program, items: Any) -> None:
        """Compare the first results of a program with those of the function itself."""
        if not items.size:
            return
        found = difference_between(row(y, 0), arrays(program.plain))
        if found is None and items.size > 1 and IS_RECORDING.get() is None:
            plains = [
                self._item(*pair, items[-1]) for pair in zip(self._values, self._is_mapped, strict=True)
            ]
            args, kwargs = with_leaves(self._call, iter(plains))
            with beside_the_program():
                found = difference_between(row(y, -1), arrays(self._function(*args, **kwargs)))
        if found is not None:
            raise self._refusal(f"what runs for many items differs from the function ({found})", None)

    def _refusal(self, reason: str, place: Any) -> CompilationError:
        where = "" if place is None else f" ({place[0]}, line {place[1]})"
        name = self._f.__name__
        return CompilationError(
            f"vectorized: {name} has no program for many items, since {reason}{where}. Write a loop: "
            f"`np.stack([{name}(x) for x in xs])`."
        )


def _is_number(x: Any) -> bool:
    return isinstance(x, np.ndarray | float | complex | np.inexact)


def vectorized(f: Callable[..., Any], in_axes: Axes = 0, out_axes: Axes = 0) -> Vectorized:
    """Make a function of one item a function of many items, as JAX's ``vmap`` does.

    `f` is called for one item, and its NumPy operations are recorded. Each of them then runs once, for the
    arrays of all items, in the place of a loop over the items.

    Parameters
    ----------
    f
        A function of numbers, arrays, and lists, tuples and dicts of these. Often it is a derivative, such as
        ``grad(loss)``.
    in_axes
        By which axis of the arguments the items are counted. A number holds for all positional arguments; a
        tuple has one entry for each of them. None stands for an argument that all items share. If an
        argument is a container of arrays, its entry may be such a container of numbers. Of arguments that
        are given by keyword it is the axis 0. A default that has no entry is shared.
    out_axes
        By which axis of the result the items are counted: a number, or a container with one for each part.
        None stands for a part that is the same for all items.

    Returns
    -------
    function
        A function of the same arguments, with one more axis. Where `f` decides by values, the items that take
        the same way run together. ``function.variants`` is a table with a row for each way.

    Raises
    ------
    CompilationError
        By a call: if `f` cannot be recorded, or if an operation of it cannot be done for many items.
    TypeError, ValueError
        By a call: if an argument has no such axis, or if the axes have different lengths.

    Examples
    --------
    >>> import numpy as np
    >>> from chainrules.ad import grad, vectorized
    >>> vectorized(grad(lambda x: x**3))(np.array([1.0, 2.0]))
    array([ 3., 12.])
    """
    return Vectorized(f, in_axes, out_axes)
