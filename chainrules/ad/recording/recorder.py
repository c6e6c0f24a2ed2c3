"""Running a program once over recorded values, with an eye on all that it enters, calls and reads."""

import contextlib
import sys
import threading
import types
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextvars import Context, ContextVar, copy_context
from dataclasses import dataclass
from importlib.util import resolve_name
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.choosing import as_the_users, choose
from chainrules.ad.interception.choosing.switch import calls_shown_to, is_watched, rules_shown_to
from chainrules.ad.recording.asking import asking_of
from chainrules.ad.recording.backend import primitive_looked_into
from chainrules.ad.recording.captured import Captured
from chainrules.ad.recording.constants import is_factored
from chainrules.ad.recording.entering import Reads, reads_of, serves_module
from chainrules.ad.recording.error_state import modes
from chainrules.ad.recording.frames import WatchedError, frames_shown
from chainrules.ad.recording.holders import Holders
from chainrules.ad.recording.layouts import layouts_of
from chainrules.ad.recording.permitted import asks_nobody, reason_against
from chainrules.ad.recording.places import (
    RECORDING_STARTS,
    entries_told,
    is_of_package,
    is_taken_from_package,
    packages_looked_into,
)
from chainrules.ad.recording.recorded import Recorded, inputs_of, is_recorded, record
from chainrules.ad.recording.restoring import restore
from chainrules.ad.recording.searches import Searches, is_called_whole, reason_against_called
from chainrules.ad.recording.signature import leaves_of, objects_in, with_leaves
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.structured_results import check_parts, in_containers
from chainrules.ad.recording.surroundings import Surroundings
from chainrules.ad.recording.tape import FailedError, NotRecordableError, Tape
from chainrules.ad.recording.unshown import own_rules_recalled
from chainrules.ad.recording.users_frames import is_beside_the_program, is_users_frame
from chainrules.ad.recording.users_rules import WatchedRules, asking_for_rules
from chainrules.ad.syntax.origins import is_looked_into
from chainrules.ad.syntax.twins import is_twin
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.traced.tracing import untraced
from chainrules.ad.writing.fillable import CONSTANTS
from chainrules_core import debugging, frule, rrule, unwrap_primitive

# The tape that is being written here; `None` if there is none.
IS_RECORDING: ContextVar[Tape | None] = ContextVar("chainrules_recording", default=None)

# One program is recorded at a time, since what is noted of the surroundings is shared by threads.
RECORDING = threading.RLock()


@contextlib.contextmanager
def beside_the_program() -> Iterator[None]:
    """Without warnings and checks, where the program runs a second time for the same arguments."""
    # One thread at a time, since another one would put back the filters of this one.
    with RECORDING, warnings.catch_warnings(), debugging(False):
        warnings.simplefilter("ignore")
        yield


MUTATING = frozenset(
    {
        "append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "update", "setdefault",
        "popitem", "add", "discard", "intersection_update", "difference_update",
        "symmetric_difference_update", "__setitem__", "__delitem__", "__iadd__",
    }
)  # fmt: skip


@dataclass(slots=True, eq=False)
class Recording:
    """What was recorded.

    Attributes
    ----------
    tape
        The operations.
    inputs
        The recorded values of the leaves of the arguments.
    result
        What the program returned, with recorded values in it, in built-in containers.
    surroundings
        What the program read from outside.
    captured
        Arrays from outside whose elements are read anew, each beside its name.
    names
        The program's own names for slots, as far as it gave any.
    make_result
        What makes the program's result of these containers, if it returned others.
    """

    tape: Tape
    inputs: list[Any]
    result: Any
    surroundings: Surroundings
    captured: list[tuple[Any, str]]
    names: dict[Slot, str]
    make_result: Callable[[Any], Any] | None = None

    def plain(self, slot: Slot) -> Any:
        """The plain value that a slot had."""
        if slot.kind == "part":
            return self.plain(slot.at)[slot.key]
        if slot.kind == "step":
            return self.tape.steps[slot.at].value
        return self.inputs[slot.at]._plain if slot.kind == "argument" else self.captured[slot.at][0]


def record_program(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Recording:
    """Run `f` once, over recorded values in the place of the numbers and arrays in its arguments.

    Raises
    ------
    NotRecordableError
        If a recording could not be believed, with the reason and the user's line in its `args`. Everything is
        then as it was before.
    """
    with RECORDING:
        gives_out, looks_into = True, False
        while True:
            try:
                with packages_looked_into(looks_into), np.errstate():  # which a refusal may leave changed
                    return _attempt(f, args, kwargs, gives_out, looks_into)
            except _RetryError as retry:
                gives_out, looks_into = retry.gives_out, retry.looks_into


class _RetryError(Exception):
    """A program was refused, which it may not be otherwise.

    Attributes
    ----------
    gives_out
        Whether arrays from outside are given out as recorded values next.
    looks_into
        Whether the code of installed packages counts as the user's next.
    """

    def __init__(self, gives_out: bool, looks_into: bool) -> None:
        super().__init__()
        self.gives_out, self.looks_into = gives_out, looks_into


def _attempt(
    f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], gives_out: bool, looks_into: bool
) -> Recording:
    tape = Tape(record, Recorded)
    surroundings, arguments = Surroundings(tape.refuse), Surroundings(tape.refuse)
    captured = Captured(tape, surroundings, gives_out)
    outside, token = copy_context(), IS_RECORDING.set(tape)
    try:
        return _recorded(f, (args, kwargs), captured, arguments, outside)
    except BaseException as error:
        restore(surroundings)
        restore(arguments)
        if not isinstance(error, Exception):
            raise
        if tape.is_of_package and not looks_into:
            raise _RetryError(gives_out, True) from error
        if captured.arrays:
            raise _RetryError(False, looks_into) from error
        if tape.refusal is None:
            raise FailedError(f"it fails with {type(error).__name__}: {error}", None) from error
        raise NotRecordableError(*tape.refusal) from error
    finally:
        IS_RECORDING.reset(token)
        tape.is_closed = True


def _recorded(f: Any, call: Any, captured: Captured, arguments: Surroundings, outside: Context) -> Recording:
    tape, surroundings = captured.tape, captured.surroundings
    if is_watched():
        raise tape.refuse("calls are not intercepted here, or are watched by somebody else")
    leaves: list[Any] = []
    given = leaves_of(call, leaves)
    inputs = _inputs(leaves, captured, arguments)
    inner_args, inner_kwargs = with_leaves(call, iter(inputs))
    state = modes()
    surroundings.note((f, *objects_in(call)), getattr(f, "__name__", "the function"))
    looking = _Looking(captured, outside)
    try:
        watched = WatchedRules(surroundings, looking.watch, tape.refuse)
        with calls_shown_to(looking.watch), rules_shown_to(watched), own_rules_recalled(looking.searches):
            chosen = looking.watch(f, choose(f, False))
            with frames_shown(is_users_frame, looking.enter, looking.leave), entries_told():
                result = _run(chosen, inner_args, inner_kwargs)
    except WatchedError as error:
        raise tape.refuse("a profiler is at work") from error
    if tape.refusal is not None:
        raise NotRecordableError(*tape.refusal)
    if tape.catches or looking.asks:
        surroundings.note_absent()
    after: list[Any] = []
    if leaves_of((inner_args, inner_kwargs), after) != given or list(map(id, after)) != list(map(id, inputs)):
        raise tape.refuse("it changes an argument")
    _check_writes(tape, inputs, [x for x, _ in captured.arrays])
    if any(map(surroundings.holds, leaves)):
        raise tape.refuse("an argument is an object that it can also reach from outside")
    surroundings.note_registrations()
    if surroundings.instances.is_changed():
        raise tape.refuse("it changes its surroundings: an attribute of an object")
    for _, name in surroundings.names_given():
        raise tape.refuse(f"it changes its surroundings: something is given the attribute `{name}`")
    difference = surroundings.difference() or arguments.difference() or captured.difference()
    difference = difference or ("NumPy has another state of warnings" if modes() != state else None)
    if difference is not None:
        raise tape.refuse(f"it changes its surroundings: {difference}")
    surroundings.read_anew(x for x, _ in captured.arrays if id(x) not in captured.read_plainly)
    held, make = in_containers(untraced(result, CONSTANTS)[0])
    check_parts(held, tape.refuse)
    return Recording(tape, inputs, tape.kept(held), surroundings, captured.arrays, looking.names, make)


def _inputs(leaves: list[Any], captured: Captured, arguments: Surroundings) -> list[Any]:
    """The recorded values of arguments: one for one object, since programs ask ``x is y``."""
    known: dict[int, Any] = {}
    inputs = []
    for i, x in enumerate(leaves):
        if id(x) not in known:
            known[id(x)] = captured.tape.recorded(x, Slot("argument", i))
            arguments.note(x, "an argument")
        inputs.append(known[id(x)])
    captured.arguments.update(known)
    return inputs


def _run(f: Any, args: Any, kwargs: Any) -> Any:
    """Call the program, and nothing else: beyond this frame no line is the program's."""
    return f(*args, **kwargs)


RECORDING_STARTS["code"] = _run.__code__


def owner(x: Any) -> Any:
    """The array that a plain array is a view of, or itself."""
    while isinstance(x, np.ndarray) and isinstance(x.base, np.ndarray):
        x = x.base
    return x


def _check_writes(tape: Tape, inputs: list[Any], captured: list[Any]) -> None:
    arguments = {id(owner(x._plain)) for x in inputs if isinstance(x._plain, np.ndarray)}
    arguments |= set(map(id, map(owner, captured)))
    constants = {id(owner(copied)) for _, copied in tape.constants.values()}
    arrays = layouts_of(tape, inputs_of).unsure() if tape.lies_otherwise else []
    unsure = set(map(id, map(owner, arrays)))
    for step in tape.steps:
        if any(map(is_factored, step.value if type(step.value) is tuple else (step.value,))):
            constants |= {id(owner(x._plain)) for x in inputs_of(step)}
        if step.kind == "write" and id(owner(step.target._plain)) in unsure:
            tape.refusal = "it writes into an array that is a view or a copy, as values decide", step.place
            raise NotRecordableError(*tape.refusal)
        if step.kind == "write" and id(owner(step.target._plain)) in arguments | constants:
            what = "an argument, into an array from outside, or into a matrix that was factored"
            tape.refusal = f"it writes into {what}", step.place
            raise NotRecordableError(*tape.refusal)


class _Looking:
    """Looks at each function that a program enters, and at each that it calls."""

    def __init__(self, captured: Captured, outside: Context) -> None:
        self._tape, self._surroundings, self._captured = captured.tape, captured.surroundings, captured
        self.names: dict[Slot, str] = {}
        self.asks = False  # whether the program asks for attributes that may not be there
        self._of_packages: dict[int, tuple[Any, Any]] = {}
        self._holders = Holders(captured.tape, captured.surroundings, self.watch)
        self.searches = Searches(captured, outside, self._holders.silencing)
        self._passed: dict[Any, Any] = {}  # what is called in the place of functions, which may be called

    def watch(self, f: Any, chosen: Any) -> Any:  # noqa: C901 - one for each kind
        """What to call in the place of `f`: what was chosen, if the call can be recorded."""
        if self._tape.refusal is not None:  # the program caught it
            raise NotRecordableError(*self._tape.refusal)
        if type(f) in _OF_NUMPY and self._passed.get(f) is chosen:
            return chosen
        held = self.searches.called(f, chosen) if is_called_whole(f) else self._holders.call_of(f, chosen)
        if held is not None:
            return held
        reason = reason_against(f) or self._against_change(f)
        if reason is not None:
            raise self._tape.refuse(reason, is_of_package(unwrap_primitive(f)))
        if unwrap_primitive(f) is not f:
            return primitive_looked_into(f, chosen)
        if f is rrule or f is frule:
            return asking_for_rules(f)
        if is_taken_from_package(f):
            chosen = self._as_the_users(f)
        if f is np.empty or f is np.empty_like:  # what such an array holds by chance may as well be zeros
            return choose(np.zeros if f is np.empty else np.zeros_like, False)
        self._tape.catches |= f is contextlib.suppress
        asking = asking_of(f)
        if asking is not None:
            self.asks |= f is not type
            return asking(chosen, self._tape, self._surroundings)
        if asks_nobody(f):
            return self._holders.recorded_whole(f, chosen)
        lent = self._surroundings.instances.given_to(f, self._captured.lent(chosen))
        if type(f) in _OF_NUMPY and lent is chosen:
            self._passed[f] = chosen
        return lent

    def _against_change(self, f: Any) -> str | None:
        mutates = isinstance(f, types.BuiltinFunctionType) and f.__name__ in MUTATING
        if not mutates or not self._surroundings.holds(f.__self__):
            return None
        return f"it calls `{f.__name__}` of a {type(f.__self__).__name__} from outside"

    def _as_the_users(self, f: Any) -> Any:
        """What is called in the place of a callable of a package: the same each time, if it stays."""
        if type(f) is not types.FunctionType and not isinstance(f, type):
            return as_the_users(f)
        known = self._of_packages.get(id(f))
        if known is None:
            known = self._of_packages[id(f)] = f, as_the_users(f)
        return known[1]

    def enter(self, frame: types.FrameType) -> None:  # pragma: no cover - a profiler calls
        """Note what a function reads, before its body runs."""
        if not self._holders.is_asking:
            self._note_frame(frame)

    def _note_frame(self, frame: types.FrameType) -> None:  # pragma: no cover - a profiler calls
        is_called_back = self._tape.is_closed  # by a search
        if is_looked_into(frame.f_code.co_filename) if is_called_back else self._is_beside(frame):
            return
        reads = reads_of(frame.f_code)
        scope, reason = self._captured.scope_of(frame, reads.names), reads.reason and reads.reason[0]
        if is_called_back:
            reason = reason or reason_against_called(reads, scope)
        else:
            self._note_catching(frame, reads)
        if reason is not None:
            raise self._tape.refuse(reason)
        self._surroundings.note_attributes(set(reads.attributes), reads.reads_unnamed)
        self._surroundings.note_written(reads.writes)
        for name in sorted(reads.names):
            self._surroundings.note_name(scope, name)
        for name in _with_packages(reads.modules, frame.f_globals.get("__package__")):
            self._surroundings.note_name(sys.modules, name)

    def _is_beside(self, frame: types.FrameType) -> bool:  # pragma: no cover - a profiler calls
        """Whether a function is none of the program's; otherwise it has to be one that was shown."""
        code, refuse = frame.f_code, self._tape.refuse
        if not is_twin(code) and is_beside_the_program(frame):
            return True
        if serves_module(code):
            reason = "a module makes what is read of it, by `__getattr__`"
            raise refuse(reason, is_looked_into(code.co_filename))
        if not is_twin(code):
            if code.co_name == "<module>":
                raise refuse(f"it imports `{frame.f_globals['__name__']}`, which was not imported before")
            reason = "is not looked into: it has no source, or stands outside of the rule that returns it"
            raise refuse(f"`{code.co_name}` {reason}", is_looked_into(code.co_filename))
        if self._tape.depth:
            raise refuse(f"`{code.co_name}` is called back by an operation")
        return False

    def _note_catching(
        self, frame: types.FrameType, reads: Reads
    ) -> None:  # pragma: no cover - a profiler calls
        code = frame.f_code
        self._tape.catches |= reads.catches or (
            code.co_name == "__exit__"
            and any(frame.f_locals.get(n) not in _NO_ERROR for n in code.co_varnames[1:4])
        )
        self._tape.names_errors |= reads.names_errors or code.co_name == "__exit__"
        if reads.asks_flags:
            self._tape.decide_flags()

    def leave(self, frame: types.FrameType) -> None:  # pragma: no cover - a profiler calls
        """Remember the names that a function gave to recorded values."""
        for name, value in frame.f_locals.items():
            x = value
            while type(x) in TRACED:
                x = x._value
            if is_recorded(x) and x._slot is not None and name.isidentifier():
                self.names.setdefault(x._slot, name)


def _with_packages(modules: Iterable[str], package: Any) -> list[str]:  # pragma: no cover - a profiler calls
    """The whole names of modules that are imported, and of the packages that they are in."""
    paths = [resolve_name(name, package).split(".") for name in modules]
    return sorted({".".join(parts[: n + 1]) for parts in paths for n in range(len(parts))})


# What `__exit__` is given, one by one or by ``*error``.
_NO_ERROR = (None, (None, None, None))

_OF_NUMPY = (np.ufunc, type(np.sum))
