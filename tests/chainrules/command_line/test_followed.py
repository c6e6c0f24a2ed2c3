"""What the table says of functions without rules; `tests/test_followed.py` tries its calls."""

import functools
import math

import scipy.signal
import scipy.stats

from chainrules.command_line.followed import MEANINGS, UNTRIED, Followed, followed_of, read_followed


def test_the_table():
    """Each row has a word that is explained, and a call."""
    rows = [row for functions in read_followed().values() for row in functions.values()]

    assert {row.says for row in rows} == MEANINGS.keys() - {UNTRIED}
    assert all(row.example for row in rows)


def test_what_was_not_tried():
    """Functions, classes and objects in Python may be followed, those in C are not."""

    class Mine:
        def __init__(self): ...

    assert followed_of("scipy.signal", "remez", scipy.signal.remez).says == "compiled"
    for f in (
        scipy.stats.norm,
        functools.wraps(math.sin)(lambda x: x),
        Mine,
        functools.lru_cache(lambda x: x),
    ):
        assert followed_of("mine", "f", f) == Followed(UNTRIED)
    assert followed_of("math", "sin", math.sin) is followed_of("mine", "c", type("C", (), {})) is None


def test_why():
    """The call, and the function at which it ends."""
    assert Followed("compiled", "a.b", "f(x)").because == "f(x), by a.b"
    assert Followed("followed", "", "f(x)").because == "f(x)"
