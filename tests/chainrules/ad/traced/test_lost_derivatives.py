"""The warning of lost derivatives: once for each line, at the line of the program."""

import math
import warnings

import pytest

from chainrules.ad import LostDerivativeWarning, grad, jvp, vjp
from chainrules.ad.modes.reverse_trace import ReverseTrace
from chainrules.ad.traced.lost_derivatives import warn_of_lost_derivative


def test_once_for_each_line():
    """Two lines warn twice, however often they run."""

    def f(x):
        for _ in range(3):
            x = x + round(x, 2)
            x = x * round(x, 3)
        return x

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert math.isfinite(grad(f)(1.0))
    first = f.__code__.co_firstlineno
    assert [warning.lineno for warning in caught] == [first + 2, first + 3]


def test_filters_of_the_user():
    """A program can turn it off, or make an error of it, as of any warning."""
    f = grad(lambda x: round(x, 2) * x)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LostDerivativeWarning)
        assert f(1.5) == 1.5
    with pytest.raises(LostDerivativeWarning, match=r"`round\(x, 2\)`"):
        f(1.5)


def test_after_the_differentiation():
    """Nothing is lost."""
    trace = ReverseTrace()
    trace.run(lambda: None, ())
    warn_of_lost_derivative(trace, "Somebody computes", "It is over.")
    assert trace.warned is None


def test_caches_outlive_a_differentiation():
    """What is looked up in one is a constant the second time, which is told at the line of the program."""
    cache = {}

    def f(x):
        if x not in cache:
            cache[x] = x * x
        return cache[x]

    assert grad(f)(3.0) == 6.0
    for differentiate in (grad(f), lambda x: jvp(f, (x,), (1.0,))[1], lambda x: vjp(f, x)[1](1.0)[0]):
        with pytest.warns(LostDerivativeWarning, match="compute") as caught:
            assert differentiate(3.0) == 0.0
        assert [warning.filename for warning in caught] == [__file__]
    (kept,) = cache.values()
    assert grad(lambda x: x if x < kept else 2.0 * x)(3.0) == 1.0  # to compare with it is no loss
