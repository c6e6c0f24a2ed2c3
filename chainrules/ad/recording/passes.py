"""What of a tape is needed: dead operations and repeated ones are left out, writes stay in their order."""

import functools
import operator
from collections.abc import Iterator
from typing import Any

import numpy as np

from chainrules.ad.recording.recorded import is_recorded
from chainrules.ad.recording.recorder import Recording, owner
from chainrules.ad.recording.tape import LEFT_OUT, NotRecordableError, Slot, Step

# They neither warn nor fail, whatever the elements are.
_SILENT: set[Any] = {
    np.positive, np.negative, np.conjugate, np.isnan, np.isfinite, np.isinf, np.logical_and,
    np.logical_or, np.logical_not, np.equal, np.not_equal, np.zeros_like, np.ones_like, np.empty_like,
    np.full_like, np.copy, np.transpose, np.swapaxes, np.moveaxis, np.ravel, np.reshape, np.expand_dims,
    np.squeeze, np.broadcast_to, np.real, np.imag, np.any, np.all, operator.getitem, operator.eq, operator.ne,
    operator.neg, operator.pos, operator.and_, operator.or_, operator.invert, np.concatenate,
    np.stack, np.where,
}  # fmt: skip
# Each call makes a new array, into which somebody may write.
_MAKING: set[Any] = {np.zeros_like, np.ones_like, np.empty_like, np.full_like, np.copy, np.array}


def warns_never(step: Step) -> bool:
    """Whether NumPy's state of warnings does not matter to an operation."""
    if step.kind != "operation" or (
        isinstance(step.value, float | complex) and not isinstance(step.value, np.generic)
    ):
        return step.kind == "operation"  # Python's own numbers know no such state
    try:
        return step.f in _SILENT
    except TypeError:
        return False


def recorded_in(x: Any) -> Iterator[Any]:
    """The recorded values in an argument or a result."""
    cls = type(x)
    if is_recorded(x):
        yield x
    elif cls is dict:
        for part in x.values():
            yield from recorded_in(part)
    elif cls is slice:
        yield from recorded_in((x.start, x.stop, x.step))
    elif isinstance(x, tuple | list):
        for part in x:
            yield from recorded_in(part)


def inputs_of(step: Step) -> Iterator[Any]:
    """The recorded values that a step reads or writes."""
    yield from recorded_in(step.args)
    yield from recorded_in(dict(step.kwargs))
    if step.target is not None:
        yield step.target


def _memory(x: Any) -> int | None:
    """A number for the memory that a recorded array lies in."""
    return id(owner(x._plain)) if isinstance(x._plain, np.ndarray) else None


class Needed:
    """The steps of a recording that have to run.

    Parameters
    ----------
    recording
        It, or a part of it that begins at the step `start`: what was made before is given.

    Attributes
    ----------
    steps
        Their numbers, in order.
    same
        By the number of a step that is left out, that of an earlier one with the same result.
    """

    def __init__(self, recording: Recording, start: int | None = None) -> None:
        self._steps, self._start, self._is_whole = recording.tape.steps, start or 0, start is None
        self._writes: dict[int | None, list[int]] = {}
        for i, step in enumerate(self._steps):
            if step.kind == "write":
                self._writes.setdefault(_memory(step.target), []).append(i)
        self.same: dict[int, int] = {}
        self.looks: dict[int, Step] = {}
        for i, step in enumerate(self._steps):
            looked = self._looked_at(step)
            if looked is not None:
                self.looks[i] = Step("no NaN", None, (looked,), {}, None)
        self.steps = self._alive(recording.result)
        self._merge()
        self.steps = [i for i in self.steps if i not in self.same]

    def step(self, i: int) -> Step:
        """A step, or what stands in its place."""
        return self.looks.get(i) or self._steps[i]

    def _looked_at(self, step: Step) -> Any:
        """The value that a guard looks for a NaN in, as rules do: ``np.any(v != v)`` is not true."""
        found = self._argument_of(step, "truth", None) if step.value is False else None
        found = self._argument_of(self._made_by(found), "operation", np.any)
        made = self._made_by(found)
        if (
            made is None
            or made.kind != "operation"
            or made.f not in (np.not_equal, operator.ne)
            or made.kwargs
        ):
            return None
        a, b = made.args
        is_same = is_recorded(a) and is_recorded(b) and a._slot == b._slot and _memory(a) not in self._writes
        return a if is_same else None

    def _argument_of(self, step: Step | None, kind: str, f: Any) -> Any:
        """The one argument of a step of this kind, that calls `f`."""
        is_one = step is not None and step.kind == kind and len(step.args) == 1 and not step.kwargs
        return step.args[0] if step is not None and is_one and step.f is f else None

    def _made_by(self, x: Any) -> Step | None:
        """The step whose whole result a recorded value is."""
        if not is_recorded(x) or x._slot.kind != "step" or _memory(x) in self._writes:
            return None
        made: Step = self._steps[x._slot.at]
        return made

    def kinds(self) -> list[str]:
        """The kind of each step that has to run."""
        return [self._steps[i].kind for i in self.steps]

    def _alive(self, result: Any) -> list[int]:
        alive: set[int] = set()
        pending = [
            i for i, step in enumerate(self._steps) if i >= self._start and not self._can_be_dropped(step)
        ]
        seen: set[int] = set()

        def read(x: Any) -> None:
            root = x._slot.root()
            if self._is_whole and self._is_of_one_item(root):
                raise NotRecordableError("a value of one of many items is used for all of them", None)
            if root.kind == "step" and root.at >= self._start:
                pending.append(root.at)
            memory = _memory(x)
            if memory is not None and memory in self._writes and memory not in seen:
                seen.add(memory)
                pending.extend(i for i in self._writes[memory] if i >= self._start)

        for x in recorded_in(result):
            read(x)
        while pending:
            i = pending.pop()
            if i not in alive:
                alive.add(i)
                for x in inputs_of(self.step(i)):
                    read(x)
        return sorted(alive)

    def _is_of_one_item(self, slot: Slot) -> bool:
        return slot.kind == "item" or (slot.kind == "step" and self._steps[slot.at].kind == LEFT_OUT)

    def _can_be_dropped(self, step: Step) -> bool:
        """Whether nobody sees that an operation without a use is left out: neither a warning nor an error."""
        if step.kind in ("write", LEFT_OUT):
            return True  # it is alive if its array is
        if step.kind != "operation":
            return False
        options = step.args[1:] if step.f is operator.getitem else ()
        if any(True for _ in recorded_in(options)):
            return False  # a position may lie outside
        try:
            if step.f in _SILENT:
                return True
            is_arithmetic = isinstance(step.f, np.ufunc) or step.f in _ARITHMETIC
        except TypeError:
            return False
        # Python's own numbers raise where NumPy's warn, and powers of whole numbers may, too.
        is_of_numpy = isinstance(step.value, np.ndarray | np.generic) and step.value.dtype.kind in "fcb"
        return is_arithmetic and is_of_numpy and all(mode == "ignore" for mode in step.errors)

    def _merge(self) -> None:
        known: dict[Any, int] = {}
        for i in self.steps:
            step = self._steps[i]
            if step.kind != "operation" or self._touches_written(step):
                continue
            try:
                if step.f in _MAKING:
                    continue
                key = step.f, self._key(step.args), self._key(dict(step.kwargs)), step.errors
                hash(key)
            except TypeError:
                continue
            if key in known:
                self.same[i] = known[key]
            else:
                known[key] = i

    def _touches_written(self, step: Step) -> bool:
        values = (*inputs_of(step), *_plain_arrays(step.value))
        return any((_memory(x) if is_recorded(x) else id(owner(x))) in self._writes for x in values)

    def _key(self, x: Any) -> Any:
        cls = type(x)
        if is_recorded(x):
            return "slot", self.key_of(x._slot)
        if isinstance(x, tuple | list):
            return cls, *map(self._key, x)
        if cls is dict:
            return cls, *((name, self._key(part)) for name, part in x.items())
        if cls is slice:
            return cls, *map(self._key, (x.start, x.stop, x.step))
        if isinstance(x, np.ndarray):
            return cls, id(x)
        return cls, repr(x) if isinstance(x, float | complex | np.generic) else x

    def key_of(self, slot: Slot) -> Slot:
        """The slot, with the earlier step in the place of one that is left out."""
        if slot.kind == "part":
            return Slot("part", self.key_of(slot.at), slot.key)
        return Slot("step", self.same.get(slot.at, slot.at)) if slot.kind == "step" else slot


_ARITHMETIC = frozenset({operator.add, operator.sub, operator.mul, operator.truediv, operator.pow})


@functools.singledispatch
def _plain_arrays(y: Any) -> Any:
    return (y,) if isinstance(y, np.ndarray) else ()


@_plain_arrays.register(tuple)
@_plain_arrays.register(list)
def _of_parts(y: Any) -> Any:
    return [array for part in y for array in _plain_arrays(part)]
