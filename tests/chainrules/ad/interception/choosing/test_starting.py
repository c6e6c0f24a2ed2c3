"""What threads and pools of threads call is followed, as if the program had called it here."""

import asyncio
import contextvars
import math
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing.pool import Pool, ThreadPool

import numpy as np
import pytest

from chainrules.ad import explain_calls, grad
from chainrules.ad.calls.rule_inputs import MutatedInputError
from chainrules_core import NoTangent, rrule, typeof_


def loud(x):
    """A function whose rule says 100 times too much."""
    return math.sin(x) * 0.0 + x


@rrule.dispatch
def loud_rrule(f: typeof_(loud), x: float):
    """Say so."""
    return x, lambda y_bar: (NoTangent(), 100.0 * y_bar)


def append(items, x):
    """Append to a list."""
    items.append(loud(x))


class Worker(threading.Thread):
    """A thread with a method of its own."""

    def __init__(self, x):
        super().__init__()
        self.x = x

    def run(self):
        """Compute."""
        self.x = loud(self.x)


def by_an_executor(x):
    """As the standard library would have it."""
    with ThreadPoolExecutor(2) as pool:
        return sum(pool.map(loud, [x, x])) + pool.submit(loud, x).result()


def by_a_pool(x):
    """As the older module does it."""
    with ThreadPool(2) as pool:
        total = sum(pool.map(loud, [x])) + sum(pool.imap(loud, [x])) + pool.apply(loud, (x,))
        return total * 0.5 + sum(pool.starmap(func=lambda y, z: loud(y) * z, iterable=[(x, 1.5)]))


def by_threads(x):
    """One by one."""
    items = []
    threads = [threading.Thread(target=append, args=(items, x)), threading.Thread(), Worker(x), Worker(x)]
    for thread in threads:
        thread.start()
        thread.join()
    return items[0] + threads[2].x + threads[3].x


def by_asyncio(x):
    """From a coroutine, and in a context."""

    async def all_of_them():
        loop = asyncio.get_running_loop()
        return await asyncio.to_thread(loud, x) + await loop.run_in_executor(None, loud, x)

    return asyncio.run(all_of_them()) + contextvars.copy_context().run(loud, x)


@pytest.mark.parametrize("f", [by_an_executor, by_a_pool, by_threads, by_asyncio])
def test_threads(f):
    """Three calls by the rule."""
    assert grad(f)(0.5) == pytest.approx(300.0)


def test_settings():
    """They go with the call: it is watched in the thread."""
    table = explain_calls(by_an_executor, 0.5)
    assert (
        sum(row.calls for row in table.rows if row.function.endswith("loud") and row.outcome == "rule") == 3
    )


def test_processes():
    """Nothing traced is sent to another process; what is not may be."""
    with pytest.raises(TypeError, match="pickled"), ProcessPoolExecutor(1) as pool:
        grad(lambda x: pool.submit(abs, x).result())(1.0)
    with Pool(1) as pool:
        assert grad(lambda x: x * pool.apply(abs, (-3.0,)))(1.0) == 3.0


@pytest.mark.parametrize(
    "start",
    [
        lambda write: threading.Thread(target=write),
        lambda write: threading.Timer(0.0, write),
    ],
)
def test_a_write_in_a_thread_that_comes_too_late_is_an_error(start, monkeypatch):
    """The thread ends there, and the program, which goes on, would compute with what was not written."""
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    buffer = np.ones(2)

    def program(x):
        y = np.sum(x * buffer)
        thread = start(lambda: buffer.fill(3.0))
        thread.start()
        thread.join()
        return y + np.sum(x * buffer)

    with pytest.raises(MutatedInputError):
        grad(program)(1.0)


def test_other_errors_in_a_thread_are_its_own(monkeypatch):
    """As elsewhere, the program goes on."""
    errors = []
    monkeypatch.setattr(threading, "excepthook", lambda args: errors.append(args.exc_type))

    def program(x):
        thread = threading.Thread(target=lambda: {}["no"])
        thread.start()
        thread.join()
        return x * x

    assert grad(program)(1.0) == 2.0
    assert errors == [KeyError]
