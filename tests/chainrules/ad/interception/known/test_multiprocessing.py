"""What the older pools of threads call is followed, as if the program had called it here."""

import math
from multiprocessing.pool import Pool, ThreadPool

import pytest

from chainrules.ad import grad
from chainrules_core import NoTangent, rrule, typeof_


def loud(x):
    """A function whose rule says 100 times too much."""
    return math.sin(x) * 0.0 + x


@rrule.dispatch
def loud_rrule(f: typeof_(loud), x: float):
    """Say so."""
    return x, lambda y_bar: (NoTangent(), 100.0 * y_bar)


def by_a_pool(x):
    """As the older module does it."""
    with ThreadPool(2) as pool:
        total = sum(pool.map(loud, [x])) + sum(pool.imap(loud, [x])) + pool.apply(loud, (x,))
        return total * 0.5 + sum(pool.starmap(func=lambda y, z: loud(y) * z, iterable=[(x, 1.5)]))


def test_threads():
    """Three calls by the rule."""
    assert grad(by_a_pool)(0.5) == pytest.approx(300.0)


def test_processes():
    """What is not traced may be sent to another process."""
    with Pool(1) as pool:
        assert grad(lambda x: x * pool.apply(abs, (-3.0,)))(1.0) == 3.0
