"""The functions that ChainRules' own documents teach with: each example takes several modules together.

Where such a document is lax (a pullback that ignores its cotangent, a primal that writes into its argument),
the correct rule stands here, and the lax one is shown to be caught.
"""

import math
import os
import traceback

import numpy as np
import pytest
from scipy import integrate as scipy_integrate
from scipy import special

from chainrules.ad import grad
from chainrules_core import (
    DerivativeNotImplementedError,
    NoTangent,
    NotImplementedTangent,
    Tangent,
    Thunk,
    derivatives_given_output,
    frule,
    non_differentiable,
    not_implemented,
    primitive,
    rrule,
    scalar_rule,
    thunk,
    typeof_,
    unthunk,
    unthunking,
)
from chainrules_testutils import (
    PrimalAndTangent,
    RuleTestError,
    test_approx,
    test_frule,
    test_rrule,
    test_scalar,
)


@pytest.fixture
def rng():
    """A seeded generator."""
    return np.random.default_rng(0)


def one_argument(f, pull):
    """Register for `f` the rule whose pullback is ``pull(x, y_bar)``."""

    @rrule.dispatch
    def f_rrule(callee: typeof_(f), x: object):
        def f_pullback(y_bar):
            return NoTangent(), pull(x, unthunk(y_bar))

        return f(x), f_pullback


# --- Functions that need rules ---------------------------------------------------------------------------


def test_the_fundamental_theorem_of_calculus():
    """The derivative of an integral by its bounds needs no derivative of the quadrature."""

    def integral_of_exp(a, b):
        return scipy_integrate.quad(math.exp, a, b)[0]

    scalar_rule(integral_of_exp, lambda _, a, b: (-math.exp(a), math.exp(b)))

    assert test_rrule(integral_of_exp, 0.5, 1.5, rtol=1e-7).failed == 0
    assert test_frule(integral_of_exp, 0.5, 1.5, rtol=1e-7).failed == 0


def addone(array):
    """A sum that mutates inside, but not its argument."""
    array = array.copy()
    array += 1
    return np.sum(array)


def test_a_function_that_mutates_inside():
    """Its gradient is ones, scaled by the cotangent; a pullback that ignores its cotangent is caught."""
    one_argument(addone, np.full_like)

    assert test_rrule(addone, np.array([1.0, 2.0, 3.0])).failed == 0
    assert np.array_equal(grad(primitive(addone))(np.zeros(3)), np.ones(3))


def exception(x):
    """A square with an exception handler."""
    try:
        return x**2
    except TypeError as error:
        error.add_note("could not square the input")
        raise


def test_a_function_with_an_exception_handler():
    """Its gradient at 3 is 6, which a pullback without its cotangent gives too; finite differences tell."""
    one_argument(exception, lambda x, y_bar: 2 * x * y_bar)

    assert test_rrule(exception, 3.0).failed == 0
    assert grad(primitive(exception))(3.0) == 6.0

    def lax(x):
        return x**2

    one_argument(lax, lambda x, _: 2 * x)
    assert rrule(lax, 3.0)[1](1.0)[1] == 6.0
    with pytest.raises(RuleTestError, match="cotangent for input 2: wrong value"):
        test_rrule(lax, 3.0)


def mse(x, x_hat):
    """The mean squared error, by a loop."""
    total = 0.0
    for x_i, x_hat_i in zip(x, x_hat, strict=True):
        total += (x_i - x_hat_i) ** 2
    return total / len(x)


@rrule.dispatch
def mse_rrule(f: typeof_(mse), x: np.ndarray, x_hat: np.ndarray):
    """The derivative of the whole loop."""

    def mse_pullback(y_bar):
        x_bar = 2 / len(x) * (x - x_hat) * y_bar
        return NoTangent(), x_bar, -x_bar

    return mse(x, x_hat), mse_pullback


def test_a_loop(rng):
    """A rule of a loop agrees with finite differences, and with AD through the loop."""
    x, x_hat = rng.normal(size=(2, 5))

    assert test_rrule(mse, x, x_hat).failed == 0
    test_approx(grad(mse, 1)(x, x_hat), grad(primitive(mse), 1)(x, x_hat))


def sum3(array):
    """The sum of the first three elements."""
    return array[0] + array[1] + array[2]


def test_few_elements_of_many(rng):
    """A rule makes one array where AD adds one for each element."""

    def pull(array, y_bar):
        array_bar = np.zeros_like(array)
        array_bar[:3] = y_bar
        return array_bar

    x = rng.normal(size=30)
    through_elements = grad(sum3)(x)
    one_argument(sum3, pull)

    assert test_rrule(sum3, x).failed == 0
    assert np.array_equal(grad(primitive(sum3))(x), through_elements)


def test_arguments_that_cannot_be_perturbed():
    """A size has `NoTangent()`; what is filled with has the sum of the cotangent, put off."""

    def first_is_one(n):
        array = np.zeros(n)
        array[0] = 1
        return np.sum(array)

    def filled(x, n):
        return np.full(n, x)

    non_differentiable(first_is_one, int)

    @rrule.dispatch
    def filled_rrule(f: typeof_(filled), x: float, n: int):
        @unthunking
        def filled_pullback(y_bar):
            return NoTangent(), thunk(np.sum, y_bar), NoTangent()

        return filled(x, n), filled_pullback

    assert test_rrule(first_is_one, 3).failed == 0
    assert test_frule(first_is_one, 3).failed == 0
    assert test_rrule(filled, 2.0, 4).failed == 0


def test_a_rule_may_compute_its_primal_differently(rng):
    """Sorting once serves the result and the pullback."""

    def ascending(x):
        return np.sort(x)

    @rrule.dispatch
    def ascending_rrule(f: typeof_(ascending), x: np.ndarray):
        order = np.argsort(x)

        @unthunking
        def ascending_pullback(y_bar):
            x_bar = np.empty_like(y_bar)
            x_bar[order] = y_bar
            return NoTangent(), x_bar

        return x[order], ascending_pullback

    assert test_rrule(ascending, rng.normal(size=5)).failed == 0


# --- Pullbacks -------------------------------------------------------------------------------------------


def double_it_pullback(y_bar):
    """At the top of the module: it captures nothing."""
    return NoTangent(), 2 * unthunk(y_bar)


def double_it_pullback_by_type(y_bar):
    """One branch for values, one for thunks."""
    if isinstance(y_bar, Thunk):
        return double_it_pullback_by_type(unthunk(y_bar))
    return NoTangent(), 2 * y_bar


@pytest.mark.parametrize(
    "pullback",
    [double_it_pullback, double_it_pullback_by_type, lambda y_bar: (NoTangent(), 2 * y_bar)],
    ids=["of the module", "by type", "by duck typing"],
)
def test_three_ways_to_write_a_pullback(pullback):
    """They agree, for arrays and for thunks, and return arrays."""

    def double_it(x):
        return 2 * x

    @rrule.dispatch
    def double_it_rrule(f: typeof_(double_it), x: np.ndarray):
        return double_it(x), pullback

    for y_bar in (np.array([10.0, 20.0]), thunk(lambda: np.array([10.0, 20.0]))):
        f_bar, x_bar = rrule(double_it, np.ones(2))[1](y_bar)
        assert f_bar is NoTangent()
        assert isinstance(x_bar, np.ndarray)
        assert np.array_equal(x_bar, [20.0, 40.0])
    assert test_rrule(double_it, np.ones(2)).failed == 0


def test_tracebacks_name_the_pullback():
    """A pullback that fails says whose it is."""

    def reciprocal(x):
        return 1 / x

    @rrule.dispatch
    def reciprocal_rrule(f: typeof_(reciprocal), x: float):
        def reciprocal_pullback(y_bar):
            return NoTangent(), -y_bar / (x - x)

        return reciprocal(x), reciprocal_pullback

    with pytest.raises(ZeroDivisionError) as raised:
        rrule(reciprocal, 2.0)[1](1.0)
    assert traceback.extract_tb(raised.tb)[-1].name == "reciprocal_pullback"


def test_what_is_passed_on_is_not_computed():
    """The pullback of the identity hands a thunk on; one that uses it twice computes it once."""
    computed = []

    def identity(x):
        return x

    def triple(x):
        return x + 2 * x

    @rrule.dispatch
    def identity_rrule(f: typeof_(identity), x: float):
        return x, lambda y_bar: (NoTangent(), y_bar)

    @rrule.dispatch
    def triple_rrule(f: typeof_(triple), x: float):
        return triple(x), lambda y_bar: (NoTangent(), y_bar + 2 * y_bar)

    y_bar = thunk(lambda: computed.append("y_bar") or 1.0)
    assert rrule.unchecked(identity, 1.0)[1](y_bar)[1] is y_bar
    assert computed == []
    assert rrule(triple, 1.0)[1](y_bar)[1] == 3.0
    assert computed == ["y_bar"]


# --- Helpers of rules --------------------------------------------------------------------------------------


def test_a_derivative_that_is_not_implemented():
    """The order of a Bessel function: nothing happens until somebody needs it, and testers call it broken."""

    def bessel(order, x):
        return special.jv(order, x)

    missing = not_implemented("by the order, see https://github.com/JuliaMath/SpecialFunctions.jl/issues/160")
    scalar_rule(
        bessel, lambda _, order, x: (missing, (special.jv(order - 1, x) - special.jv(order + 1, x)) / 2)
    )

    _, order_bar, x_bar = rrule(bessel, 2.0, 1.5)[1](1.0)
    assert isinstance(order_bar, NotImplementedTangent)
    assert x_bar == pytest.approx(special.jvp(2, 1.5))
    report = test_rrule(bessel, 2.0, 1.5)
    assert (report.failed, report.broken) == (0, 1)
    with pytest.raises(DerivativeNotImplementedError, match="by the order"):
        grad(primitive(bessel))(2.0, 1.5)
    assert grad(primitive(bessel), 1)(2.0, 1.5) == pytest.approx(special.jvp(2, 1.5))


def test_strings_are_not_differentiable():
    """Declared for strings only, so numbers have no rule; every cotangent is `NoTangent()`."""

    def joined(*parts):
        return os.path.join(*parts)  # noqa: PTH118 - the function of the slides

    non_differentiable(joined, str, varargs=str)

    y, pullback = rrule(joined, "a", "b", "c")
    assert y == joined("a", "b", "c")
    assert pullback(NoTangent()) == (NoTangent(),) * 4
    assert frule((NoTangent(), NoTangent()), joined, "a") == ("a", NoTangent())
    assert rrule(joined, 1.0) is None


def test_scalar_rule_of_sinh():
    """One line makes both rules, for real and complex numbers and nothing else."""

    def sinh(x):
        return np.sinh(x)

    scalar_rule(sinh, lambda _, x: np.cosh(x))

    assert test_scalar(sinh, 0.8).failed == 0
    assert test_scalar(sinh, 0.8 - 0.3j).failed == 0
    assert rrule(sinh, np.ones(2)) is None
    assert derivatives_given_output(sinh(0.8), sinh, 0.8) == ((np.cosh(0.8),),)


def test_scalar_rule_of_sin():
    """The numbers that the documentation of `frule` shows; the tangent of the function itself is ignored."""

    def sin(x):
        return math.sin(x)

    scalar_rule(sin, lambda _, x: math.cos(x))

    y, y_dot = frule((NoTangent(), 1.0), sin, 0.8236475079774124)
    assert (y, y_dot) == (
        pytest.approx(0.7336293678134624, abs=1e-15),
        pytest.approx(0.6795498147167869, abs=1e-15),
    )
    assert rrule(sin, 0.8236475079774124)[1](1.0) == (NoTangent(), y_dot)


def test_scalar_rule_of_several_results():
    """The tangent of a tuple is a `Tangent` of a tuple: it has the items of one, and is none."""

    def sincos(x):
        return math.sin(x), math.cos(x)

    @scalar_rule(sincos)
    def _(y, x):
        s, c = y
        return (c,), (-s,)

    y, y_dot = frule((NoTangent(), 1.0), sincos, 0.7)
    assert y == sincos(0.7)
    assert y_dot == Tangent[tuple](math.cos(0.7), -math.sin(0.7))
    assert tuple(y_dot) == (math.cos(0.7), -math.sin(0.7))
    assert y_dot != (math.cos(0.7), -math.sin(0.7))
    assert test_frule(sincos, 0.7).failed == test_rrule(sincos, 0.7).failed == 0


def test_scalar_rule_of_several_arguments():
    """The pullback of `hypot` gives a cotangent for the function and for each argument."""

    def hypot(x, y):
        return math.hypot(x, y)

    scalar_rule(hypot, lambda h, x, y: (x / h, y / h))

    assert rrule(hypot, 3.0, 4.0)[1](1) == (NoTangent(), 0.6, 0.8)
    assert test_rrule(hypot, 3.0, PrimalAndTangent(4.0, 1.0), output_tangent=2.0).failed == 0
