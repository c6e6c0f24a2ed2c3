"""The warning of lost derivatives: once for each line, at the line of the program."""

import math
import warnings

import pytest

from chainrules.ad import LostDerivativeWarning, grad
from chainrules.ad.lost_derivatives import warn_of_lost_derivative
from chainrules.ad.reverse_trace import ReverseTrace


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
