"""The way into a program knows the calls that it is for."""

import numpy as np
import pytest

from chainrules.ad.recording.running import MISS
from chainrules.ad.recording.variant import make_variant
from chainrules_core import debugging
from chainrules_core.dispatch.new_rules import rules_changed

# What is refused, and each kind of value, has a line of its own.
pytestmark = pytest.mark.every_case


X = np.array([0.5, 2.0])


def f(x, options=None, scale=1.0):
    """A function of many kinds of arguments."""
    return x * scale + (options or {}).get("shift", 0.0)


CALLS = [
    ((X,), {}),
    ((X[::-1],), {}),
    ((np.float32([1.0, 2.0]),), {}),
    ((np.ones(3),), {}),
    ((np.ones((2, 1)),), {}),
    ((0.5,), {}),
    ((np.float64(0.5),), {}),
    ((X,), {"scale": 2.0}),
    ((X,), {"scale": 2}),
    ((X,), {"scale": 3}),
    ((X,), {"scale": X}),
    ((X,), {"scale": X.copy()}),
    ((X, None), {}),
    ((X, {"shift": 1.0}), {}),
    ((X, {"shift": 1.0, "other": 0}), {}),
    ((X, {"shift": (1.0,)}), {}),
    ((X, {"shift": [1.0]}), {}),
    ((X, {"shift": 1.0, (1,): 0}), {}),
    ((X, {"shift": 1.0, (True,): 0}), {}),
]


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_calls(number):
    """Each is answered by its own program only."""
    try:
        enter = make_variant(lambda *a, **k: f(*a, **k), *CALLS[number]).enter
    except TypeError:  # such an argument fails
        return
    for i, (args, kwargs) in enumerate(CALLS):
        assert (enter(args, kwargs) is not MISS) == (i == number)


def test_what_is_around():
    """Debug mode, NumPy's warnings, and arrays that the program reaches from outside."""
    enter = make_variant(lambda x: x * X, (X + 1.0,), {}).enter
    call = (X + 2.0,), {}
    assert enter(*call) is not MISS
    assert enter((X,), {}) is MISS
    with debugging():
        assert enter(*call) is MISS
    with np.errstate(all="raise"):
        assert enter(*call) is MISS
    with np.errstate(over="warn"):
        assert enter(*call) is not MISS
    assert enter(*call) is not MISS
    assert enter(({},), {}) is MISS


def test_rules_of_rulesets_keep_what_was_recorded():
    """Each look-up has seen the rulesets, before and after these are imported."""
    enter, call = make_variant(f, (X,), {}).enter, ((X + 1.0,), {})
    rules_changed("a.ruleset")
    assert enter(*call) is not MISS
    rules_changed()
    assert enter(*call) is MISS
