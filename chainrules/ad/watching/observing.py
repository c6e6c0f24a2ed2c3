"""Looking on at a differentiation, as `debug_nans`, `profile`, `draw` and debug mode do.

In debug mode the results of the rules of this package are looked at, as those of others always are.
"""

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

from chainrules.ad.values.config import CONFIG
from chainrules_core import (
    AbstractThunk,
    InplaceableThunk,
    NonDifferentiablePullback,
    StructuralTangent,
    Thunk,
    frule,
    looking_at,
    rrule,
)

RuleCall = Callable[..., Any]
# ``recall((ADConfig, f, *types))`` is the rule for a call that was made before, or `None`.
Recall = Callable[[Any], Any]


class Observer:
    """Stands between a differentiation and the rules that it calls; this one lets everything pass.

    A differentiation asks once, when it begins, who looks on, so that an operation costs nothing where nobody
    does.
    """

    __slots__ = ()

    def recalled(self, mode: str, recall: Recall) -> Recall:
        """What to ask instead of `recall` in a mode: here nothing is recalled, so that each rule is observed.

        What is recalled is called at once, and observed by nobody.
        """
        return lambda _: None

    def observed_rrule(self, rule: RuleCall) -> RuleCall:
        """A rule to call as ``rule(f, *values, **kwargs)``, for ``y, pullback``, instead of it."""
        return rule

    def observed_frule(self, rule: RuleCall) -> RuleCall:
        """A rule to call as ``rule(tangents, f, *values, **kwargs)``, for ``y, y_dot``, instead of it."""
        return rule

    def begun(self) -> "Observer":
        """Who looks on at a differentiation that begins."""
        return self

    def pushed(self, tangents: Any) -> None:
        """A differentiation forwards has ended, with these tangents in its result."""


# Of the thread, or of the task, that begins a differentiation.
_observers: ContextVar[tuple[Observer, ...]] = ContextVar("observers", default=())


def observers() -> tuple[Observer, ...]:
    """Who looks on at a differentiation that begins now."""
    return _observers.get()


@contextlib.contextmanager
def observed_by(observer: Observer) -> Iterator[None]:
    """Let an observer look on at the differentiations that begin inside."""
    token = _observers.set((*_observers.get(), observer))
    try:
        yield
    finally:
        _observers.reset(token)


def with_pullback(answer: Any, wrap: Callable[[Callable[[Any], Any]], Callable[[Any], Any]]) -> Any:
    """The answer of an `rrule`, with another pullback in the place of its own.

    Where there is no rule, or no derivative, it stays as it is: by that answer a differentiation knows.
    """
    if answer is None or answer[1].__class__ is NonDifferentiablePullback:
        return answer
    y, pullback = answer
    return y, wrap(pullback)


def with_thunks(x_bar: Any, wrap: Callable[[Callable[..., Any]], Callable[..., Any]]) -> Any:
    """A cotangent whose thunks, itself or the fields of a structural one, compute by wrapped functions.

    Parameters
    ----------
    x_bar
        A cotangent.
    wrap
        Is given each function of a thunk: the one without arguments that computes it, and of a thunk that can
        be added in place also the one that adds it to its argument.
    """
    if isinstance(x_bar, InplaceableThunk):
        return InplaceableThunk(wrap(x_bar.add), Thunk(wrap(x_bar.val.__unthunk__)))
    if isinstance(x_bar, AbstractThunk):
        return Thunk(wrap(x_bar.__unthunk__))
    if isinstance(x_bar, StructuralTangent):
        return x_bar.map(lambda part: with_thunks(part, wrap))
    return x_bar


class ShapeGuard(Observer):
    """Looks at the shapes that rules return.

    A rule further on may sum a cotangent that is too large, as if it had been broadcast, and the gradient
    would be wrong in silence.

    Raises
    ------
    DimensionMismatchError
        When the cotangent is needed; with a tangent, when the rule is called.
    """

    __slots__ = ()

    def observed_rrule(self, rule: RuleCall) -> RuleCall:
        """The rule with a pullback whose cotangents are looked at."""

        def guarded_rrule(f: Any, *values: Any, **kwargs: Any) -> Any:
            method = rrule.find(CONFIG, f, *values, **kwargs)
            looking = rule if method is None else looking_at(rule, method, first=0)
            return looking(f, *values, **kwargs)

        return guarded_rrule

    def observed_frule(self, rule: RuleCall) -> RuleCall:
        """The rule, whose tangent is looked at."""

        def guarded_frule(tangents: Any, f: Any, *values: Any, **kwargs: Any) -> Any:
            method = frule.find(CONFIG, tangents, f, *values, **kwargs)
            looking = rule if method is None else looking_at(rule, method, first=1)
            return looking(tangents, f, *values, **kwargs)

        return guarded_frule
