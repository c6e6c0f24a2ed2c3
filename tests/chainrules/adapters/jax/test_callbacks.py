"""Knowing whether a compiled program waits for this thread."""

import threading

import pytest

pytest.importorskip("jax")

from chainrules.adapters.jax.callbacks import in_callback, is_in_callback


def test_while_a_callback_runs():
    """Also one within another; not before, not after, not after an error, and not in other threads."""
    elsewhere = []

    @in_callback
    def inner():
        return is_in_callback()

    @in_callback
    def outer():
        thread = threading.Thread(target=lambda: elsewhere.append(is_in_callback()))
        thread.start()
        thread.join()
        return inner(), is_in_callback()

    assert not is_in_callback()
    assert outer() == (True, True)
    assert elsewhere == [False]
    with pytest.raises(ZeroDivisionError):
        in_callback(lambda: 1 / 0)()
    assert not is_in_callback()
