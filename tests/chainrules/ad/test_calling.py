"""How a call with traced values becomes a node: rules, containers, closures, several results, errors."""

import functools
import math
import operator

import numpy as np
import pytest

from chainrules.ad import ADConfig, TracedValue, call, grad, interception, value_and_grad
from chainrules.ad.calling import apply, is_statement
from chainrules_core import (
    HasReverseMode,
    NoTangent,
    RuleConfig,
    RuleNotFoundError,
    ZeroTangent,
    opt_out,
    primitive,
    rrule,
    scalar_rule,
    typeof_,
    unthunk,
)
from chainrules_testutils import grad as grad_by_differences
from tests.chainrules.ad.ruled_structures import Pair, Parts, Polynomial, keys_of, products, several_results
from tests.chainrules.rule_checks import normal


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


def test_opting_out_of_what_numpy_hands_back_is_an_error():
    """A ufunc has no body to trace: without a rule there is no derivative."""
    cube_root = np.frompyfunc(np.cbrt, 1, 1)
    scalar_rule(cube_root, lambda y, x: 1 / (3 * y * y))
    opt_out(rrule, typeof_(cube_root), np.float32)

    assert grad(cube_root)(8.0) == pytest.approx(1 / 12)
    with pytest.raises(RuleNotFoundError, match="cbrt"):
        grad(cube_root)(np.float32(8.0))


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
    """A derivative is never dropped silently."""
    with pytest.raises(RuleNotFoundError, match="`shift` carries a tangent but can only be given by keyword"):
        grad(lambda s: scaled(3.0, 2.0, shift=s))(2.0)


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


# --- Several results -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "cls"),
    [
        (lambda a, b: (a, b), tuple),
        (lambda a, b: [a, b], list),
        (lambda a, b: {"whole": a, "rest": b}, dict),
        (Parts, Parts),
        (Pair, Pair),
    ],
)
def test_several_results(make, cls):
    """Each part of a result is traced, in the container that it came in; unused ones have zero cotangents."""
    split = several_results(make, cls)

    def part(y, i):
        key = keys_of(cls)[i]
        return getattr(y, key) if cls in (Parts, Pair) else y[key]

    assert grad(lambda x: part(split(x), 0))(2.0) == 3.0
    assert grad(lambda x: part(split(x), 1))(2.0) == 4.0
    assert grad(lambda x: part(split(x), 0) * part(split(x), 1))(2.0) == pytest.approx(9 * 2.0**2)
    assert grad(lambda x: type(split(x)) is cls and x)(2.0) == 1.0


def test_results_without_derivatives_are_ordinary_values():
    """Integers and booleans can be used as indices and in branches."""

    @primitive
    def with_count(x):
        return x.sum(), len(x), True

    @rrule.dispatch
    def with_count_rrule(f: typeof_(with_count), x: np.ndarray):
        return with_count(x), lambda y_bar: (NoTangent(), np.full_like(x, unthunk(y_bar[0])))

    def f(x):
        total, n, flag = with_count(x)
        assert type(n) is int
        return total / n if flag else total

    np.testing.assert_allclose(grad(f)(normal(4)), np.full(4, 0.25))


def test_opaque_results_are_traced_as_a_whole():
    """An object that cannot be taken apart stays one; its fields keep their derivatives."""

    class Opaque:
        def __init__(self, x):
            self.x = x

        def __del__(self): ...  # nobody makes another one in its place

    @primitive
    def make(x):
        return Opaque(x)

    @rrule.dispatch
    def make_rrule(f: typeof_(make), x: float):
        return Opaque(x), lambda y_bar: (NoTangent(), 5.0 * unthunk(y_bar).x)

    def f(x):
        made = make(x)
        assert isinstance(made, TracedValue)
        return made.x * made.x + made.x

    assert grad(f)(3.0) == 5.0 * 7.0
    with pytest.raises(TypeError, match="needs a number as its result, not a Opaque"):
        grad(make)(3.0)


def test_dicts_with_integer_keys():
    """The keys of a dict are no positions."""

    @primitive
    def split(x):
        return {7: 3.0 * x, 9: x * x}

    @rrule.dispatch
    def split_rrule(f: typeof_(split), x: float):
        def split_pullback(y_bar):
            assert set(y_bar.keys()) <= {7, 9}
            return NoTangent(), 3.0 * unthunk(y_bar[7]) + 2.0 * x * unthunk(y_bar[9])

        return {7: 3.0 * x, 9: x * x}, split_pullback

    assert grad(lambda x: split(x)[9])(2.0) == 4.0


def test_hidden_traced_values_are_refused():
    """A rule that meets a traced value which it was not given would lose the derivative by it."""

    class Holder:
        def __init__(self, a):
            self.a = a

        def __del__(self): ...  # nobody makes another one in its place

    @primitive
    def product(holder, x):
        return holder.a * x

    @rrule.dispatch
    def product_rrule(f: typeof_(product), holder: object, x: float):
        return holder.a * x, lambda y_bar: (NoTangent(), ZeroTangent(), holder.a * y_bar)

    assert grad(lambda x: product(Holder(3.0), x))(2.0) == 3.0
    with pytest.raises(TypeError, match="a traced value that was not among its arguments"):
        grad(lambda x: product(Holder(x), x))(2.0)


# --- Errors ----------------------------------------------------------------------------------------


def test_missing_rule():
    """A function without a rule is named, and what to do is said."""
    ufunc = np.frompyfunc(max, 2, 1)
    with pytest.raises(RuleNotFoundError, match=r"max \(vectorized\).*has no rule"):
        grad(lambda x: ufunc(x, 2.0))(1.0)
    with pytest.raises(RuleNotFoundError, match=r"numpy\.nested_iters"):
        grad(lambda x: np.sum(call(np.nested_iters, x, [[0]])))(normal(3))
    with pytest.raises(RuleNotFoundError, match="max"):
        grad(lambda x: call(ufunc, x, 1.0))(1.0)


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
