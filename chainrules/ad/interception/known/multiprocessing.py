"""The older pools, which may have threads: what these call is followed, as if it were called here."""

import functools
from collections.abc import Callable
from typing import Any

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.switch import as_here
from chainrules.ad.values.facts import fact


def _submitting_to_threads(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f` of a pool that may have processes in the place of threads, to which nothing traced can be sent."""

    @functools.wraps(f)
    def call(pool: Any, func: Any, *args: Any, **kwargs: Any) -> Any:
        has_threads = any(cls.__name__ == "ThreadPool" for cls in type(pool).__mro__)
        return f(pool, as_here(choose(func)) if has_threads else func, *args, **kwargs)

    return call


_METHODS = ("apply", "apply_async", "imap", "imap_unordered", "map", "map_async", "starmap", "starmap_async")
fact(
    *(f"multiprocessing.pool.Pool.{name}" for name in _METHODS),
    wrapped=_submitting_to_threads,
    has_effect=True,
)
