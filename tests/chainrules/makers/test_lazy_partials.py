"""Rules whose partial derivatives are computed one by one."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.makers.lazy_partials import TwoPartials, inverse_rule, lazy_scalar_rule
from chainrules_core import (
    DerivativeNotImplementedError,
    NoTangent,
    RuleNotFoundError,
    ZeroTangent,
    frule,
    not_implemented,
    rrule,
    unthunk,
)
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule, normal, positive

calls = []


def power(n, x, scale=1.0):
    """A function with a parameter that is mostly an integer, and one with a default."""
    return (1.0 if scale is None else scale) * x**n


def by_n(y, n, x, scale=1.0):
    """The derivative by the parameter, which remembers that it was called."""
    calls.append("n")
    return y * np.log(x)


lazy_scalar_rule(power, by_n, lambda y, n, x, scale=1.0: n * y / x, lambda y, n, x, scale: x**n, orders=(0,))


def rounded_power(x, n, c, factor=1.0):
    """A function whose second argument is rounded, and with an option that has no tangent."""
    return factor * c * x ** np.floor(n)


def by_x(y, x, n, c, factor=1.0):
    """Its derivative by the first argument, which remembers that it was called."""
    calls.append("x")
    return factor * c * np.floor(n) * x ** (np.floor(n) - 1.0)


def by_c(y, x, n, c, factor=1.0):
    """Its derivative by the last argument."""
    calls.append("c")
    return factor * x ** np.floor(n)


lazy_scalar_rule(rounded_power, by_x, None, by_c)


def parts(a, b):
    """Two results."""
    return a * b, a + b


lazy_scalar_rule(parts, lambda y, a, b: (b, 1.0), lambda y, a, b: (a, not_implemented("by b")))


def scaled_size(a, z):
    """A function that is not holomorphic in `z`."""
    return a * z * np.conj(z)


lazy_scalar_rule(
    scaled_size, lambda y, a, z: z * np.conj(z), lambda y, a, z: TwoPartials(a * np.conj(z), a * z)
)


@pytest.mark.parametrize("z", [0.5 + 1.5j, normal(3, dtype=complex), 1.5])
def test_derivatives_by_the_conjugate(z):
    """Where a function is not holomorphic."""
    test_frule(scaled_size, 2.0 + 1.0j, z)
    test_rrule(scaled_size, 2.0 + 1.0j, z)


@pytest.mark.parametrize("x", [1.5, positive(3), positive(3, 1), np.float32(1.5), positive(0)])
def test_both_modes(x):
    """For numbers and arrays that broadcast, with and without the last argument."""
    n = np.array([2.0, 0.5, 1.5])[: np.size(x) or 1] if np.ndim(x) == 1 else 2.5
    for args in ((n, x), (3, x), (n, x, 2.0)):
        test_frule(power, *args)
        test_rrule(power, *args)


def test_options():
    """Arguments without tangents, by keyword or position; the partial derivatives are given them."""
    test_frule(rounded_power, np.array([0.5, 2.0]), 3, np.ones((2, 1)))
    test_rrule(rounded_power, np.array([0.5, 2.0]), 3, np.ones((2, 1)), fkwargs={"factor": 2.0})
    test_rrule(rounded_power, np.float32(2.0), 3, 1.5)
    for args, named in (((2.0, 3, 1.5), {"factor": 2.0}), ((2.0, 3, 1.5, 2.0), {})):
        y, pullback = rrule(rounded_power, *args, **named)
        f_bar, x_bar, n_bar, c_bar, *option_bars = pullback(1.0)
        assert (y, unthunk(x_bar), unthunk(c_bar)) == (24.0, 36.0, 16.0)
        assert [f_bar, n_bar, *option_bars] == [NoTangent()] * (len(args) - 1)


@pytest.mark.parametrize("x", [2.0, np.float32(2.0), np.array([1.5, 2.0], np.float32)])
def test_precision(x):
    """A tangent has the precision of the result, also where the partial derivatives are finer."""
    dot = np.ones_like(x)
    y, y_dot = frule((NoTangent(), NoTangent(), dot), power, 3, x)
    assert np.asarray(y_dot).dtype == np.asarray(y).dtype == np.asarray(x).dtype
    assert np.asarray(unthunk(rrule(power, 3, x)[1](dot)[2])).dtype == np.asarray(x).dtype


def test_derivatives_that_are_not_wanted_are_not_computed():
    """Neither in reverse nor forwards, nor by an integer."""
    calls.clear()
    _, pullback = rrule(power, 2.5, 1.5)
    _, _, x_bar = pullback(1.0)
    frule((NoTangent(), ZeroTangent(), 1.0), power, 2.5, 1.5)

    assert unthunk(x_bar) == pytest.approx(2.5 * 1.5**1.5)
    assert rrule(power, 2, 1.5)[1](1.0)[1] == NoTangent()
    assert rrule(power, np.array([2]), 1.5)[1](np.ones(1))[1] == NoTangent()
    assert unthunk(pullback(ZeroTangent())[1]) == ZeroTangent()
    assert calls == []
    unthunk(pullback(1.0)[1])
    assert calls == ["n"]
    assert frule.unchecked((NoTangent(), ZeroTangent(), ZeroTangent()), power, 2.5, 1.5)[1] == ZeroTangent()


def test_only_what_is_asked_for():
    """Forwards for the arguments with tangents, in reverse when the cotangent is used."""
    calls.clear()
    frule((NoTangent(), 1.0, NoTangent(), NoTangent()), rounded_power, 2.0, 3, 1.5)
    assert calls == ["x"]
    _, _, n_bar, c_bar = rrule(rounded_power, 2.0, 3, 1.5)[1](1.0)
    assert calls == ["x"]
    assert unthunk(c_bar) == 8.0
    assert calls == ["x", "c"]
    assert n_bar == NoTangent()


def test_rounded_argument():
    """Its tangent counts for nothing."""
    _, y_dot = frule((NoTangent(), NoTangent(), 1.0, NoTangent()), rounded_power, 2.0, 3.5, 1.5)
    assert y_dot == ZeroTangent()


def test_none_for_a_number():
    """Where the function takes it, it has no tangent."""
    y, pullback = rrule(power, 2.5, 4.0, None)
    _, _, _, scale_bar = pullback(1.0)
    assert y == 32.0
    assert scale_bar == NoTangent()


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
    np.testing.assert_array_equal(unthunk(pullback((2.0 * np.ones(3), np.ones(3)))[1]), 2.0 * b + 1.0)
    assert unthunk(pullback((ZeroTangent(), ZeroTangent()))[1]) == ZeroTangent()
    with pytest.raises(DerivativeNotImplementedError, match="by b"):
        grad(lambda b: parts(2.0, b)[1])(3.0)
    _, (first, second) = frule((NoTangent(), np.ones(3), ZeroTangent()), parts, a, b)
    np.testing.assert_array_equal(first, b)
    np.testing.assert_array_equal(second, np.ones(3))


def test_infinite_partial_derivatives():
    """Products and sums of them warn of nothing, and a tangent that is zero adds nothing to them."""
    x = np.array([0.0, 1.0])
    _, y_dot = frule((NoTangent(), np.ones(2), np.array([0.0, 1.0])), power, np.full(2, 0.5), x)
    np.testing.assert_array_equal(y_dot, [np.nan, 0.5])
    _, x_bar = grad(lambda n, x: np.sum(np.where(x > 0.0, power(n, x), 0.0)), (0, 1))(np.full(2, 0.5), x)
    np.testing.assert_array_equal(x_bar, [0.0, 0.5])


def test_what_ufuncs_take_beside_numbers_is_refused():
    """Where a result goes, and where there is none."""
    double = np.frompyfunc(lambda x: x, 1, 1)
    lazy_scalar_rule(double, lambda y, x: 1.0)

    with pytest.raises(TypeError, match="where"):
        rrule(double, 1.0, where=True)
    with pytest.raises(TypeError, match="leaves no trace"):
        rrule(double, 1.0, np.zeros(1))
    with pytest.raises(TypeError, match="leaves no trace"):
        frule((NoTangent(), 1.0), double, 1.0, out=np.zeros(1))


def test_options_that_are_no_numbers():
    """Text by position has no rule."""
    with pytest.raises(RuleNotFoundError):
        rrule.require(rounded_power, 2.0, 3, 1.5, "text")


def quotient(p, y):
    """The solution of ``x y = p`` for ``x``."""
    return p / y


inverse_rule(quotient, 0, (lambda p, x, y: y, lambda p, x, y: x))


def test_inverse():
    """By implicit differentiation."""
    test_frule(quotient, np.array([1.0, 2.0]), 0.7)
    test_rrule(quotient, np.array([1.0, 2.0]), 0.7)


def base_of(p, n):
    """The solution of ``x ** n == p`` for ``x`` between 0 and 2, or else 2."""
    return np.minimum(p ** (1.0 / n), 2.0)


inverse_rule(
    base_of,
    0,
    (lambda p, x, n: n * p / x, lambda p, x, n: p * np.log(x)),
    solves=lambda x, n: x**n,
    ends=(0.0, 1.0),
)


def test_inverse_within_an_interval():
    """NaN where no number solves the equation; a solution that is an end stays there as others move."""
    check_rule(base_of, np.array([0.3, 2.5]), np.array([1.5, 2.5]))
    p, n = np.array([0.25, 1.0, 9.0]), np.array([2.0, 2.0, 2.0])

    by_p, by_n = grad(lambda p, n: np.sum(base_of(p, n)), (0, 1))(p, n)
    np.testing.assert_array_equal(np.isnan(by_p), [False, False, True])
    np.testing.assert_array_equal(np.isnan(by_n), [False, False, True])
    np.testing.assert_array_equal(by_n == 0.0, [False, True, False])
    assert unthunk(rrule(base_of, 0.0, 2.0)[1](1.0)[2]) == 0.0
    assert np.isfinite(grad(base_of)(1e9, 40.0))  # solved up to rounding errors, which are large here


def half(p):
    """The solution of ``2 x = p`` that is not negative, or else 0."""
    return np.maximum(0.5 * p, 0.0)


inverse_rule(half, 0, (lambda p, x: 2.0 * np.ones_like(x),), least=0.0)


def test_inverse_without_a_solution():
    """What it returns instead is constant."""
    np.testing.assert_array_equal(grad(lambda p: np.sum(half(p)))(np.array([-1.0, 3.0])), [0.0, 0.5])
