"""How a call with traced values becomes a node: rules, containers, closures, several results, errors."""

import functools
import math
import operator
import types

import numpy as np
import pytest

from chainrules.ad import ADConfig, call, grad, interception, value_and_grad
from chainrules.ad.calls.calling import HOLDING_NOTHING, apply, apply_to_two, is_statement
from chainrules.ad.modes.nodes import input_node
from chainrules.ad.modes.reverse_trace import ReverseTrace
from chainrules.ad.traced.tracing import traced
from chainrules.ad.writing.fillable import fillable
from chainrules_core import (
    HasReverseMode,
    NoTangent,
    RuleConfig,
    RuleNotFoundError,
    Tangent,
    opt_out,
    primitive,
    rrule,
    typeof_,
)
from chainrules_testutils import grad as grad_by_differences
from tests.chainrules.ad.ruled_structures import Pair, Polynomial, products
from tests.chainrules.rule_checks import normal
from tests.python_calls import functions_run_by


def cube(x):
    """A function with a rule that says 100 times too much, so that its use shows."""
    return x * x * x


@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    """Say that the slope is 100 times what it is."""
    return cube(x), lambda y_bar: (NoTangent(), 300.0 * x * x * y_bar)


# --- Rules are used --------------------------------------------------------------------------------


def test_call_applies_the_rule_of_a_function():
    """Where calls are not intercepted, `call` reaches rules that NumPy's protocols do not."""
    assert grad(cube)(2.0) == grad(lambda x: 2.0 * cube(x))(2.0) / 2.0 == 1200.0
    with interception(False):
        assert grad(cube)(2.0) == 12.0  # traced through
        assert grad(lambda x: call(cube, x))(2.0) == 1200.0
    assert call(cube, 2.0) == 8.0


def test_primitives_are_intercepted():
    """A primitive function needs no `call`."""
    assert grad(primitive(cube))(2.0) == 1200.0


def test_dispatch_sees_the_primal():
    """A rule for floats serves a float that is traced, however often, and not an array."""
    assert grad(grad(primitive(cube)))(2.0) == 1200.0
    with pytest.raises(RuleNotFoundError, match="cube"):
        grad(lambda x: np.sum(primitive(cube)(x)))(normal(2))


def test_a_rule_with_a_configuration_gets_the_engines():
    """Rules that ask for reverse mode are found, with the engine's configuration."""
    seen = []

    def f(x):
        return x

    @rrule.dispatch
    def f_rrule(config: RuleConfig[HasReverseMode], f: typeof_(f), x: float):
        seen.append(config)
        return x, lambda y_bar: (NoTangent(), 2.0 * y_bar)

    assert grad(primitive(f))(1.0) == 2.0
    assert [type(config) for config in seen] == [ADConfig]


def test_a_rule_that_comes_later_is_used():
    """What was found at an earlier call is forgotten when there is a better rule."""

    def f(x):
        return x

    @rrule.dispatch
    def general_rrule(f: typeof_(f), x: object):
        return x, lambda y_bar: (NoTangent(), 2.0 * y_bar)

    assert grad(primitive(f))(1.0) == 2.0
    assert grad(primitive(f))(1.0) == 2.0

    @rrule.dispatch
    def special_rrule(f: typeof_(f), x: float):
        return x, lambda y_bar: (NoTangent(), 3.0 * y_bar)

    assert grad(primitive(f))(1.0) == 3.0


def test_opted_out_calls_are_traced_through():
    """Where it was said that there is no rule, the body is differentiated."""

    def square_sum(x):
        return np.sum(x * x)

    @rrule.dispatch
    def square_sum_rrule(f: typeof_(square_sum), x: object):
        raise AssertionError("the general rule")

    opt_out(rrule, typeof_(square_sum), np.ndarray)

    np.testing.assert_allclose(grad(primitive(square_sum))(normal(3)), 2 * normal(3))


# --- Keywords --------------------------------------------------------------------------------------


@primitive
def scaled(x, scale=1.0, *, shift=0.0):
    """A function whose arguments may be given by keyword."""
    return x * scale + shift


@rrule.dispatch
def scaled_rrule(f: typeof_(scaled), x: float, scale: float = 1.0, **named: float):
    """Have no cotangent for keywords."""

    def scaled_pullback(y_bar):
        return NoTangent(), scale * y_bar, x * y_bar

    return scaled(x, scale, **named), scaled_pullback


def test_traced_keywords_are_moved_to_their_places():
    """A keyword that carries a derivative becomes positional; others stay what they are."""
    assert grad(lambda s: scaled(3.0, scale=s))(2.0) == 3.0
    assert grad(lambda s: scaled(scale=s, x=3.0, shift=1.0))(2.0) == 3.0


def test_traced_keywords_without_a_place_are_refused():
    """A derivative is never dropped silently; where there is a body it is looked into."""
    with pytest.raises(RuleNotFoundError, match="`shift` carries a tangent but can only be given by keyword"):
        grad(lambda s: scaled(3.0, 2.0, shift=s))(2.0)

    def shifted(x, *, by, scale):
        return x * scale + by * by

    @rrule.dispatch
    def shifted_rrule(f: typeof_(shifted), x: float, **named: float):
        raise AssertionError("the rule")

    assert grad(lambda s: shifted(s, by=s, scale=3.0))(2.0) == 3.0 + 4.0


# --- Values inside other values --------------------------------------------------------------------


def test_traced_values_inside_containers_reach_rules():
    """A rule for a list gets the list of values, and its structural cotangent is taken apart."""

    def f(x, y):
        return products([Pair(x, 2.0), Pair(3.0, y), Pair(x, y)], x)

    def plain(x, y):
        return x * (x * 2.0 + 3.0 * y + x * y)

    assert grad(f, (0, 1))(1.5, 2.5) == pytest.approx(grad_by_differences(None, plain, 1.5, 2.5))
    # The rule is differentiable itself.
    assert grad(lambda x: grad(f)(x, 2.5))(1.5) == pytest.approx(2 * 2.0 + 2 * 2.5)


def test_what_the_function_itself_holds_gets_its_cotangent():
    """The first cotangent of a pullback is that of the function, whose fields may be traced."""
    assert grad(lambda s, x: call(Polynomial(s, 1.0), x), (0, 1))(3.0, 2.0) == (2.0, 3.0)
    assert grad(lambda s: call(Polynomial(s, s * s), 2.0))(3.0) == 8.0


def test_closures_that_rules_are_given():
    """A rule for a function that calls another one gets the cotangent of what that one closes over."""

    @primitive
    def called(g, x):
        return g(x)

    @rrule.dispatch
    def called_rrule(f: typeof_(called), g: types.FunctionType, x: float):
        def called_pullback(y_bar):
            g_bar = NoTangent() if g.__closure__ is None else Tangent[types.FunctionType](a=x * y_bar)
            return NoTangent(), g_bar, 5.0 * y_bar

        return g(x), called_pullback

    assert grad(lambda a: called(lambda x: a * x, 3.0))(2.0) == 3.0
    assert grad(lambda a: called(lambda x: 5.0 * x, a))(2.0) == 5.0


def test_closures_with_rules():
    """The rule of a closure knows nothing of what it closes over: if that is traced, the body is."""

    def program(x):
        def times(y):
            return x * y

        @rrule.dispatch
        def times_rrule(f: typeof_(times), y: float):
            raise AssertionError("the rule")

        return times(x * x)

    assert grad(program)(2.0) == 12.0


@pytest.mark.parametrize("intercepted", [True, False])
def test_arguments_of_several_differentiations(intercepted):
    """Of two, beside numbers, constants that are filled, keywords and containers: each has its derivative."""

    def products(x, y):
        filled = np.zeros((3, 3))
        filled[:] = 2.0
        named = np.tensordot(x, y, axes=1) + np.tensordot(filled, y, axes=1) @ np.outer(x, [1.0, 2.0, 3.0])
        listed = np.concatenate([x, y, filled[0]]) ** 2
        clipped = np.where(np.arange(9).reshape(3, 3) % 2, np.outer(x, y), filled * y)
        return (
            np.sum(named[0] ** 2)
            + np.sum(listed) * np.sum(clipped)
            + np.sum(np.interp(y[0], filled[0] * np.arange(3.0), x))
        )

    def inner(x):
        return np.sum(x * grad(lambda y: products(x, y))(x * x))

    def plain(x):
        return np.sum(x * grad_by_differences(None, lambda y: products(x, y), x * x)[0])

    x = np.array([0.3, 0.7, 1.1])
    with interception(intercepted):
        np.testing.assert_allclose(grad(inner)(x), grad_by_differences(None, plain, x)[0], rtol=1e-5)


def wrapped(f):
    """A function that closes over another one, as those of libraries do."""

    def wrapper(x, y):
        return f(x, y)

    HOLDING_NOTHING.add(wrapper)
    return wrapper


@pytest.mark.parametrize("f", [np.multiply, np.dot, operator.mul, cube, wrapped(operator.mul)])
@pytest.mark.parametrize("constant", [2.0, normal(2), "text", cube, None])
def test_the_short_way(f, constant):
    """Functions without data, traced values, numbers, arrays and functions are not looked into."""
    x, _ = traced(normal(2), ReverseTrace(), input_node)
    for args in ((x, constant), (constant, x), (x, x)):
        ran = functions_run_by(lambda args=args: apply(f, args, None, lambda *args: None))
        assert not {"_apply_inspected", "_apply_beside_constants", "is_traced"} & ran.keys()


def test_the_short_way_beside_constants():
    """They are told by their trace, and need not be looked into."""
    x, _ = traced(normal(2), ReverseTrace(), input_node)
    constant = fillable(np.zeros(2))
    for args in ((x, constant), (constant, x), (x, constant, 2.0), (constant, constant, x)):
        ran = functions_run_by(lambda args=args: apply(np.where, args, None, lambda *args: None))
        assert "_apply_inspected" not in ran
    for args in ((x, constant), (constant, x), (x, x)):
        assert (
            not {"apply", "innermost_trace"}
            & functions_run_by(lambda args=args: apply_to_two(np.multiply, *args)).keys()
        )


def test_the_short_way_of_lists():
    """Traced arrays are taken out of a list, beside plain ones; those of two traces are looked for."""
    (x, _), (y, _) = (traced(normal(2), ReverseTrace(), input_node) for _ in range(2))
    for items in ([x, x], (normal(2), x), [normal(2), normal(2)]):
        assert "_apply_inspected" not in functions_run_by(lambda items=items: apply(np.stack, (items,)))
    constant = fillable(np.zeros(2))
    for args in (([x, y],), ([x], y), ([x], constant), ([constant], x)):
        ran = functions_run_by(lambda args=args: apply(cube, args, None, lambda *args: None))
        assert "_apply_inspected" in ran


# --- Bodies ----------------------------------------------------------------------------------------


def test_partials_and_closures_are_called_as_they_are():
    """Without a rule of its own a function is ordinary code."""
    assert grad(functools.partial(lambda a, x: a * x, 3.0))(1.0) == 3.0

    def square(x):
        def times(y):
            return y * x

        return times(x)

    assert value_and_grad(square)(3.0) == (9.0, 6.0)


@pytest.mark.parametrize("count", [1, 2])
def test_arrays_that_are_filled_beside_traced_ones(count):
    """They are constants, wherever they stand among the arguments of a rule."""

    def f(*xs):
        return np.sum(xs[0] * xs[-1])

    @rrule.dispatch
    def f_rrule(f: typeof_(f), *xs: np.ndarray):
        def f_pullback(y_bar):
            return NoTangent(), *(100.0 * y_bar * (place + 1.0) * np.ones(2) for place in range(len(xs)))

        return f(*xs), f_pullback

    def program(x):
        a = np.zeros(2)
        a[:] = 3.0
        return f(a, *[x] * count) + f(*[x] * count, a)

    places = [*range(2, 2 + count), *range(1, 1 + count)]
    np.testing.assert_array_equal(grad(program)(np.ones(2)), np.full(2, 100.0 * sum(places)))


def test_opted_out_calls_with_containers():
    """The body is entered, with the arguments as they were given."""

    def f(xs, k, *, by):
        return math.sin(xs[0]) * by**k

    @rrule.dispatch
    def f_rrule(f: typeof_(f), xs: object, k: object, **named: object):
        raise AssertionError("the general rule")

    opt_out(rrule, typeof_(f), list, int)
    assert grad(lambda x: f([x], 2, by=3.0))(1.0) == pytest.approx(9.0 * math.cos(1.0))
    assert grad(lambda x: f([x], k=2, by=3.0))(1.0) == pytest.approx(9.0 * math.cos(1.0))


def test_opted_out_calls_beside_constants():
    """The body is entered with an array that is filled, too."""

    def f(x, y):
        return math.sin(x[0] * y[0])

    @rrule.dispatch
    def f_rrule(f: typeof_(f), x: object, y: object):
        raise AssertionError("the general rule")

    opt_out(rrule, typeof_(f), np.ndarray, np.ndarray)

    def program(x):
        filled = np.zeros(1)
        filled[:] = 2.0
        return f(x, filled) + f(filled, x)

    np.testing.assert_allclose(grad(program)(np.array([0.3])), [4.0 * math.cos(0.6)])


def test_opted_out_calls_with_plain_keywords():
    """The body is given them."""

    def f(x, *, by):
        return math.sin(x) * by

    @rrule.dispatch
    def f_rrule(f: typeof_(f), x: object, **named: object):
        raise AssertionError("the general rule")

    opt_out(rrule, typeof_(f), float)
    assert grad(lambda x: f(x, by=3.0))(1.0) == pytest.approx(3.0 * math.cos(1.0))


@pytest.mark.parametrize("f", [abs, lambda x: -x, np.negative])
def test_without_traced_values(f):
    """The body is called, or where there is none the function."""
    for args, kwargs in (((-1.0,), {}), ((-1.0,), {"unused": None})):
        assert apply(f, args, kwargs, lambda *args, **kwargs: (args, kwargs)) == (args, kwargs)
    assert apply(f, (-1.0,)) == apply(f, (-1.0,), {}) == 1.0


def test_statements():
    """``x += y`` and ``x[i] = y`` are served by the methods of `x`, if that is traced."""

    def f(x):
        assert is_statement(operator.iadd, (x, 1.0))
        assert is_statement(operator.setitem, (x, 0, 1.0))
        assert not is_statement(operator.iadd, (1.0, x))
        assert not is_statement(operator.add, (x, 1.0))
        assert not is_statement(cube, (x, 1.0))
        return np.sum(x)

    with interception(False):
        assert grad(f)(np.ones(2)).tolist() == [1.0, 1.0]
