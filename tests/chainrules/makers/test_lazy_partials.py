"""The rules of functions with expensive partial derivatives."""

import numpy as np
import pytest

from chainrules.makers.lazy_partials import inverse_rule, lazy_rule
from chainrules_core import NoTangent, RuleNotFoundError, ZeroTangent, frule, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule

calls = []


def scaled_power(x, n, c, factor=1.0):
    """A function whose second argument is rounded."""
    return factor * c * x ** np.floor(n)


def by_x(y, x, n, c, factor=1.0):
    """Its derivative by the first argument, which is counted."""
    calls.append("x")
    return factor * c * np.floor(n) * x ** (np.floor(n) - 1.0)


def by_c(y, x, n, c, factor=1.0):
    """Its derivative by the last argument."""
    calls.append("c")
    return factor * x ** np.floor(n)


lazy_rule(scaled_power, by_x, None, by_c, options=frozenset({"factor"}))


def test_both_modes():
    """Of numbers and arrays, which broadcast, with options."""
    test_frule(scaled_power, np.array([0.5, 2.0]), 3, np.ones((2, 1)))
    test_rrule(scaled_power, np.array([0.5, 2.0]), 3, np.ones((2, 1)), fkwargs={"factor": 2.0})
    test_rrule(scaled_power, np.float32(2.0), 3, 1.5)


def test_only_what_is_asked_for():
    """Forwards for the arguments with tangents, in reverse when the cotangent is used."""
    calls.clear()
    frule((NoTangent(), 1.0, NoTangent(), NoTangent()), scaled_power, 2.0, 3, 1.5)
    assert calls == ["x"]
    _, _, n_bar, c_bar = rrule(scaled_power, 2.0, 3, 1.5)[1](1.0)
    assert calls == ["x"]
    assert float(unthunk(c_bar)) == 8.0
    assert calls == ["x", "c"]
    assert n_bar == NoTangent()


def test_constant_argument():
    """A tangent of an argument that is rounded counts for nothing."""
    assert frule((NoTangent(), NoTangent(), 1.0, NoTangent()), scaled_power, 2.0, 3.5, 1.5)[1] in (
        NoTangent(),
        ZeroTangent(),
    )


def test_other_calls():
    """With other options, or other numbers of arguments, there is no rule."""
    assert rrule(scaled_power, 2.0, 3) is None
    assert frule((NoTangent(), 1.0, 1.0), scaled_power, 2.0, 3) is None
    with pytest.raises(RuleNotFoundError):
        rrule.require(scaled_power, 2.0, 3, 1.5, other=1)


def quotient(p, y):
    """The solution of ``x y = p`` for ``x``."""
    return p / y


inverse_rule(quotient, 0, (lambda p, x, y: y, lambda p, x, y: x))


def test_inverse():
    """By implicit differentiation."""
    test_frule(quotient, np.array([1.0, 2.0]), 0.7)
    test_rrule(quotient, np.array([1.0, 2.0]), 0.7)
