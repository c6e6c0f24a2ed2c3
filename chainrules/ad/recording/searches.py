"""Searches of SciPy's inside of a program that is recorded: integrals, roots, minima, and solutions of ODEs.

Each call is one operation of the recorded values in its arguments. With derivatives, its rule is called once:
it gives the value and a pullback, and the call of the pullback is another operation.
"""

import builtins
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import Context
from functools import partial
from typing import Any

import numpy as np

from chainrules.ad.recording.again import Again, Arguments, NotOneCallError, pull
from chainrules.ad.recording.answers import NUMBERS, with_leaves
from chainrules.ad.recording.entering import Reads
from chainrules.ad.recording.error_state import modes
from chainrules.ad.recording.permitted import SEARCHING, reason_in_facts
from chainrules.ad.recording.places import user_place
from chainrules.ad.recording.recorded import record
from chainrules.ad.recording.refused import CompilationError
from chainrules.ad.recording.restoring import restore
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.structured_results import Unread
from chainrules.ad.recording.surroundings import Surroundings
from chainrules.ad.recording.tape import NotRecordableError, Step, Tape
from chainrules.ad.values.config import CONFIG
from chainrules.ad.watching.observing import Observer, Recall, RuleCall, with_pullback
from chainrules_core import AbstractZero, NonDifferentiablePullback, NotImplementedTangent, frule, rrule


def is_search(f: Any) -> bool:
    """Whether a function calls functions of the user's until it has found something, such as an integral."""
    if type(f) not in _SEARCH_CLASSES or f.__name__ in _BY_CHANCE or "." in f.__qualname__:
        return False
    module = str(f.__module__)
    return module.startswith(SEARCHING) and module != "scipy.integrate._quadrature"


_SEARCH_CLASSES = (types.FunctionType, types.BuiltinFunctionType)
_BY_CHANCE = frozenset({"basinhopping", "dual_annealing", "differential_evolution", "qmc_quad", "shgo"})


class Searches(Observer):
    """Those of one recording: what is called in their place, and in the place of their rules.

    Parameters
    ----------
    tape, surroundings
        What is recorded, and what is noted.
    scope_of
        The global names of a function that the program made.
    outside
        The context in which nothing is recorded: functions that a search calls run as they are.
    """

    def __init__(
        self,
        tape: Tape,
        surroundings: Surroundings,
        scope_of: Callable[[dict[str, Any]], dict[str, Any]],
        outside: Context,
    ) -> None:
        self._tape, self._surroundings = tape, surroundings
        self._scope_of, self._outside = scope_of, outside

    def called(self, f: Any, chosen: Callable[..., Any]) -> Callable[..., Any]:
        """What to call in the place of a search: the engine, if there are traced values."""

        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                return self._recorded(f.__name__, f, args, kwargs)
            except NotOneCallError:
                return chosen(*args, **kwargs)

        return call

    def recalled(self, mode: str, recall: Recall) -> Recall:
        """Whoever recalls rules of ours recalls none of searches."""
        return recall

    def observed_rrule(self, rule: RuleCall) -> RuleCall:
        """A rule, and of a search an operation."""

        def call(f: Any, *values: Any, **kwargs: Any) -> Any:
            if not is_search(f):
                return rule(f, *values, **kwargs)
            try:
                y, kept = self._recorded(f.__name__, _with_pullback, (f, *values), kwargs, True)
            except NotOneCallError:
                with self._differentiated_again(f):
                    return with_pullback(rule(f, *values, **kwargs), lambda pull: self._of_rule(f, pull))
            if type(kept._plain.pull) is NonDifferentiablePullback:
                return y, kept._plain.pull
            return y, lambda y_bar: self._pulled(f, kept, y_bar)

        return call

    def observed_frule(self, rule: RuleCall) -> RuleCall:
        """As of `observed_rrule`, with the tangent of the result."""

        def call(tangents: Any, f: Any, *values: Any, **kwargs: Any) -> Any:
            if not is_search(f):
                return rule(tangents, f, *values, **kwargs)
            try:
                return self._recorded(f"push_{f.__name__}", _pushed, (tangents, f, *values), kwargs)
            except NotOneCallError:
                with self._differentiated_again(f):
                    return rule(tangents, f, *values, **kwargs)

        return call

    def _pulled(self, f: Any, kept: Any, y_bar: Any) -> Any:
        try:
            return self._recorded(f"pull_{f.__name__}", pull, (kept, y_bar), {})
        except NotOneCallError as error:
            raise self._tape.refuse(_reason_against_more(f)) from error

    def _of_rule(self, f: Any, pullback: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def pull_again(y_bar: Any) -> Any:
            with self._differentiated_again(f):
                return pullback(y_bar)

        return pull_again

    @contextmanager
    def _differentiated_again(self, f: Any) -> Iterator[None]:
        """A block in which the rule of a search is differentiated, which need not be possible."""
        try:
            yield
        except NotRecordableError:
            self._tape.refusal = _reason_against_more(f), user_place()
            raise

    def _recorded(
        self, name: str, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], has_pullback: bool = False
    ) -> Any:
        """Call a function, and write the call down; its answer holds recorded values."""
        tape, arguments = self._tape, Arguments(args, kwargs, self._noted, self._scope_of, is_search(f))
        again, holes = Again(name, f, arguments, has_pullback), tuple(map(tape.check_known, arguments.holes))
        errors, place, state = modes(), user_place(), np.geterr()
        self._check_surroundings()  # since the program may change them back afterwards
        tape.is_closed = True
        try:
            y = self._outside.copy().run(_in_state, state, again, *[x._plain for x in holes])
        except NotOneCallError:
            raise
        except CompilationError as error:
            raise tape.refuse(str(error)) from error
        except Exception as error:
            tape.is_closed = False
            if tape.refusal is not None:
                raise NotRecordableError(*tape.refusal) from error
            tape.add(Step("raises", again, holes, {}, (type(error), repr(error)), errors, None, place))
            raise
        finally:
            tape.is_closed = False
        self._check_surroundings()
        slot = tape.add(Step("operation", again, holes, {}, y, errors, None, place))
        tape.guard("kind", record(y[0], Slot("part", slot, 0), tape), y[0])
        values = iter(enumerate(y[1:], start=1))
        result = with_leaves(again.answer, lambda x: self._part(x, slot, values))
        again.answer, again.is_checked = None, is_search(f)
        if arguments.calls_users:
            again.difference = partial(_undone, self._surroundings)
        return (result, record(y[-1], Slot("part", slot, len(y) - 1), tape)) if has_pullback else result

    def _check_surroundings(self) -> None:
        """What was noted is what functions read that are called back, and has to be as it was."""
        self._surroundings.note_registrations()
        difference = self._surroundings.difference()
        if difference is not None:
            raise self._tape.refuse(f"it changes its surroundings: {difference}")

    def _part(self, x: Any, slot: Slot, values: Any) -> Any:
        if isinstance(x, (np.ndarray, *NUMBERS)):
            place, value = next(values)
            return self._tape.recorded(value, Slot("part", slot, place))
        if isinstance(x, str | None.__class__ | AbstractZero | NotImplementedTangent):
            return x
        return Unread(self._tape.refuse, type(x))

    def _noted(self, x: Any) -> Any:
        """What has no holes: an array of the program's as it is now, or what is the same at each call."""
        if type(x) is np.ndarray and not self._surroundings.holds(x):
            return self._tape.kept(x)
        self._surroundings.note(x, getattr(x, "__name__", f"an argument of the class {type(x).__name__}"))
        return x


def _undone(surroundings: Surroundings) -> str | None:
    """What was changed; it is changed back, unless another thread may have done it."""
    difference = surroundings.difference()
    if difference is not None and threading.active_count() == 1:
        restore(surroundings)
    return difference


def _reason_against_more(f: Any) -> str:
    return f"the derivative of `{f.__name__}` is differentiated again"


def _in_state(state: Any, f: Callable[..., Any], *args: Any) -> Any:
    with np.errstate(**state):
        return f(*args)


def _with_pullback(f: Any, *values: Any, **kwargs: Any) -> Any:
    return rrule(CONFIG, f, *values, **kwargs)


def _pushed(tangents: Any, f: Any, *values: Any, **kwargs: Any) -> Any:
    return frule(CONFIG, tangents, f, *values, **kwargs)


def reason_against_called(
    reads: Reads, scope: dict[str, Any]
) -> str | None:  # pragma: no cover - a profiler calls
    """Why a function that is called back cannot be recorded: one that it names has an effect, or draws.

    Parameters
    ----------
    reads
        What its code reads.
    scope
        Its global names.
    """
    named = [scope.get(name, getattr(builtins, name, None)) for name in reads.names]
    seen: list[Any] = []
    for x in named:  # which grows meanwhile
        if isinstance(x, types.ModuleType):
            named += [y for y in map(vars(x).get, reads.attributes) if not any(y is z for z in seen)]
        reason = reason_in_facts(getattr(x, "__func__", x)) if callable(x) else None
        if reason is not None:
            return reason
        seen.append(x)
    return None
