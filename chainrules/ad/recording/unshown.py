"""Our own rules, of which nobody need be shown what they enter while a program is recorded.

Before Python 3.12 its profiler tells of each call, which takes longer than most functions of the engine. So
it is off while a rule of this package runs, and its pullback, if neither can call a function of the user's:
the function is NumPy's or Python's, all rules of it are ours, this one takes no configuration, and it is
given numbers and arrays alone.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np

from chainrules.ad.recording.entry import rules_changed
from chainrules.ad.recording.error_state import modes
from chainrules.ad.recording.recorded import STANDS_FOR, Recorded
from chainrules.ad.recording.regular import calls_nobody
from chainrules.ad.recording.tape import KNOWN_CLASSES, UNCHANGING
from chainrules.ad.values.memory import remembered
from chainrules.ad.watching.observing import Observer, Recall, RuleCall, observed_by, with_pullback
from chainrules_core import NoTangent, ProjectTo, ZeroTangent, frule, rrule


class Recalling(Observer):
    """Recalls rules of this package for recorded values, as those of the values that they stand for."""

    __slots__ = ()

    def recalled(self, mode: str, recall: Recall) -> Recall:
        """What recalls them, each time as it is observed first."""
        rules: Any = rrule if mode == "reverse" else frule
        observed = self.observed_rrule if mode == "reverse" else self.observed_frule
        known: dict[Any, RuleCall] = {}
        then = rules_changed[0]

        def recall_own(key: Any) -> RuleCall | None:
            if key in known and then == rules_changed[0]:
                return known[key]
            config, f, *classes = key
            rule = recall((config, f, *[STANDS_FOR.get(cls, cls) for cls in classes]))
            if rule is None or then != rules_changed[0] or not _is_own(rules, rule, f):
                return None
            known[key] = observed(rule)
            return known[key]

        return recall_own


class Unshown(Recalling):
    """Turns the profiler off while rules of this package run."""

    __slots__ = ()

    def observed_rrule(self, rule: RuleCall) -> RuleCall:
        """The rule, unshown, and its pullback."""

        def call(f: Any, *values: Any, **kwargs: Any) -> Any:
            shown = sys.getprofile()
            sys.setprofile(None)
            try:
                if not kwargs and _are_plain(values) and _is_own(rrule, rule, f):
                    answer = rule(f, *values)
                    return with_pullback(answer, _unshown) if type(answer) is tuple else answer
                sys.setprofile(shown)
                return rule(f, *values, **kwargs)
            finally:
                sys.setprofile(shown)

        return call

    def observed_frule(self, rule: RuleCall) -> RuleCall:
        """The rule, unshown."""

        def call(tangents: Any, f: Any, *values: Any, **kwargs: Any) -> Any:
            shown = sys.getprofile()
            sys.setprofile(None)
            try:
                if kwargs or not (_are_plain((*tangents, *values)) and _is_own(frule, rule, f)):
                    sys.setprofile(shown)
                return rule(tangents, f, *values, **kwargs)
            finally:
                sys.setprofile(shown)

        return call


def _unshown(pullback: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def pull(y_bar: Any) -> Any:
        shown = sys.getprofile()
        sys.setprofile(None)
        try:
            if not _are_plain((y_bar,)):
                sys.setprofile(shown)
            return pullback(y_bar)
        finally:
            sys.setprofile(shown)

    return pull


def _are_plain(values: Iterable[Any]) -> bool:
    """Whether values are numbers and arrays, recorded or not, of which NumPy tells no user's function."""
    for x in values:
        cls = type(x)
        if cls not in _PLAIN or (cls is np.ndarray and x.dtype.hasobject):
            return False
    said = modes()
    return "call" not in said and "log" not in said


_PLAIN = {Recorded, np.ndarray, ZeroTangent, NoTangent} | UNCHANGING


def _is_own(rules: Any, rule: RuleCall, f: Any) -> bool:
    """Whether a rule is one of this package that takes no configuration, and nobody else has rules of `f`."""
    if type(f) not in KNOWN_CLASSES or not calls_nobody(f):
        return False
    return rule in _own_rules((rules, f, rules_changed[0]))


@remembered
def _own_rules(asked: tuple[Any, Any, int]) -> frozenset[Any]:
    """Our rules of a function that nobody else has rules of, for `rrule` or `frule`, until rules change."""
    rules, f, _ = asked
    methods = rules.methods(f)
    are_ours = all(str(method.ruleset).startswith("chainrules.") for method in methods)
    return frozenset(method.looked_at for method in methods if are_ours and method.config is None)


@contextmanager
def own_rules_recalled(*others: Observer) -> Iterator[None]:
    """A block in which our own rules are recalled: unshown, if that saves time, and nobody else projects.

    Parameters
    ----------
    others
        Who looks on at rules that are not recalled.
    """
    is_quicker = not hasattr(sys, "monitoring") and ProjectTo.is_by_core(*_PROJECTED)
    with ExitStack() as stack:
        for observer in (_UNSHOWN if is_quicker else _RECALLING, *others):
            stack.enter_context(observed_by(observer))
        yield


_PROJECTED = (1.0, np.float64(1.0), np.float32(1.0), 1j, np.complex128(1j), 1, np.empty(0))
_UNSHOWN, _RECALLING = Unshown(), Recalling()
