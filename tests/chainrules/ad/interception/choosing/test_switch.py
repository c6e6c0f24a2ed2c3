"""Interception is turned on and off for the process, a thread, a task, a block."""

import asyncio
import math
import subprocess
import sys
import threading

import pytest

from chainrules.ad import grad, interception, set_interception
from chainrules.ad.interception.choosing.switch import BLOCKS, as_here, calls_shown_to, is_intercepting
from chainrules.ad.syntax import classes_of_values as plain_classes


def sine(x):
    """A function that is differentiated only where calls are intercepted."""
    return math.sin(x)


def slope():
    """What becomes of it."""
    try:
        return grad(sine)(0.0)
    except TypeError:
        return None


def test_blocks():
    """The innermost block decides; afterwards all is as before, also where something failed."""
    assert slope() == 1.0
    with interception(False):
        assert slope() is None
        assert not plain_classes.CALLED_WITH  # all calls go to their hooks
        with interception():
            assert slope() == 1.0
        assert slope() is None
    with pytest.raises(KeyError), interception(False):
        raise KeyError
    assert slope() == 1.0
    assert BLOCKS == []
    assert plain_classes.CALLED_WITH


def test_the_process():
    """A block says more than the process."""
    try:
        set_interception(True)
        assert BLOCKS == []
        set_interception(False)
        set_interception(False)
        assert len(BLOCKS) == 1
        assert slope() is None
        with interception(True):
            assert slope() == 1.0
    finally:
        set_interception(True)
        set_interception(True)
    assert slope() == 1.0
    assert is_intercepting()
    assert BLOCKS == []


def test_threads():
    """A block is that of its thread."""
    found = []
    with interception(False):
        thread = threading.Thread(target=lambda: found.append(slope()))
        thread.start()
        thread.join()
        assert slope() is None
        as_there = as_here(slope)
    assert found == [1.0]
    assert slope() == 1.0
    assert as_there() is None
    assert as_here(slope) is slope


def test_tasks():
    """A block is that of its task."""

    async def off():
        with interception(False):
            await asyncio.sleep(0)
            return slope()

    async def on():
        await asyncio.sleep(0)
        return slope()

    async def both():
        return await asyncio.gather(off(), on(), off())

    assert asyncio.run(both()) == [None, 1.0, None]


@pytest.mark.parametrize(("value", "expected"), [("0", "False"), ("1", "True")])
def test_the_environment(value, expected):
    """``CHAINRULES_INTERCEPTION`` is what a program begins with."""
    code = "from chainrules.ad.interception.choosing.switch import is_intercepting; print(is_intercepting())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"CHAINRULES_INTERCEPTION": value, "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == expected


def test_watchers_in_threads():
    """Who watches here watches there, where interception is as it was here."""
    called = []

    def watch(f, chosen):
        called.append(f)
        return chosen

    with calls_shown_to(watch):
        f = as_here(slope)
    assert f() == 1.0
    assert math.sin in called
