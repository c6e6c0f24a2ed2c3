"""Looking on at a differentiation: what `debug_nans`, `profile`, `draw` and debug mode are made of."""

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

Rule = Callable[..., Any]


class Observer:
    """Stands between a differentiation and the rules that it calls; this one lets everything pass.

    A differentiation asks once, when it begins, who looks on, so that an operation costs nothing where nobody
    does.
    """

    __slots__ = ()

    def observed_rrule(self, rule: Rule) -> Rule:
        """What is called in the place of ``rule(f, *values, **kwargs)``, which returns ``y, pullback``."""
        return rule

    def observed_frule(self, rule: Rule) -> Rule:
        """What is called in the place of ``rule(tangents, f, *values, **kwargs)``, for ``y, y_dot``."""
        return rule


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
