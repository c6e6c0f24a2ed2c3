"""A recorded program for many items at once: its operations in their order, each with a leading axis."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from chainrules.ad.recording.again import Again
from chainrules.ad.recording.batching.forms import alike, batched, standing_for
from chainrules.ad.recording.batching.items import (
    PYTHON_NUMBERS,
    Call,
    Items,
    NoBatchedFormError,
    call_of,
    is_of_kind,
    items_in,
    row_of,
    stacked_rows,
)
from chainrules.ad.recording.looks import warns_never
from chainrules.ad.recording.places import Place
from chainrules.ad.recording.recorded import inputs_of, is_recorded
from chainrules.ad.recording.recorder import IS_RECORDING, owner
from chainrules.ad.recording.regular import rebuilt
from chainrules.ad.recording.slots import Slot, step_slot
from chainrules.ad.recording.tape import NotRecordableError, Step, kind_of
from chainrules.ad.traced.trace import RUNNING
from chainrules.ad.writing.fillable import fillable
from chainrules_core import primal_of
from chainrules_core.speed import value_for_dispatch

_ERRORS = ("divide", "over", "under", "invalid")


class DifferingItemsError(Exception):
    """Some items take another way than the recorded one.

    Attributes
    ----------
    agreeing
        A flag for each item: whether it takes the recorded way.
    place
        The line that decides, if it is one of the program's own.
    """

    def __init__(self, agreeing: Any, place: Place | None) -> None:
        super().__init__(agreeing, place)
        self.agreeing, self.place = agreeing, place


@dataclass(slots=True, eq=False)
class BatchedProgram:
    """The steps of a recording, to be run for many items.

    Attributes
    ----------
    steps
        With their numbers.
    result
        What the program returns, with recorded values in it.
    mapped
        The slots of the inputs that are other ones for each item.
    key_of
        The slot that stands for another one, which was left out.
    by_rows
        The functions that run item by item, with the lines that call them, once it has run.
    """

    steps: list[tuple[int, Step]]
    result: Any
    mapped: set[Slot]
    key_of: Callable[[Slot], Slot] = lambda slot: slot
    by_rows: dict[tuple[str, Place | None], None] = field(default_factory=dict)
    _memory: set[int | None] = field(default_factory=set)
    _written: set[int | None] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Find out which values are other ones for each item, and which arrays they are written into."""
        self._written |= {_memory_of(step.target) for _, step in self.steps if step.kind == "write"}
        size = -1
        while size != len(self.mapped) + len(self._memory):
            size = len(self.mapped) + len(self._memory)
            for i, step in self.steps:
                if any(map(self.is_mapped, inputs_of(step))):
                    self.mapped.add(step_slot(i))
                    if step.kind == "write":
                        self._memory.add(_memory_of(step.target))

    def is_mapped(self, x: Any) -> bool:
        """Whether a recorded value is another one for each item."""
        return self.key_of(x._slot).root() in self.mapped or _memory_of(x) in self._memory

    def is_widened(self, step: Step) -> bool:
        """Whether an operation makes an array into which other values are written for each item."""
        return step.kind == "operation" and _owner_of(step.value) in self._memory

    def run(self, given: Mapping[Slot, Any], size: int) -> Any:
        """The result, with a leading axis in the values that have one for each item.

        Parameters
        ----------
        given
            The values of the inputs; those that are mapped with a leading axis.
        size
            The number of items.

        Returns
        -------
        object
            As the recorded result, with `Items` in the place of values that are other ones for each item.

        Raises
        ------
        DifferingItemsError
            If some items take another way.
        NotRecordableError
            If the program cannot run for several items at once.
        """
        return _Run(self, dict(given), size).result()


class _Run:
    """One run of a program."""

    def __init__(self, program: BatchedProgram, values: dict[Slot, Any], size: int) -> None:
        self._program, self._values, self._size = program, values, size

    def result(self) -> Any:
        """Run all steps."""
        for i, step in self._program.steps:
            changed = _changed_errors(step)
            if changed:
                with np.errstate(**changed):
                    self._do(i, step)
            else:
                self._do(i, step)
        return self._of(self._program.result)

    def _do(self, i: int, step: Step) -> None:
        args, kwargs = self._of(step.args), self._of(dict(step.kwargs))
        is_mapped = next(items_in((args, kwargs)), None) is not None
        if step.kind == "operation":
            y = self._operation(step, args, kwargs) if is_mapped else self._once(step, args, kwargs)
        elif step.kind == "write":
            y = self._write(step, args, kwargs) if is_mapped else call_of(standing_for(step.f), args, kwargs)
        elif step.kind == "raises":
            self._check_raises(step, args, kwargs, is_mapped)
            return
        elif is_mapped:
            self._check_items(step, args[0])
            return
        else:
            if not _is_as_it_was(step, args[0]):
                raise DifferingItemsError(np.zeros(self._size, bool), step.place)
            return
        self._values[step_slot(i)] = y

    # --- Values -------------------------------------------------------------------------------------------

    def _of(self, x: Any) -> Any:
        """An argument with the values of this run; what the program does not make is on the tape."""
        cls = type(x)
        if is_recorded(x):
            y = self._at(self._program.key_of(x._slot))
            if y is _OUTSIDE:
                return _on_current_tape(x)
            return Items(y, x._plain) if self._program.is_mapped(x) else y
        if isinstance(x, tuple | list):
            return rebuilt(cls, map(self._of, x))
        if cls is dict:
            return {key: self._of(part) for key, part in x.items()}
        if cls is slice:
            return slice(*map(self._of, (x.start, x.stop, x.step)))
        return x

    def _at(self, slot: Slot) -> Any:
        if slot.kind != "part":
            return self._values.get(slot, _OUTSIDE)
        whole = self._at(slot.at)
        return whole if whole is _OUTSIDE else whole[slot.key]

    # --- Operations ---------------------------------------------------------------------------------------

    def _once(self, step: Step, args: Any, kwargs: Any) -> Any:
        """An operation that is the same for all items; its array has a leading axis if it is written into."""
        y = call_of(standing_for(step.f), args, kwargs)
        if self._program.is_widened(step):
            if step.value.base is not None:
                raise _refusal(step, "it writes into a part of an array that is the same for all items")
            return self._to_be_written(step, alike(y, step.value, next(self._mapped_values()), self._size))
        return y

    def _mapped_values(self) -> Any:
        return (
            self._values[slot]
            for slot in self._program.mapped
            if not isinstance(self._values.get(slot, ()), tuple | list)
        )

    def _operation(self, step: Step, args: Any, kwargs: Any) -> Any:
        call = Call(step.f, args, kwargs, step.value, self._size)
        y = None
        try:
            y = batched(call)
            is_right = is_of_kind(y, step.value, self._size)
        except NotRecordableError:
            raise
        except Exception:  # noqa: BLE001 - whatever it is, the items raise it again, if it is theirs
            is_right = False
        y = y if is_right else self._rows(step, call)
        self._check_numbers(step, y)
        return self._to_be_written(step, self._in_its_memory(step, y, args, kwargs))

    def _rows(self, step: Step, call: Call) -> Any:
        """The results of an operation that runs item by item."""
        if isinstance(step.f, Again):
            raise NotRecordableError(f"a search, `{step.f.search}`, is run for one item", step.place)
        self._program.by_rows[str(getattr(step.f, "__name__", step.f)), step.place] = None
        rows = call.by_rows()
        wanted = kind_of(_plainly(step.value))
        agreeing = np.array([kind_of(_plainly(value_of(row))) == wanted for row in rows], bool)
        if not agreeing.all() and not _is_number(step.value):
            raise DifferingItemsError(agreeing, step.place)
        return stacked_rows(rows, step.value)

    def _check_numbers(self, step: Step, y: Any) -> None:
        """Python's numbers raise where arrays are infinite or NaN: such items run by themselves."""
        if type(step.value) in (float, complex):
            self._agree(step, np.isfinite(primal_of(y)) == bool(np.isfinite(step.value)))

    def _in_its_memory(self, step: Step, y: Any, args: Any, kwargs: Any) -> Any:
        """The result as a view where it was one, and else in memory of its own, since somebody writes."""
        if not isinstance(step.value, np.ndarray) or not self._program._written:
            return y
        inputs = [x for x in items_in((args, kwargs)) if isinstance(x.plain, np.ndarray)]
        touched = [x for x in inputs if _owner_of(x.plain) in self._program._written]
        is_view = _owner_of(step.value) in {_owner_of(x.plain) for x in inputs}
        if is_view and _owner_of(step.value) in self._program._written:
            if y.size and not any(_share(x.value, y) for x in touched):
                raise _refusal(step, "it writes into an array through a view of it")
        elif touched or _owner_of(step.value) in self._program._written:
            return y.copy() if any(_share(x.value, y) for x in inputs) else y
        return y

    def _to_be_written(self, step: Step, y: Any) -> Any:
        """A new array into which traced values can be written, where somebody writes."""
        is_written = _owner_of(step.value) in self._program._written
        return fillable(y) if is_written and RUNNING else y

    def _write(self, step: Step, args: Any, kwargs: Any) -> Any:
        call = Call(step.f, args, kwargs, step.value, self._size)
        try:
            return batched(call) if _is_written_by_form(step) else self._write_rows(step, call)
        except NoBatchedFormError:
            return self._write_rows(step, call)

    def _write_rows(self, step: Step, call: Call) -> Any:
        if np.ndim(step.target._plain) == 0:
            raise _refusal(step, "it writes into an array without axes")
        self._program.by_rows[str(getattr(step.f, "__name__", step.f)), step.place] = None
        call.by_rows()
        return self._of(step.target).value

    # --- Decisions ----------------------------------------------------------------------------------------

    def _check_items(self, step: Step, x: Any) -> None:
        """Whether all items decide as the recorded one."""
        if step.kind == "kind":
            return  # the operation had results of one kind
        value, axes = primal_of(x.value), tuple(range(1, x.ndim + 1))
        if step.kind in ("no NaN", "not zero"):
            is_one = value != value if step.kind == "no NaN" else value == 0  # noqa: PLR0124 - NaN alone is not itself
            if step.value or bool(np.any(is_one)):
                self._agree(step, np.any(is_one, axis=axes) == bool(step.value))
        elif step.kind == "truth":
            flags = value if value.shape == (self._size,) else np.reshape(value, (self._size,))
            flags = flags if flags.dtype == bool else flags != 0
            if not bool(np.all(flags)) if step.value else bool(np.any(flags)):
                raise DifferingItemsError(np.asarray(flags) == step.value, step.place)
        elif step.kind == "whole":
            self._agree(step, np.trunc(value) == step.value)
        else:
            is_same = value == step.value
            self._agree(step, np.all(is_same, axis=axes) if axes else is_same)

    def _agree(self, step: Step, flags: Any) -> None:
        if not bool(np.all(flags)):
            raise DifferingItemsError(np.asarray(flags), step.place)

    def _check_raises(self, step: Step, args: Any, kwargs: Any, is_mapped: bool) -> None:
        def raises(args: Any, kwargs: Any) -> bool:
            try:
                step.f(*args, **kwargs)
            except Exception as error:  # noqa: BLE001 - whatever it is
                return bool((type(error), repr(error)) == step.value)
            return False

        rows = range(self._size) if is_mapped else [0]
        flags = np.array([raises(row_of(args, i), row_of(kwargs, i)) for i in rows], bool)
        self._agree(step, flags if is_mapped else np.broadcast_to(flags, (self._size,)))


_OUTSIDE = object()


def _on_current_tape(x: Any) -> Any:
    """A recorded value that a part of a program reads from the rest, while that is recorded."""
    if x._tape is not IS_RECORDING.get():
        raise NotRecordableError("a value of another recording is used", None)
    return x


def _is_as_it_was(step: Step, x: Any) -> bool:
    """Whether a value that is the same for all items decides as it did."""
    x = primal_of(x)
    if step.kind == "kind":
        return bool(kind_of(_plainly(value_of(x))) == step.value)
    if step.kind in ("no NaN", "not zero"):
        is_one = x != x if step.kind == "no NaN" else x == 0  # noqa: PLR0124 - only NaN is not itself
        return bool(np.any(is_one)) == bool(step.value)
    if step.kind == "truth":
        return bool(x) == bool(step.value)
    if step.kind == "whole":
        return int(x) == int(step.value)
    return bool(np.all(x == step.value))


def value_of(x: Any) -> Any:
    """A result with plain values in it."""
    return rebuilt(type(x), map(value_of, x)) if isinstance(x, tuple | list) else value_for_dispatch(x)


def _plainly(x: Any) -> Any:
    """Tuples of a class of their own as plain ones, whose parts are what can vary."""
    return tuple(x) if isinstance(x, tuple) else x


def _is_number(x: Any) -> bool:
    return isinstance(x, PYTHON_NUMBERS)


def _is_written_by_form(step: Step) -> bool:
    name = getattr(step.f, "__name__", "")
    return step.kwargs.get("out") is not None or name in {"setitem", "at", "put_along_axis"}


def _memory_of(x: Any) -> int | None:
    return _owner_of(x._plain)


def _owner_of(plain: Any) -> int | None:
    """A number for the memory that an array lies in."""
    return id(owner(plain)) if isinstance(plain, np.ndarray) else None


def _share(a: Any, b: Any) -> bool:
    return np.may_share_memory(value_for_dispatch(a), value_for_dispatch(b))


def _changed_errors(step: Step) -> dict[str, Any]:
    """What of NumPy's state of warnings was another one at a step than it is now."""
    if not step.errors or step.kind not in ("operation", "write") or warns_never(step):
        return {}
    pairs = zip(_ERRORS, step.errors, np.geterr().values(), strict=True)
    return {name: new for name, new, now in pairs if new != now}


def _refusal(step: Step, reason: str) -> NotRecordableError:
    return NotRecordableError(reason, step.place)
