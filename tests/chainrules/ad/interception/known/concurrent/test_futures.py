"""What pools of threads call is followed, as if the program had called it here."""

import asyncio
import contextvars
import math
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from chainrules.ad import explain_calls, grad
from chainrules_core import NoTangent, rrule, typeof_


def loud(x):
    """A function whose rule says 100 times too much."""
    return math.sin(x) * 0.0 + x


@rrule.dispatch
def loud_rrule(f: typeof_(loud), x: float):
    """Say so."""
    return x, lambda y_bar: (NoTangent(), 100.0 * y_bar)


def by_an_executor(x):
    """As the standard library would have it."""
    with ThreadPoolExecutor(2) as pool:
        return sum(pool.map(loud, [x, x])) + pool.submit(loud, x).result()


def by_asyncio(x):
    """From a coroutine, and in a context."""

    async def all_of_them():
        loop = asyncio.get_running_loop()
        return await asyncio.to_thread(loud, x) + await loop.run_in_executor(None, loud, x)

    return asyncio.run(all_of_them()) + contextvars.copy_context().run(loud, x)


@pytest.mark.parametrize("f", [by_an_executor, by_asyncio])
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
    """Nothing traced is sent to another process."""
    with pytest.raises(TypeError, match="pickled"), ProcessPoolExecutor(1) as pool:
        grad(lambda x: pool.submit(abs, x).result())(1.0)
