"""Threads: what they call is followed, as if the program had called it here."""

import types
from collections.abc import Callable
from typing import Any

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.switch import as_here
from chainrules.ad.traced.trace import RUNNING
from chainrules.ad.values.facts import fact
from chainrules_core import ChainRulesError


def _starting_thread(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f`, the method `start` of threads, whose class may have its own method `run`."""

    def start(thread: Any) -> None:
        run = type(thread).run
        if run.__qualname__ == "Timer.run":
            thread.function = _telling(as_here(choose(thread.function)))
        elif run.__qualname__ == "Thread.run":
            thread._target = thread._target and _telling(as_here(choose(thread._target)))
        else:
            thread.run = _once(thread, _telling(as_here(choose(types.MethodType(run, thread)))))
        f(thread)

    return start


def _telling(run: Callable[..., Any]) -> Callable[..., Any]:
    """`run`, for a thread. If it is refused something, the program goes on, and its result is wrong."""
    traces = tuple(RUNNING)

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return run(*args, **kwargs)
        except ChainRulesError as error:
            for trace in traces:
                trace.refuse(error)
            raise

    return call


def _once(thread: Any, run: Callable[[], None]) -> Callable[[], None]:
    def shadow() -> None:
        # An attribute of the instance is found before that of its class.
        del thread.run
        run()

    return shadow


fact("threading.Thread.start", wrapped=_starting_thread, has_effect=True)
