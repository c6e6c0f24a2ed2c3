"""Threads, and pools of threads: what they call is followed, as if the program had called it here."""

import functools
import types
from collections.abc import Callable
from typing import Any

from chainrules.ad.interception.choosing.switch import as_here
from chainrules.ad.traced.trace import RUNNING
from chainrules_core import ChainRulesError

_Choose = Callable[[Any], Any]


def _submitting(f: Callable[..., Any], choose: _Choose) -> Callable[..., Any]:
    """`f`, which is given a pool and a function."""

    @functools.wraps(f)
    def call(pool: Any, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        return f(pool, as_here(choose(function)), *args, **kwargs)

    return call


def _submitting_to_threads(f: Callable[..., Any], choose: _Choose) -> Callable[..., Any]:
    """`f` of a pool that may have processes in the place of threads, to which nothing traced can be sent."""

    @functools.wraps(f)
    def call(pool: Any, func: Any, *args: Any, **kwargs: Any) -> Any:
        has_threads = any(cls.__name__ == "ThreadPool" for cls in type(pool).__mro__)
        return f(pool, as_here(choose(func)) if has_threads else func, *args, **kwargs)

    return call


def _starting_thread(f: Callable[..., Any], choose: _Choose) -> Callable[..., Any]:
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
    """What a thread runs: if that is refused something, the program goes on, and its result is wrong."""
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


_METHODS_OF_POOLS = [
    "apply",
    "apply_async",
    "imap",
    "imap_unordered",
    "map",
    "map_async",
    "starmap",
    "starmap_async",
]

# By module and name, since few programs import these modules.
STARTING: dict[tuple[str, str], Callable[[Callable[..., Any], _Choose], Callable[..., Any]]] = {
    ("concurrent.futures.thread", "ThreadPoolExecutor.submit"): _submitting,
    ("threading", "Thread.start"): _starting_thread,
    **{("multiprocessing.pool", f"Pool.{name}"): _submitting_to_threads for name in _METHODS_OF_POOLS},
}
