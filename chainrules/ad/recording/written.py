"""What was written down of a program, in a form by which the same one is known again.

A program is generated from its operations, the kinds of its arguments and some answers about numbers, such as
within which bounds they are. So where all of these are as they were, which is often the case for another flag
or text among the arguments, or once something outside has changed, the text is as it was.
"""

import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from chainrules.ad.recording.constants import are_same_sparse, is_factored, is_sparse
from chainrules.ad.recording.error_state import modes
from chainrules.ad.recording.generated import defined
from chainrules.ad.recording.recorded import Recorded
from chainrules.ad.recording.recorder import Recording, owner
from chainrules.ad.recording.regular import is_named_tuple
from chainrules.ad.recording.signature import leaves_of
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.tape import are_same_arrays
from chainrules.ad.recording.turns import Turns

# Longer programs are not kept.
_MOST_STEPS = 10_000
# So many are, of one function.
_MOST_KEPT = 4


class Asked:
    """What was asked of the numbers in a recording while a program was generated.

    Attributes
    ----------
    answers
        By the question and the slot of the value.
    """

    def __init__(self) -> None:
        self.answers: dict[tuple[Callable[[Any], Any], Slot], Any] = {}

    def ask(self, question: Callable[[Any], Any], x: Any) -> Any:
        """The answer for a recorded value."""
        answer = self.answers[question, x._slot] = question(x._plain)
        return answer

    def holds(self, recording: Recording) -> bool:
        """Whether all answers are the same in another recording of the same operations."""
        return all(f(recording.plain(slot)) == then for (f, slot), then in self.answers.items())


@dataclass(slots=True, eq=False)
class Generated:
    """The text of a program.

    Attributes
    ----------
    source, scope
        The text, and what its names stand for.
    turns
        Where it decides.
    guards, operations
        How many decisions are compared, and how many operations there are.
    """

    source: str
    scope: dict[str, Any]
    turns: Turns
    guards: int
    operations: int


@dataclass(slots=True, eq=False)
class _Known:
    """A text, with its code: the program of any recording for which the other two are the same."""

    text: Generated
    code: types.CodeType
    written: Any
    asked: Asked


class Programs:
    """The latest programs of one function."""

    def __init__(self) -> None:
        self._known: list[_Known] = []

    def same(self, written: Any, recording: Recording, name: str) -> Generated | None:
        """The program of a recording if the same one is known, defined anew; `None` if there is none."""
        for known in self._known:
            if known.written == written and known.asked.holds(recording):
                self._known = [known, *(x for x in self._known if x is not known)]
                text = replace(known.text, scope={**known.text.scope})
                defined(text.source, text.scope, name, known.code)
                return text
        return None

    def define(self, text: Generated, written: Any, asked: Asked, name: str) -> None:
        """Define the program of a text, and keep it."""
        scope = {**text.scope}
        code = next((known.code for known in self._known if known.text.source == text.source), None)
        code = defined(text.source, text.scope, name, code)
        if written is not None:
            known = _Known(replace(text, scope=scope), code, written, asked)
            self._known = [known, *self._known[: _MOST_KEPT - 1]]


def written_down(recording: Recording, parameters: Sequence[str]) -> Any:
    """All that the text of a program depends on, but for the numbers; `None` if that cannot be told.

    Two of these are equal if and only if their recordings differ in nothing else.
    """
    tape = recording.tape
    if tape.lies_otherwise or tape.layouts is not None or len(tape.steps) > _MOST_STEPS:
        return None
    if recording.make_result is not None:  # of classes that are not told here
        return None
    return _Writing(recording).whole(parameters)


class _Object:
    """A constant: equal to those with the same elements, which lie alike in memory."""

    __slots__ = ("x",)
    __hash__ = None  # type: ignore[assignment]  # it is compared

    def __init__(self, x: Any) -> None:
        self.x = x

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Object):
            return NotImplemented
        a, b = self.x, other.x
        if a is b or type(a) is not type(b):
            return a is b
        if isinstance(a, np.ndarray | np.generic):
            return a.strides == b.strides and are_same_arrays(np.asarray(a), np.asarray(b))
        return are_same_sparse(a, b) if is_sparse(a) else not is_factored(a) and bool(a == b)


class _Writing:
    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        # What is one object stays one.
        self._numbers: dict[int, int] = {}
        self._objects: list[_Object] = []

    def whole(self, parameters: Sequence[str]) -> Any:
        """All of it."""
        recording, tape, of = self._recording, self._recording.tape, self._of
        steps = [
            (
                step.kind,
                step.f,
                [x._slot if type(x) is Recorded else of(x) for x in step.args],
                of(step.kwargs) if step.kwargs else None,
                None if step.target is None else step.target._slot,
                step.errors,
                step.place,
                None if step.kind in _COMPUTED else of(step.value),
            )
            for step in tape.steps
        ]
        flags = tape.catches, tape.names_errors, tape.decides_flags
        given = [(x._slot, leaves_of(x._plain, [])) for x in recording.inputs]
        captured = [(name, id(x), x.flags.num, leaves_of(x, [])) for x, name in recording.captured]
        return (
            steps, of(recording.result), self._objects, given, captured, self._owners(), flags,
            recording.names, modes(), [*parameters],
        )  # fmt: skip

    def _owners(self) -> list[int]:
        """By numbers, whose memory the arrays from outside lie in."""
        plain = [x._plain for x in self._recording.inputs] + [x for x, _ in self._recording.captured]
        known: dict[int, int] = {}
        return [known.setdefault(id(owner(x)), len(known)) for x in plain]

    def _of(self, x: Any) -> Any:
        cls = type(x)
        if cls is Recorded:
            return x._slot
        if cls is tuple or cls is list or is_named_tuple(cls):
            return cls, *map(self._of, x)
        if cls is dict:
            return cls, [(key, self._of(part)) for key, part in x.items()]
        if cls is slice:
            return cls, self._of(x.start), self._of(x.stop), self._of(x.step)
        if cls is float or cls is complex:
            return cls, repr(x)  # signs of zeros, and NaN
        if cls is int or cls is str or cls is bool or x is None:
            return cls, x
        return cls, self._number_of(x)

    def _number_of(self, x: Any) -> int:
        if id(x) not in self._numbers:
            self._numbers[id(x)] = len(self._objects)
            self._objects.append(_Object(x))
        return self._numbers[id(x)]


_COMPUTED = frozenset({"operation", "write"})
