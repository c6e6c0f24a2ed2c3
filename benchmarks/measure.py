"""Measuring ratios on a machine that others use too."""

import gc
import os
import time
import timeit
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

# With ``BENCHMARKS_RUN_ONCE=1`` each call is made once: that shows that it runs, and measures nothing.
_RUN_ONCE = os.environ.get("BENCHMARKS_RUN_ONCE") == "1"
_SECONDS_PER_SAMPLE = 0.0 if _RUN_ONCE else 0.01


def samples(number: int) -> int:
    """How many samples are taken where so many make a good measurement."""
    return 1 if _RUN_ONCE else number


# Once a large array was freed, the C library keeps the memory of smaller ones. Before, it gives that back to
# the system, and to get it anew, page by page, can take longer than what is measured: so a ratio would depend
# on what was measured before it.
_large = np.empty(2**24, np.uint8)
del _large


@dataclass(frozen=True)
class Row:
    """One line of the table: a ratio of two times, and what it should be at most."""

    what: str
    against: str
    ratio: float
    target: float | None = None

    @property
    def holds(self) -> bool:
        """Whether the target is met; a row without one only informs."""
        return self.target is None or self.ratio <= self.target


def fastest(*calls: Callable[[], Any]) -> list[float]:
    """The time of each call in seconds: the fastest of samples that are taken in turns.

    It is the time of the processor, of all threads: to wait for other processes costs a call nothing. They
    only ever add time, as they use the caches too, so that the minimum estimates the cost; by turns all calls
    see the same machine.
    """
    numbers = [_number_for(call) for call in calls]
    best = [float("inf")] * len(calls)
    for _ in range(samples(25)):
        for i, (call, number) in enumerate(zip(calls, numbers, strict=True)):
            best[i] = min(best[i], _time(call, number) / number)
    return best


def fastest_once(*makers: Callable[[], Callable[[], Any]], number: int = 5) -> list[float]:
    """The time of calls that can be made only once: each maker prepares a call, which is timed."""
    best = [float("inf")] * len(makers)
    for _ in range(samples(number)):
        for i, make in enumerate(makers):
            call = make()
            gc.collect()
            best[i] = min(best[i], _time(call, 1))
    return best


def _time(call: Callable[[], Any], number: int) -> float:
    return timeit.timeit(call, number=number, timer=time.process_time)


def beyond(time: float, baseline: float) -> float:
    """The cost of one call beyond another's; at least a nanosecond, so that ratios stay finite."""
    return max(time - baseline, 1e-9)


def _number_for(call: Callable[[], Any]) -> int:
    call()  # the first call fills caches, and would pass for all
    number = 1
    while (seconds := _time(call, number)) < _SECONDS_PER_SAMPLE / 4:
        number *= 4
    return max(1, round(number * _SECONDS_PER_SAMPLE / max(seconds, 1e-9)))
