"""Differentiations inside differentiations, in all orders of modes; values that outlive theirs."""

import contextlib
import gc
import itertools
import operator
import traceback
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from chainrules.ad import LostDerivativeWarning, call, grad, jacobian, jvp, value_and_grad, vjp
from chainrules.ad.modes.forward_trace import ForwardTrace
from chainrules.ad.modes.reverse_trace import ReverseTrace
from chainrules.ad.values.config import CONFIG
from chainrules_core import NoTangent, ignore_derivatives, primitive, rrule, rrule_via_ad, typeof_
from chainrules_testutils import jvp as jvp_by_differences
from tests.chainrules.ad.every_mode import EVERY_MODE, MODES, by_jvp
from tests.chainrules.rule_checks import normal

pairs = pytest.mark.parametrize(("D", "E"), list(itertools.product(EVERY_MODE, EVERY_MODE)))


triples = pytest.mark.parametrize(("D", "E", "F"), list(itertools.product(MODES, MODES, MODES)))


# --- Perturbation confusion ------------------------------------------------------------------------


@pairs
def test_an_outer_variable_is_a_constant_inside(D, E):
    """The inner derivative of ``x + y`` is 1 whatever moves outside.

    J. M. Siskind, B. A. Pearlmutter, "Perturbation confusion and referential transparency: correct functional
    implementation of forward-mode AD", 2005: d/dx (x · d/dy (x + y)) is 1 at 1, and not 2.
    """
    assert D(lambda x: x * E(lambda y: x + y)(1.0))(1.0) == 1.0
    assert D(lambda x: x * E(lambda y: x * y)(2.0))(3.0) == pytest.approx(6.0)
    assert D(lambda x: E(lambda y: x * y * y)(x))(3.0) == pytest.approx(4 * 3.0)
    assert D(lambda x: E(lambda y: y * y)(2.0) * x)(3.0) == pytest.approx(4.0)
    assert D(lambda x: E(lambda y: x * x)(2.0))(3.0) == 0.0
    assert D(lambda x: E(lambda x: x * x)(x) + x)(3.0) == pytest.approx(3.0)


@triples
def test_three_levels(D, E, F):
    """Every variable is seen by its own differentiation, however deep it is used."""
    xyz = D(lambda x: E(lambda y: F(lambda z: x * y**2 * z**3)(x))(x))

    # ∂z: 3 x y² z², ∂y of that: 6 x y z², at y = z = x: 6 x⁴.
    assert xyz(1.5) == pytest.approx(24 * 1.5**3)
    assert D(lambda x: x * E(lambda y: y * F(lambda z: x + y + z)(1.0))(2.0))(3.0) == 1.0
    assert D(E(F(np.sin)))(0.5) == pytest.approx(-np.cos(0.5))


@pairs
def test_a_value_that_escapes_is_a_constant(D, E):
    """A traced value that is kept after its differentiation does not move any more."""
    kept = []

    E(lambda y: kept.append(y) or y)(2.0)

    with pytest.warns(LostDerivativeWarning, match="kept from an earlier differentiation"):
        assert D(lambda x: x * kept[0] - kept[0])(3.0) == 2.0


@pairs
def test_a_value_that_escapes_into_an_earlier_differentiation_is_a_constant(D, E):
    """The earlier one sees what is computed with it, be it by an operator, a function or `call`."""
    kept = []

    def f(x):
        slope = E(lambda y: kept.append(y) or x * y)(2.0)
        return slope * kept[-1] + np.multiply(kept[-1], slope) + call(operator.mul, kept[-1], slope)

    assert D(f)(3.0) == 6.0


def test_values_that_escape_hide_in_no_result():
    """What is computed with them is plain, also where the differentiation ended with an error."""
    kept = []

    def f(x):
        kept.append(np.sin(x))
        raise ArithmeticError

    for D in (grad, by_jvp):
        with pytest.raises(ArithmeticError):
            D(f)(0.5)

    assert [type(y * 2.0) for y in kept] == [np.float64] * 2
    assert "ended, level 1" in repr(kept[0])
    with pytest.warns(LostDerivativeWarning):
        assert isinstance(grad(lambda x: x * kept[0])(1.0), float)


def derivative(f, x):
    """The derivative of a function whose result may be a function, that is differentiated when it is called.

    O. Manzyuk et al., "Perturbation confusion in forward automatic differentiation of higher-order
    functions", 2019.
    """
    if callable(f(x)):
        return lambda *args: derivative(lambda x: f(x)(*args), x)
    return by_jvp(f)(x)


def test_derivatives_of_functions_that_return_functions():
    """The "amazing bug": of ``s(u)(f)(x) = f(x + u)`` the derivative by `u` at 0 is d/dx, also twice."""

    def shift(u):
        return lambda f: lambda x: f(x + u)

    once = derivative(shift, 0.0)

    assert once(np.exp)(1.0) == pytest.approx(np.e)
    assert once(once(np.exp))(1.0) == pytest.approx(np.e)
    assert once(once(lambda x: x**3))(2.0) == pytest.approx(12.0)


@pairs
def test_closures_are_added(D, E):
    """A closure over an outer variable that is differentiated inside moves with both."""

    def f(x):
        def plus_x(y):
            return x * y + x

        def sum_of_both(y):
            return plus_x(y) * plus_x(2.0 * y)

        return E(sum_of_both)(x)

    # d/dy (x y + x)(2 x y + x) = x (2 x y + x) + 2 x (x y + x) = x² (4 y + 3), at y = x: 4 x³ + 3 x².
    assert D(f)(1.5) == pytest.approx(12 * 1.5**2 + 6 * 1.5)


@pairs
def test_arrays(D, E):
    """Nested differentiations of programs of arrays agree with finite differences."""
    x = normal(3)

    def inner(t):
        return E(lambda s: np.sum(np.sin(x * s) * t * np.cumsum(x * s)) / (1.0 + s * s))(t)

    assert D(inner)(0.7) == pytest.approx(jvp_by_differences(None, inner, (0.7, 1.0)), rel=1e-8)


def test_pullbacks_and_pushforwards_that_outlive_their_call():
    """They are functions like others: differentiated by their argument and by what they were made from."""

    def f(x):
        _, pullback = vjp(lambda y: np.sin(x * y), 2.0)
        return pullback(x)[0]

    expected = jvp_by_differences(None, lambda x: x * x * np.cos(2.0 * x), (0.5, 1.0))
    for D in EVERY_MODE:
        assert D(f)(0.5) == pytest.approx(expected)


@pairs
def test_stopped_derivatives(D, E):
    """`ignore_derivatives` stops all differentiations, those around the innermost one too."""
    assert D(lambda x: x * ignore_derivatives(x))(3.0) == 3.0
    assert D(lambda x: E(lambda y: y * ignore_derivatives(x * y))(x))(3.0) == 0.0
    assert D(lambda x: E(lambda y: y * ignore_derivatives(lambda: x * y))(x) * x)(3.0) == 9.0
    assert D(lambda x: E(lambda y: x * y * ignore_derivatives([y])[0])(x))(3.0) == 3.0


def test_traces_are_numbered_and_show_their_mode():
    """One that begins later has a greater number."""
    outer, inner = ReverseTrace(), ForwardTrace()

    assert (repr(outer), repr(inner)) == ("reverse", "forward")
    assert outer.number < inner.number


@primitive
def product(a, b):
    """A function with a rule."""
    return a * b


@rrule.dispatch
def product_rrule(f: typeof_(product), a: float, b: float):
    """That of products."""
    return a * b, lambda y_bar: (NoTangent(), b * y_bar, a * y_bar)


def test_mixed_traces_in_one_call():
    """Values of two differentiations, in containers and closures, meet in one operation."""

    def times(x):
        return lambda y: product(x, y)

    def total(x):
        value, slope = value_and_grad(
            lambda y: np.sum(np.stack([x, y, 2.0]) * np.stack([y, x, y])) + times(x)(y)
        )(x * x)
        return value * slope

    def by_hand(x):
        y = x * x
        return (3 * x * y + 2 * y) * (3 * x + 2)

    assert grad(total)(1.5) == pytest.approx(jvp_by_differences(None, by_hand, (1.5, 1.0)))


def test_jacobians_inside():
    """A Jacobian of an inner function can be differentiated."""

    def f(x):
        return np.sum(jacobian(lambda y: np.outer(x, y) @ y)(x) ** 2)

    by_differences = jvp_by_differences(None, f, (normal(2), normal(2, seed=1)))
    assert grad(f)(normal(2)) @ normal(2, seed=1) == pytest.approx(by_differences, rel=1e-7)
    assert jvp(f, (normal(2),), (normal(2, seed=1),))[1] == pytest.approx(by_differences, rel=1e-7)


# --- Values that outlive their differentiation -----------------------------------------------------


def squares(x):
    """Squares of squares, without end."""
    while True:
        x = x * x
        yield x


@pytest.mark.parametrize("D", MODES)
def test_generators_that_run_on(D):
    """What a generator computes after its differentiation has ended is plain, or moves with the outer one."""
    begun = []

    def first(x):
        begun.append(squares(x))
        return next(begun[-1])

    def f(x):
        inside = []

        def first_inside(y):
            inside.append(squares(x * y))
            return next(inside[-1])

        # d/dy (x y)² = 2 x² y at y = 2, and the second square with y as a constant: (2 x)⁴.
        return D(first_inside)(2.0) + next(inside[-1])

    assert D(first)(1.5) == 3.0
    assert all(type(next(g)) is float for g in begun)
    assert D(f)(1.5) == pytest.approx(8 * 1.5 + 64 * 1.5**3)


@pytest.mark.parametrize("D", MODES)
def test_errors_inside(D):
    """A value that is kept from a differentiation which failed moves with the outer one alone."""

    def f(x):
        kept = []

        def failing(y):
            kept.append(x * y)
            raise ArithmeticError

        with contextlib.suppress(ArithmeticError):
            D(failing)(2.0)
        return kept[0] * x

    assert D(f)(3.0) == 12.0


@pytest.mark.parametrize("D", MODES)
def test_inner_differentiations_in_other_threads(D):
    """A thread may differentiate inside of what another one differentiates."""

    def f(x):
        with ThreadPoolExecutor(4) as threads:
            return sum(threads.map(lambda n: D(lambda y: x * y**n)(1.0), range(1, 5)))

    assert D(f)(2.0) == pytest.approx(10.0)


def traced_memory():
    """How much memory is held, but for what the thread holds in which a worker of pytest gets its orders."""
    others = [
        tracemalloc.Filter(inclusive=False, filename_pattern=f"*/{name}/*") for name in ("execnet", "xdist")
    ]
    return sum(trace.size for trace in tracemalloc.take_snapshot().filter_traces(others).traces)


def test_nothing_is_left_behind():
    """Without the garbage collector too all memory of a differentiation is freed when it is done."""

    def f(x):
        for _ in range(100):
            x = np.sin(x * 1.01 + 0.1)
        return x

    def differentiate():
        grad(f)(0.5)
        by_jvp(f)(0.5)
        grad(grad(f))(0.5)

    differentiate()
    gc.collect()
    gc.disable()
    tracemalloc.start()
    try:
        differentiate()
        for _ in range(3):  # a table of the interpreter may double once
            before = traced_memory()
            for _ in range(10):
                differentiate()
            grown = traced_memory() - before
            if grown < 10_000:
                break
    finally:
        tracemalloc.stop()
        gc.enable()
    assert grown < 10_000


def test_which_refusal_is_forgiven():
    """That of the operator of the object whose operand's is called next, and of the error that was caught."""
    trace, x, polynomial, error = ReverseTrace(), object(), object(), TypeError()
    assert trace.refuse(error, (x, polynomial)) is error
    trace.forgive_operator(object(), polynomial)
    trace.forgive_operator(x, object())
    trace.refuse(ValueError(), (x, polynomial))
    assert trace.refused == (error, (x, polynomial))
    trace.forgive_operator(x, polynomial)
    assert trace.refused is None
    trace.forgive_operator(x, polynomial)
    trace.refuse(error)
    trace.forgive_operator(x, polynomial)
    assert trace.refused == (error, None)


@pytest.mark.parametrize(
    "ask",
    [
        rrule,
        lambda f, x: rrule_via_ad(CONFIG, f, x),
        vjp,
        lambda f, x: (f(x), grad(f)),
    ],
)
def test_rules_that_ask_for_themselves(ask):
    """The error names the rule, once, in a few lines; in second derivatives too."""

    def wave(x):
        return np.sin(x)

    @rrule.dispatch
    def wave_rrule(f: typeof_(wave), x: float):
        y, pull = ask(f, x)

        def wave_pullback(y_bar):
            return NoTangent(), pull(x)

        return y, wave_pullback

    for differentiate in (grad(wave), grad(grad(wave))):
        with pytest.raises(RecursionError, match=r"^The rrule `wave_rrule` \(.*\) asks for itself") as caught:
            differentiate(1.0)
        assert len("".join(traceback.format_exception(caught.value)).splitlines()) < 40


def test_errors_of_code_in_c_that_did_not_look():
    """Where a call does not fit on the stack, that may come as a `SystemError`."""

    def wave(x):
        return np.sin(x)

    @rrule.dispatch
    def wave_rrule(f: typeof_(wave), x: float):
        try:
            return rrule(f, x)
        except RecursionError as error:
            if "asks for itself" in str(error):
                raise
            raise SystemError("<class 'type'> returned a result with an exception set") from error

    with pytest.raises(RecursionError, match="asks for itself"):
        grad(wave)(1.0)
