"""The tape: the operations of a program in their order, with what it decided by their results."""

import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from chainrules.ad.recording.constants import are_same_sparse, is_factored, is_of_generated_class, is_sparse
from chainrules.ad.recording.distributions import is_distribution
from chainrules.ad.recording.error_state import modes
from chainrules.ad.recording.places import Place, is_users_file, user_place
from chainrules.ad.recording.regular import (
    calls_nobody,
    has_regular_result,
    is_named_tuple,
    is_regular,
    may_lie_otherwise,
    rebuilt,
)
from chainrules.ad.recording.slots import Slot, step_slot
from chainrules_core import AbstractZero

MOST_STEPS = 50_000
# The kinds of steps that decide between two ways.
DECIDING = frozenset({"truth", "no NaN", "not zero"})
# The kind of a step in whose place another one stands: what is done for one of many items, and then for all.
LEFT_OUT = "left out"
# Arrays of whole numbers and flags are compared with those of the recording up to this size.
MOST_COMPARED = 100_000

_NUMBERS = (float, complex, np.generic, bool, int)
_CONSTANTS = (str, bytes, np.dtype, type(None), type(NotImplemented), type, np._CopyMode)
# Of these an instance of the very class cannot change, and stands on a tape as it is.
UNCHANGING = frozenset(
    {int, float, complex, bool, str, bytes, type(None), type(Ellipsis), np.float64, np.float32, np.bool_}
)
# Tuples, since a union is made anew at each question.
OF_NUMPY = (np.ndarray, np.generic)
_ZEROS = (AbstractZero,)  # the cotangents of integers and flags, and what has no derivative


class NotRecordableError(TypeError):
    """A program does what cannot be written down, so that only the program itself is right."""


def reason_of(error: Exception) -> tuple[str, Place | None]:
    """Why a program cannot be recorded, and the user's line if it is known."""
    return error.args if len(error.args) == 2 else (str(error), None)


class FailedError(NotRecordableError):
    """A program fails while it is recorded, as the program itself may do, too."""


@dataclass(slots=True, eq=False)
class Step:
    """One line of the tape.

    Attributes
    ----------
    kind
        ``"operation"``; ``"write"`` into `target`; ``"raises"`` an error, `value` its class and text; or a
        guard: ``"truth"``, ``"number"``, ``"elements"`` or ``"kind"`` of its one argument are `value`, or
        that it has a NaN, or is zero, is `value` (``"no NaN"``, ``"not zero"``).
    f, args, kwargs
        What is called; recorded values stand among the arguments.
    value
        The plain result, while it is recorded.
    errors
        NumPy's state of warnings.
    target
        The recorded array that is written into.
    place
        The user's line, if it is one of the program's own.
    inputs
        The recorded values that it reads or writes, once somebody asked.
    """

    kind: str
    f: Any
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    value: Any
    errors: tuple[str, ...] = ()
    target: Any = None
    place: Place | None = None
    inputs: tuple[Any, ...] | None = None


@dataclass(slots=True, eq=False)
class Tape:
    """What is written down while a program runs once over recorded values.

    Attributes
    ----------
    record
        Makes the recorded value for a plain one: ``record(plain, slot, tape)``.
    recorded_class
        The class of recorded values.
    refusal
        The first reason not to believe the recording, with the user's line; a program may catch the error.
    is_of_package
        Whether that is a function, a class or an object of an installed package, which may be looked into.
    catches
        Whether the program may catch exceptions: those of operations are steps.
    names_errors
        Whether it may ask what an exception says.
    decides_flags
        Whether it asks for the very `True` or `False`, so that each flag is decided by at once.
    is_closed
        Whether nothing may be written down now.
    lies_otherwise
        Whether strides of an array depend on values.
    layouts
        Which arrays these are, if somebody asked for the strides of any.
    """

    record: Callable[..., Any]
    recorded_class: Any
    steps: list[Step] = field(default_factory=list)
    refusal: tuple[str, Place | None] | None = None
    is_of_package: bool = False
    catches: bool = False
    names_errors: bool = False
    decides_flags: bool = False
    lies_otherwise: bool = False
    is_closed: bool = False
    layouts: Any = None
    depth: int = 0
    owners: dict[int, Any] = field(default_factory=dict)
    alive: list[Any] = field(default_factory=list)
    constants: dict[int, tuple[Any, Any]] = field(default_factory=dict)

    def refuse(self, reason: str, is_of_package: bool = False) -> NotRecordableError:
        """The error to raise, which is remembered."""
        if self.refusal is None:
            self.refusal, self.is_of_package = (reason, user_place()), is_of_package
        return NotRecordableError(reason)

    def decide_flags(self) -> None:
        """Decide by each of Python's flags at once, from here on.

        Raises
        ------
        NotRecordableError
            If there are some already.
        """
        steps = [] if self.decides_flags else self.steps
        self.decides_flags = True
        if any(step.kind == "operation" and type(step.value) is bool for step in steps):
            raise self.refuse("it asks which of Python's flags a comparison gave")

    def add(self, step: Step) -> Slot:
        """Write a step down.

        Raises
        ------
        NotRecordableError
            If the tape is full.
        """
        if self.is_closed:
            raise self.refuse("a function that is called back reads a value that is hidden from its caller")
        if (number := len(self.steps)) >= MOST_STEPS:
            raise self.refuse(f"it takes more than {MOST_STEPS} operations")
        self.steps.append(step)
        return step_slot(number)

    def operation(
        self, f: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any] | None = None, target: Any = None
    ) -> Any:
        """Call `f` with the plain values, and write the call down; its result is recorded.

        Raises
        ------
        NotRecordableError
            If an argument or the result is of a kind that cannot be written down.
        """
        shown = sys.getprofile()
        if shown is None or kwargs or target is not None:
            return self._operation(f, args, kwargs or {}, target)
        sys.setprofile(None)  # it tells of each call below, which takes longer than all else
        try:
            if not self._calls_nobody(f, args):
                sys.setprofile(shown)
            return self._operation(f, args, {}, None)
        finally:
            sys.setprofile(shown)

    def _calls_nobody(self, f: Any, args: tuple[Any, ...]) -> bool:
        """Whether no user's code is called: by one of NumPy's functions, of numbers and arrays alone."""
        if type(f) not in KNOWN_CLASSES or not calls_nobody(f):
            return False
        classes = {*map(type, args)} - UNCHANGING
        return classes <= {self.recorded_class, np.ndarray} and {"call", "log"}.isdisjoint(modes())

    def _operation(self, f: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], target: Any) -> Any:
        if not (isinstance(f, _KNOWN_CALLABLES) or is_known(f)):
            raise self.refuse(
                f"`{getattr(f, '__name__', type(f).__name__)}` is called whole, and is not looked into"
            )
        errors = modes()
        args_, plain = self._kept_and_plain(args)
        options, plain_options = (self.kept(kwargs), self.plain(kwargs)) if kwargs else ({}, {})
        place = user_place()
        before = [] if target is not None or is_regular(f) else _elements((plain, plain_options))
        self.depth += 1
        try:
            y = f(*plain, **plain_options)
        except Exception as error:
            self.add(Step("raises", f, args_, options, (type(error), repr(error)), errors, target, place))
            if target is not None:
                raise self.refuse(f"a write fails with {type(error).__name__}") from error
            raise
        finally:
            self.depth -= 1
        if target is not None:
            slot = self.add(Step("write", f, args_, options, y, errors, target, place))
            is_target = y is None or y is target._plain
            return target if is_target else self.recorded(y, slot)
        if before and before != _elements((plain, plain_options)):
            raise self.refuse(f"`{getattr(f, '__name__', f)}` writes into what it is given")
        for x in args if isinstance(y, np.ndarray) or f is float else ():
            if type(x) is self.recorded_class and x._plain is y:
                return x  # one recorded value for one array, and for what is a float already
        result = self.recorded(y, self.add(Step("operation", f, args_, options, y, errors, None, place)))
        if not is_factored(y) and not has_regular_result(f, args, kwargs):
            self.lies_otherwise = self.lies_otherwise or may_lie_otherwise(f, args, kwargs)
            if isinstance(y, _CONSTANTS):
                raise self.refuse(f"`{getattr(f, '__name__', f)}` returns {y!r}, which may depend on values")
            is_named = isinstance(y, tuple)  # such as an `SVDResult`, whose parts are what can vary
            self.guard("kind", tuple(result) if is_named else result, kind_of(tuple(y) if is_named else y))
        return result

    def guard(self, kind: str, x: Any, value: Any) -> Any:
        """Let a program that finds another value go back to the plain function."""
        shown = sys.getprofile()
        if shown is not None:  # as above: nobody's code is called here
            sys.setprofile(None)
        try:
            self.kept(x)
            self.add(Step(kind, None, (x,), {}, value, place=user_place()))
        finally:
            if shown is not None:
                sys.setprofile(shown)
        return value

    def recorded(self, y: Any, slot: Slot) -> Any:
        """The recorded value for a plain result.

        Raises
        ------
        NotRecordableError
            If it is neither a number nor an array of numbers, nor a tuple or list of these.
        """
        cls = type(y)
        if cls is np.ndarray:
            if y.dtype.kind not in "fcbiu":
                raise self.refuse(f"an array of {y.dtype} is computed")
            x = self.record(y, slot, self)
            self.owners.setdefault(id(y), x)
            self.alive.append(y)
            return x
        if isinstance(y, _NUMBERS):
            x = self.record(y, slot, self)
            return self.guard("truth", x, y) if cls is bool and self.decides_flags else x
        if isinstance(y, tuple | list):
            parts = [self.recorded(part, Slot("part", slot, i)) for i, part in enumerate(y)]
            if cls is list:
                return parts
            return cls(*parts) if hasattr(cls, "_fields") else tuple(parts)
        if is_factored(y):
            return self.record(y, slot, self)
        if isinstance(y, _CONSTANTS) and not isinstance(y, str | bytes):  # text depends on the digits
            return y
        raise self.refuse(f"an operation returns an instance of {cls.__name__}")

    def owner(self, y: np.ndarray[Any, Any]) -> Any:
        """The recorded array that a plain array is a view of, the same each time; `None` if it is none.

        One that no operation returned has no place on the tape: `numpy.reshape` of a transpose is a view of a
        copy that nobody else holds.
        """
        base = y.base
        if base is None:
            return None
        if id(base) not in self.owners:
            self.owners[id(base)] = self.record(base, None, self)
            self.alive.append(base)
        return self.owners[id(base)]

    def plain(self, x: Any) -> Any:
        """`x` with plain values in the place of recorded ones."""
        return x._plain if type(x) is self.recorded_class else mapped(x, self.plain, itself)

    def kept(self, x: Any) -> Any:
        """`x` as it stands on the tape: plain arrays as they are now, since they may be written into.

        Raises
        ------
        NotRecordableError
            If a recorded value in it has no place on the tape.
        """
        return self.check_known(x) if type(x) is self.recorded_class else mapped(x, self.kept, self._constant)

    def _kept_and_plain(self, args: tuple[Any, ...]) -> tuple[tuple[Any, ...], list[Any]]:
        """Arguments as they stand on the tape, and plain ones: both in one look."""
        kept, plain = list(args), list(args)
        for i, x in enumerate(args):
            cls = type(x)
            if cls is self.recorded_class:
                if x._slot is None or x._tape is not self:
                    self.check_known(x)
                plain[i] = x._plain
            elif cls is np.ndarray:
                kept[i] = self._constant(x)
            elif cls not in UNCHANGING:
                kept[i], plain[i] = self.kept(x), self.plain(x)
        return tuple(kept), plain

    def check_known(self, x: Any) -> Any:
        """`x`, if it has a place on this tape."""
        if x._slot is None or x._tape is not self:
            raise self.refuse("an array is used that another one is a view of, and that was not recorded")
        return x

    def _constant(self, x: Any) -> Any:
        if is_sparse(x):
            return self._copied(x, x.copy)
        if not isinstance(x, np.ndarray):
            is_kept = isinstance(x, _NUMBERS + _CONSTANTS + _ZEROS) or x is Ellipsis
            if is_kept or is_known(x) or is_distribution(x) or is_factored(x) or type(x) is range:
                return x
            raise self.refuse(f"an operation is given an instance of {type(x).__name__}")
        if type(x) is not np.ndarray or x.dtype.hasobject:
            raise self.refuse(f"an operation is given a {type(x).__name__} of {x.dtype}")
        copied = self._copied(x, lambda: np.array(x, order="K"))  # as it lies, as far as strides are dense
        copied.flags.writeable = False
        return copied

    def _copied(self, x: Any, copy: Callable[[], Any]) -> Any:
        known = self.constants.get(id(x))
        if known is None or not (are_same_sparse if is_sparse(x) else are_same_arrays)(x, known[1]):
            known = self.constants[id(x)] = x, copy()
        return known[1]


def mapped(x: Any, part: Callable[[Any], Any], other: Callable[[Any], Any]) -> Any:
    """`x` with all parts of containers mapped, and anything else."""
    cls = type(x)
    if cls is tuple or cls is list or is_named_tuple(cls):
        return rebuilt(cls, map(part, x))
    if cls is dict:
        return {key: part(value) for key, value in x.items()}
    if cls is slice:
        return slice(part(x.start), part(x.stop), part(x.step))
    return other(x)


def itself(x: Any) -> Any:
    """`x`, where nothing is put in its place."""
    return x


def _elements(given: Any) -> list[bytes]:
    """The elements of the arrays among arguments, where a function may write into them unseen."""
    args, options = given
    return [x.tobytes() for x in (*args, *options.values()) if isinstance(x, np.ndarray)]


KNOWN_CLASSES = (
    np.ufunc, type(np.sum), types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType
)  # fmt: skip
_KNOWN_CALLABLES = (*KNOWN_CLASSES, type)


def is_known(f: Any) -> bool:
    """Whether a function is a library's or ours, so that it may stand on a tape."""
    if isinstance(f, _KNOWN_CALLABLES):
        return True
    if isinstance(f, types.FunctionType):
        filename = f.__code__.co_filename
        return not filename.startswith("<") and not is_users_file(filename)
    return is_of_generated_class(type(f))


def are_same_arrays(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:
    """Whether two arrays are the same to the bit."""
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def kind_of(y: Any) -> Any:
    """Dtype and shape of an array, the class of anything else; of a tuple or list of all parts."""
    if isinstance(y, tuple | list):
        return (type(y), *map(kind_of, y))
    if isinstance(y, np.ndarray):
        return y.dtype.str, y.shape
    return type(y) if isinstance(y, _NUMBERS) else y
