"""Searches of SciPy's inside of a program that is recorded: integrals, roots, minima, and solutions of ODEs.

Each call is one operation of the recorded values in its arguments, and so are tests of statistics and the
like. With derivatives, its rule is called once: it gives the value and a pullback, and the call of the
pullback is another operation. Where there is no rule, the code is followed by the engine.
"""

import builtins
import sys
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from contextvars import Context
from functools import partial
from typing import Any

import numpy as np

from chainrules.ad.calls.calling import apply
from chainrules.ad.derivatives.pulling import trace_call
from chainrules.ad.derivatives.pushing import push_call
from chainrules.ad.interception.choosing.switch import calls_shown_to
from chainrules.ad.recording.again import Again, pull
from chainrules.ad.recording.answers import NUMBERS, evaluated, with_leaves
from chainrules.ad.recording.arguments import Arguments, NotOneCallError, reaches_recorded
from chainrules.ad.recording.captured import Captured
from chainrules.ad.recording.entering import Reads
from chainrules.ad.recording.error_state import modes
from chainrules.ad.recording.permitted import SEARCHING, reason_against, reason_in_facts
from chainrules.ad.recording.places import user_place
from chainrules.ad.recording.recorded import record
from chainrules.ad.recording.refused import CompilationError
from chainrules.ad.recording.restoring import restore
from chainrules.ad.recording.silencing import Silencing, silently
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.structured_results import Unread
from chainrules.ad.recording.tape import LEFT_OUT, NotRecordableError, Step
from chainrules.ad.recording.unchanged import unchanged_test
from chainrules.ad.values.config import CONFIG
from chainrules.ad.watching.observing import Observer, Recall, RuleCall, with_pullback
from chainrules_core import (
    AbstractZero,
    NonDifferentiablePullback,
    NotImplementedTangent,
    Thunk,
    frule,
    rrule,
)


def is_called_whole(f: Any) -> bool:
    """Whether a function of SciPy's is one operation, whatever it calls: a search, or not known."""
    if type(f) not in _CLASSES or f.__name__ in _BY_CHANCE or "." in f.__qualname__:
        return False
    module = str(f.__module__)
    if module.startswith(SEARCHING):
        return module != "scipy.integrate._quadrature"
    return module.startswith(_IN_C) or (module.startswith(_OTHERS) and reason_against(f) is not None)


_CLASSES = (types.FunctionType, types.BuiltinFunctionType)
_IN_C = ("scipy.interpolate._fitpack", "scipy.interpolate._ndgriddata")
_OTHERS = ("scipy.stats.", "scipy.cluster.")
_BY_CHANCE = frozenset(
    """
    basinhopping dual_annealing differential_evolution qmc_quad shgo bootstrap permutation_test
    monte_carlo_test goodness_of_fit power kmeans kmeans2
""".split()  # noqa: SIM905 - as a list it would take twelve lines
)


_WHOLE = object()


class Searches(Observer):
    """Those of one recording: what is called in their place, and in the place of their rules.

    Parameters
    ----------
    captured
        What is given out, recorded and noted.
    outside
        The context in which nothing is recorded: functions that a search calls run as they are.
    silencing
        Blocks that ignore warnings.
    """

    def __init__(self, captured: Captured, outside: Context, silencing: Silencing) -> None:
        self._tape, self._surroundings, self._scope_of = captured.tape, captured.surroundings, captured.scope
        self._outside, self._silencing = outside, silencing
        self._is_unchanged: Callable[[], bool] | None = None  # made once all is noted
        self._callees = set[int]()  # of which it was noted what they read

    def called(self, f: Any, chosen: Callable[..., Any]) -> Callable[..., Any]:
        """What to call in the place of a search: the engine, if there are traced values."""

        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                return self._recorded(f"{f.__name__}_with", f, args, kwargs)
            except NotOneCallError:  # by its rule, though the engine may follow its code
                return apply(f, args, kwargs, chosen)

        return call

    def recalled(self, mode: str, recall: Recall) -> Recall:
        """Whoever recalls rules of ours recalls none of searches."""
        return recall

    def observed_rrule(self, rule: RuleCall) -> RuleCall:
        """A rule, and of a search an operation."""

        def call(f: Any, *values: Any, **kwargs: Any) -> Any:
            answer = self._as_followed(f, rule, f, *values, **kwargs)
            if answer is not _WHOLE:
                return answer
            try:
                y, kept = self._recorded(f"{f.__name__}_with", _with_pullback, (f, *values), kwargs, True)
            except NotOneCallError:
                with self._differentiated_again(f):
                    return with_pullback(rule(f, *values, **kwargs), lambda pull: self._of_rule(f, pull))
            if type(kept._plain.pull) is NonDifferentiablePullback:
                return y, kept._plain.pull
            given = [reaches_recorded(x) for x in (f, *values)]
            return y, lambda y_bar: self._pulled(f, kept, y_bar, given)

        return call

    def observed_frule(self, rule: RuleCall) -> RuleCall:
        """As of `observed_rrule`, with the tangent of the result."""

        def call(tangents: Any, f: Any, *values: Any, **kwargs: Any) -> Any:
            answer = self._as_followed(f, rule, tangents, f, *values, **kwargs)
            if answer is not _WHOLE:
                return answer
            try:
                return self._recorded(f"push_{f.__name__}", _pushed, (tangents, f, *values), kwargs)
            except NotOneCallError:
                with self._differentiated_again(f):
                    return rule(tangents, f, *values, **kwargs)

        return call

    def _as_followed(self, f: Any, rule: RuleCall, /, *args: Any, **kwargs: Any) -> Any:
        """What a rule answers that is recorded line by line, or a mark for one that is called whole.

        So is a rule for a function of SciPy's that gives values to code in C. What it has written down is
        left out.
        """
        if is_called_whole(f):
            return _WHOLE
        tape, start, refusal = self._tape, len(self._tape.steps), self._tape.refusal
        try:
            return rule(*args, **kwargs)
        except NotRecordableError:
            is_of_scipy = type(f) in _CLASSES and str(f.__module__).startswith("scipy.")
            if refusal is not None or not is_of_scipy:
                raise
            for i in range(start, len(tape.steps)):
                tape.steps[i] = Step(LEFT_OUT, None, (), {}, None, place=tape.steps[i].place)
            tape.refusal, tape.is_of_package = None, False
            return _WHOLE

    def _pulled(self, f: Any, kept: Any, y_bar: Any, given: list[bool]) -> tuple[Any, ...]:
        """The cotangents at the places of recorded values; at others, where they are asked for."""

        def at(*places: int) -> Any:
            try:
                pulling = partial(pull, wanted=frozenset(places))
                return self._recorded(f"pull_{f.__name__}", pulling, (kept, y_bar), {})
            except NotOneCallError as error:
                raise self._tape.refuse(_reason_against_more(f)) from error

        x_bars = at(*[i for i, is_recorded in enumerate(given) if is_recorded])
        return tuple(
            x_bar if is_recorded else Thunk(lambda i=i: at(i)[i])
            for i, (x_bar, is_recorded) in enumerate(zip(x_bars, given, strict=True))
        )

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
        tape, is_checked, is_pulled = self._tape, is_called_whole(f), type(f) is partial
        arguments = Arguments(args, kwargs, self._noted, self._scope_of, is_checked)
        again = Again(name, silently(self._silencing.categories(), f), arguments, has_pullback)
        holes = tuple(map(tape.check_known, arguments.holes))
        errors, place, state = modes(), user_place(), np.geterr()
        self._check_surroundings()  # since the program may change them back afterwards
        tape.is_closed = True
        try:
            with _unshown() if arguments.callees <= self._callees else nullcontext():
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
        answer = evaluated(again.answer)
        result = with_leaves(answer, lambda x: self._part(x, slot, values), self._unread)
        again.answer, again.is_checked = None, is_checked
        self._callees |= arguments.callees
        if arguments.callees or is_pulled:
            again.difference = self._undone
        return (result, record(y[-1], Slot("part", slot, len(y) - 1), tape)) if has_pullback else result

    def _undone(self) -> str | None:
        """What a search has changed; it is changed back, unless another thread may have done it."""
        self._is_unchanged = self._is_unchanged or unchanged_test(self._surroundings)
        with suppress(Exception):  # of what is no more
            if self._is_unchanged():
                return None
        difference = self._surroundings.difference()
        if difference is not None and threading.active_count() == 1:
            restore(self._surroundings)
        return difference

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
        return self._unread(x)

    def _unread(self, x: Any) -> Unread:
        return Unread(self._tape.refuse, type(x))

    def _noted(self, x: Any) -> Any:
        """What has no holes: an array of the program's as it is now, or what is the same at each call."""
        if type(x) is np.ndarray and not self._surroundings.holds(x):
            return self._tape.kept(x)
        reason = reason_in_facts(x) if callable(x) else None
        if reason is not None:
            raise self._tape.refuse(reason)
        self._surroundings.note(x, getattr(x, "__name__", f"an argument of the class {type(x).__name__}"))
        return x


def _reason_against_more(f: Any) -> str:
    return f"the derivative of `{f.__name__}` is differentiated again"


@contextmanager
def _unshown() -> Iterator[None]:
    """Without the profiler, which takes longer than all else where what is entered is known."""
    shown = sys.getprofile()
    sys.setprofile(None)
    try:
        yield
    finally:
        sys.setprofile(shown)


def _in_state(state: Any, f: Callable[..., Any], *args: Any) -> Any:
    # Compiled functions that are called meanwhile find somebody who watches, and record nothing.
    with np.errstate(**state), calls_shown_to(lambda _, chosen: chosen):
        return f(*args)


def _with_pullback(f: Any, *values: Any, **kwargs: Any) -> Any:
    answer = rrule(CONFIG, f, *values, **kwargs)
    return trace_call(f, values, kwargs) if answer is None else answer


def _pushed(tangents: Any, f: Any, *values: Any, **kwargs: Any) -> Any:
    answer = frule(CONFIG, tangents, f, *values, **kwargs)
    return push_call(tangents, f, values, kwargs) if answer is None else answer


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
