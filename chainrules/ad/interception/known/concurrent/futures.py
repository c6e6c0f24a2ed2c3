"""Pools of threads: what they call is followed, as if the program had called it here."""

import functools
from collections.abc import Callable
from typing import Any

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.switch import as_here
from chainrules.ad.values.facts import fact


def _submitting(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f`, which is given a pool and a function."""

    @functools.wraps(f)
    def call(pool: Any, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        return f(pool, as_here(choose(function)), *args, **kwargs)

    return call


fact("concurrent.futures.thread.ThreadPoolExecutor.submit", wrapped=_submitting, has_effect=True)
