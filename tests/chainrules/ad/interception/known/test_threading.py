"""What threads and pools of threads call is followed, as if the program had called it here."""

import math
import threading

import numpy as np
import pytest

from chainrules.ad import grad
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


def by_threads(x):
    """One by one."""
    items = []
    threads = [threading.Thread(target=append, args=(items, x)), threading.Thread(), Worker(x), Worker(x)]
    for thread in threads:
        thread.start()
        thread.join()
    return items[0] + threads[2].x + threads[3].x


def test_threads():
    """Three calls by the rule."""
    assert grad(by_threads)(0.5) == pytest.approx(300.0)


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
