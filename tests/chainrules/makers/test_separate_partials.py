"""Rules whose partial derivatives are computed one by one."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.makers.separate_partials import separate_partials_rule
from chainrules_core import (
    DerivativeNotImplementedError,
    NoTangent,
    ZeroTangent,
    frule,
    not_implemented,
    rrule,
    unthunk,
)
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import normal, positive

calls = []


def power(n, x, scale=1.0):
    """A function with a parameter that is mostly an integer, and one with a default."""
    return scale * x**n


def by_n(y, n, x, scale=1.0):
    """The derivative by the parameter, which remembers that it was called."""
    calls.append("n")
    return y * np.log(x)


separate_partials_rule(
    power, by_n, lambda y, n, x, scale=1.0: n * y / x, lambda y, n, x, scale: x**n, orders=(0,)
)


def parts(a, b):
    """Two results."""
    return a * b, a + b


separate_partials_rule(parts, lambda y, a, b: (b, 1.0), lambda y, a, b: (a, not_implemented("by b")))


@pytest.mark.parametrize("x", [1.5, positive(3), positive(3, 1), np.float32(1.5), positive(0)])
def test_both_modes(x):
    """For numbers and arrays that broadcast, with and without the last argument."""
    n = np.array([2.0, 0.5, 1.5])[: np.size(x) or 1] if np.ndim(x) == 1 else 2.5
    for args in ((n, x), (3, x), (n, x, 2.0)):
        test_frule(power, *args)
        test_rrule(power, *args)


def test_derivatives_that_are_not_wanted_are_not_computed():
    """Neither in reverse nor forwards, nor by an integer."""
    calls.clear()
    _, pullback = rrule(power, 2.5, 1.5)
    _, _, x_bar = pullback(1.0)
    frule((NoTangent(), ZeroTangent(), 1.0), power, 2.5, 1.5)

    assert unthunk(x_bar) == pytest.approx(2.5 * 1.5**1.5)
    assert rrule(power, 2, 1.5)[1](1.0)[1] == NoTangent()
    assert rrule(power, np.array([2]), 1.5)[1](np.ones(1))[1] == NoTangent()
    assert calls == []
    unthunk(pullback(1.0)[1])
    assert calls == ["n"]
    assert frule((NoTangent(), ZeroTangent(), ZeroTangent()), power, 2.5, 1.5)[1] == ZeroTangent()


def test_arguments_by_keyword():
    """Constants as the function takes them; traced ones are moved to their places."""
    assert grad(lambda x: power(2, x, scale=3.0))(1.5) == 9.0
    assert grad(lambda scale: power(2, x=1.5, scale=scale))(3.0) == 1.5**2
    assert grad(lambda x: power(n=2, x=x))(1.5) == 3.0


def test_several_results():
    """The cotangents that each contributes; one may be missing without harm."""
    a, b = normal(3), normal(3, seed=1)
    _, pullback = rrule(parts, a, b)
    _, a_bar, b_bar = pullback((np.ones(3), ZeroTangent()))

    np.testing.assert_array_equal(unthunk(a_bar), b)
    np.testing.assert_array_equal(unthunk(b_bar), a)
    assert unthunk(pullback((ZeroTangent(), ZeroTangent()))[1]) == ZeroTangent()
    with pytest.raises(DerivativeNotImplementedError, match="by b"):
        grad(lambda b: parts(2.0, b)[1])(3.0)
    _, (first, second) = frule((NoTangent(), np.ones(3), ZeroTangent()), parts, a, b)
    np.testing.assert_array_equal(first, b)
    np.testing.assert_array_equal(second, np.ones(3))


def test_keywords_of_ufuncs_are_refused():
    """Those that say where a result goes, or where there is none."""
    double = np.frompyfunc(lambda x: x, 1, 1)
    separate_partials_rule(double, lambda y, x: 1.0)

    with pytest.raises(TypeError, match="where"):
        rrule(double, 1.0, where=True)
    with pytest.raises(TypeError, match="out"):
        rrule(double, 1.0, np.zeros(1))
