"""How time and memory of `chainrules.ad` grow with the number of operations."""

import time
import tracemalloc
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.measure import Row, fastest, fastest_once, samples
from chainrules.ad import grad


def rows() -> Iterator[Row]:
    """Ratios of times per operation; bytes per operation."""
    short, long = (_time_per_operation(n) for n in (10**4, 10**6))
    yield Row("an operation of a chain of 10^6", "of one of 10^4", long / short, 1.5)
    ours = _time_per_operation(10**5) / _time_per_operation(10**3)
    bare = _bare_time_per_operation(10**5) / _bare_time_per_operation(10**3)
    yield Row("growth from 10^3 to 10^5 operations", "of a list of closures", ours / bare, 1.2)
    yield Row("bytes of an operation", "one byte", _bytes_per_operation(10**5), 600)
    small, large = _items_time(2_000), _items_time(200_000)
    yield Row("2000 items of a vector of 200 000", "of one of 2000", large / small, 1.5)
    for n, number in ((2_000, 10), (200_000, 1)):
        filled, stacked = _recurrence_times(n, number)
        yield Row(f"y[i] from y[i - 1], n = {n}", "with a list and np.stack", filled / stacked, 1.2)


def _chain(n: int) -> Any:
    def f(x: Any) -> Any:
        for _ in range(n):
            x = x * 1.0000001
        return x

    return f


def _time_per_operation(n: int) -> float:
    gradient = grad(_chain(n))
    best = float("inf")
    for _ in range(samples(max(3, 10**5 // n))):
        start = time.perf_counter()
        gradient(1.0)
        best = min(best, time.perf_counter() - start)
    return best / n


def _pullback(factor: float) -> Any:
    return lambda y_bar: (None, y_bar * factor, None)


def _bare_time_per_operation(n: int) -> float:
    def record_and_replay() -> float:
        pullbacks = [_pullback(1.0000001) for _ in range(n)]
        x_bar = 1.0
        for pullback in reversed(pullbacks):
            _, x_bar, _ = pullback(x_bar)
        return x_bar

    best = float("inf")
    for _ in range(samples(max(3, 10**5 // n))):
        start = time.perf_counter()
        record_and_replay()
        best = min(best, time.perf_counter() - start)
    return best / n


def _bytes_per_operation(n: int) -> float:
    used = []

    def f(x: Any) -> Any:
        before = tracemalloc.get_traced_memory()[0]
        y = _chain(n)(x)
        used.append(tracemalloc.get_traced_memory()[0] - before)
        return y

    tracemalloc.start()
    try:
        grad(f)(1.0)
    finally:
        tracemalloc.stop()
    return used[0] / n


def _items_time(n: int) -> float:
    x = np.ones(n)

    def f(x: Any) -> Any:
        total = 0.0
        for i in range(2_000):
            total = total + x[i]
        return total

    gradient = grad(f)
    return fastest(lambda: gradient(x))[0]


def _recurrence_times(n: int, number: int) -> list[float]:
    def filled(x: Any) -> Any:
        y = 0 * x
        y[0] = x[0]
        for i in range(1, n):
            y[i] = 0.9 * y[i - 1] + x[i]
        return np.sum(y)

    def stacked(x: Any) -> Any:
        y = [x[0]]
        for i in range(1, n):
            y.append(0.9 * y[i - 1] + x[i])
        return np.sum(np.stack(y))

    x = np.ones(n)

    def prepared(f: Any) -> Any:
        return lambda: lambda: grad(f)(x)

    return fastest_once(prepared(filled), prepared(stacked), number=number)
