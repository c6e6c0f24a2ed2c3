"""`frule` and `rrule`: their contract with those who call them."""

import numpy as np
import pytest

from chainrules_core import (
    DimensionMismatchError,
    NoTangent,
    Tangent,
    ZeroTangent,
    frule,
    primitive,
    rrule,
    thunk,
    typeof_,
)
from chainrules_core.dispatch.method_tables import MethodTables
from tests.chainrules_core.boxes import Box
from tests.chainrules_core.dispatch.asked import Asked, Config, make


def test_rrule_returns_value_and_pullback_and_frule_value_and_tangent():
    """The rule is called with the callee and the arguments, and its answer is returned as it is."""
    f = make()

    @rrule.dispatch
    def made_rrule(f: typeof_(f), x: float, y: float):
        return x * y, lambda z_bar: (NoTangent(), y * z_bar, x * z_bar)

    @frule.dispatch
    def made_frule(tangents, f: typeof_(f), x: float, y: float):
        _, x_dot, y_dot = tangents
        return x * y, x_dot * y + x * y_dot

    for _ in range(2):  # by lookup, and from memory
        z, pullback = rrule(f, 2.0, 3.0)
        assert (z, pullback(1.0)) == (6.0, (NoTangent(), 3.0, 2.0))
        assert frule((NoTangent(), 1.0, 10.0), f, 2.0, 3.0) == (6.0, 23.0)


@pytest.mark.parametrize("kwargs", [{}, {"n": 1}])
@pytest.mark.parametrize("config", [(), (Config(),)])
def test_none_where_there_is_no_rule(config, kwargs):
    """Without a rule the answer is `None`, with a configuration or without, with keywords or without."""
    f = make()
    for _ in range(2):
        assert rrule(*config, f, 1.0, **kwargs) is None
        assert rrule(*config, f, **kwargs) is None
        assert frule(*config, (NoTangent(), 1.0), f, 1.0, **kwargs) is None
        assert frule(*config, (NoTangent(),), f, **kwargs) is None


def test_frule_with_varargs():
    """Upstream's pin: a function of any number of arguments, and its sum of tangents."""
    f = make()

    @frule.dispatch
    def made_frule(tangents: tuple, f: typeof_(f), *xs: float):
        return sum(xs), sum(tangents[1:])

    assert frule((None, 1.0, 1.0, 1.0), f, 0.5, 0.5, 0.5) == (1.5, 3.0)
    assert frule((None, 1.0, 1.0), f, 0.5, "a") is None


def test_frule_dispatches_on_the_types_of_tangents():
    """The annotation of the tangents takes part in dispatch; a violation of it means no rule."""
    f = make()

    @frule.dispatch
    def made_frule(tangents: tuple[object, int, float], f: typeof_(f), x: float, y: float):
        return "int and float"

    @frule.dispatch
    def made_frule_of_floats(tangents: tuple[object, float, float], f: typeof_(f), x: float, y: float):
        return "floats"

    for _ in range(2):
        assert frule((None, 1, 1.0), f, 1.0, 1.0) == "int and float"
        assert frule((None, 1.0, 1.0), f, 1.0, 1.0) == "floats"
        assert frule((None, "a", 1.0), f, 1.0, 1.0) is None
        assert frule((None, 1, 1.0), f, 1.0, "a") is None


def test_rule_that_delegates():
    """A rule may call the rule of another function, as Julia's for `Core._apply` does."""
    apply, square = make(), make()

    @frule.dispatch
    def apply_frule(tangents, f: typeof_(apply), g, *xs):
        return frule(tangents[1:], g, *xs)

    @frule.dispatch
    def square_frule(tangents, f: typeof_(square), x: float):
        return x * x, 2 * x * tangents[1]

    assert frule((None, NoTangent(), 1.0), apply, square, 3.0) == (9.0, 6.0)
    assert frule((None, NoTangent(), 1.0), apply, make(), 3.0) is None


def test_keywords_reach_the_rule_and_do_not_dispatch():
    """Keyword arguments are passed on, by lookup, from memory and through a configuration."""
    f = make()

    @rrule.dispatch
    def made_rrule(f: typeof_(f), x: float, *, n, m=0):
        return x, n, m

    for config in ((), (Config(),)):
        for _ in range(2):
            assert rrule(*config, f, 1.0, n=2) == (1.0, 2, 0)
            assert rrule(*config, f, 1.0, n="a", m=3) == (1.0, "a", 3)
    with pytest.raises(TypeError, match="keyword"):
        rrule(f, 1.0)


@pytest.mark.parametrize("args", [(), (Config(),)])
def test_rrule_without_a_function_is_an_error(args):
    """A call that names no function is malformed, not without a rule."""
    with pytest.raises(TypeError):
        rrule(*args)
    with pytest.raises(TypeError):
        rrule(*args, n=1)
    with pytest.raises(TypeError):
        rrule.unchecked(*args)


@pytest.mark.parametrize(
    "args", [(), (np.sin,), (Config(),), (Config(), np.sin), ((NoTangent(),),), (Config(), (NoTangent(),))]
)
def test_frule_without_tangents_or_function_is_an_error(args):
    """A call without tangents, or without a function, is malformed."""
    with pytest.raises(TypeError):
        frule(*args)
    with pytest.raises(TypeError):
        frule(*args, n=1)


@pytest.mark.parametrize("config", [(), (Config(),)])
def test_frule_refuses_what_is_no_tuple_of_tangents(config):
    """Forgetting the tangent of the function itself is an error that says so."""
    f = make()
    with pytest.raises(TypeError, match=r"not a float\. .* write frule\(\(NoTangent\(\), x_dot\), f, x\)"):
        frule(*config, 1.0, f, 1.0)
    with pytest.raises(DimensionMismatchError, match="1 tangents for 1 arguments of made"):
        frule(*config, (1.0,), f, 1.0)
    with pytest.raises(DimensionMismatchError, match="1 tangents for 1 arguments of made"):
        frule.unchecked(*config, (1.0,), f, 1.0)


def test_tangents_may_be_a_named_tuple_or_a_subclass():
    """Any kind of tuple holds tangents."""
    f = make()

    class Tangents(tuple):
        __slots__ = ()

    @frule.dispatch
    def made_frule(tangents, f: typeof_(f), x: float):
        return x, tangents[1]

    assert frule(Tangents((None, 2.0)), f, 1.0) == (1.0, 2.0)
    assert frule(Config(), Tangents((None, 2.0)), f, 1.0) == (1.0, 2.0)


def test_rule_may_decline():
    """A rule that returns `None` says that there is no rule."""
    f = make()

    @rrule.dispatch
    def made_rrule(f: typeof_(f), x: float):
        return None if x < 0 else (x, None)

    assert rrule(f, -1.0) is None
    assert rrule(f, 1.0) == (1.0, None)


def test_pullback_may_be_called_repeatedly():
    """A pullback is a function like any other."""
    f = make()

    @rrule.dispatch
    def made_rrule(f: typeof_(f), x: float):
        def made_pullback(y_bar):
            return NoTangent(), 2 * y_bar

        return x, made_pullback

    _, pullback = rrule(f, 1.0)
    assert [pullback(y_bar)[1] for y_bar in (1.0, 2.0, 1.0)] == [2.0, 4.0, 2.0]
    assert rrule.unchecked(f, 1.0)[1].__name__ == "made_pullback"


def test_functor_rule_gets_the_functor():
    """A rule for a class gets the instance, so that it can return a tangent for what it holds."""

    class Multiplier:
        def __init__(self, x):
            self.x = x

        def __call__(self, y):
            return self.x * y

    @rrule.dispatch
    def multiplier_rrule(f: Multiplier, y: float):
        def multiplier_pullback(z_bar):
            return Tangent[Multiplier](x=y * z_bar), f.x * z_bar

        return f(y), multiplier_pullback

    for factor in (2.0, 3.0):
        z, pullback = rrule(Multiplier(factor), 5.0)
        f_bar, y_bar = pullback(1.0)
        assert (z, f_bar.x, y_bar) == (5 * factor, 5.0, factor)


def test_carriers_dispatch_as_what_they_carry():
    """A rule for a float serves a box of a float, and one of a box of a float, and gets the box itself."""
    f = make()

    @rrule.dispatch
    def made_rrule(f: typeof_(f), x: float):
        return "float", x

    @rrule.dispatch
    def made_rrule_of_arrays(f: typeof_(f), x: np.ndarray):
        return "array", x

    @frule.dispatch
    def made_frule(tangents, f: typeof_(f), x: float):
        return "float", x

    for x, kind in [
        (Box(1.0), "float"),
        (Box(np.ones(2)), "array"),
        (Box(Box(1.0)), "float"),
        (Box(Box(np.ones(2))), "array"),
        (Box(2.0), "float"),
    ]:
        assert rrule(f, x) == (kind, x)
        assert rrule(Config(), f, x) == (kind, x)
    box = Box(Box(1.0))
    assert frule((None, 1.0), f, box) == ("float", box)
    assert rrule(f, Box("text")) is None


def test_primitive_is_its_function():
    """A rule of `f` serves `primitive(f)`, whichever of them it is written for, and gets `f`."""
    f = make()
    marked = primitive(f)

    @rrule.dispatch
    def made_rrule(g: typeof_(marked), x: float):
        return g

    @frule.dispatch
    def made_frule(tangents, g: typeof_(f), x: float):
        return g

    for g in (f, marked):
        assert rrule(g, 1.0) is rrule(Config(), g, 1.0) is f
        assert frule((None, 1.0), g, 1.0) is f


CALLS = [((), False), ((Config(),), False), ((Config(),), True)]


@pytest.mark.parametrize(("config", "takes_config"), CALLS, ids=["plain", "not taken", "taken"])
@pytest.mark.parametrize("kwargs", [{}, {"n": 1}], ids=["", "by keyword"])
@pytest.mark.parametrize("number", range(4))
def test_a_call_is_looked_up_once(monkeypatch, config, takes_config, kwargs, number):
    """Calls like one that was answered ask no table, however they are made and whatever their tangents."""
    f, xs = Asked(takes_config=takes_config).f, (1.0,) * number
    dots = (NoTangent(), *(2.0,) * number)
    delayed = (NoTangent(), *(thunk(lambda: 2.0),) * number)
    calls = [
        lambda: rrule(*config, f, *xs, **kwargs)[0],
        lambda: rrule.unchecked(*config, f, *xs, **kwargs)[0],
        lambda: frule(*config, dots, f, *xs, **kwargs)[0],
        lambda: frule(*config, delayed, f, *xs, **kwargs)[0],
        lambda: frule.unchecked(*config, dots, f, *xs, **kwargs)[0],
    ]
    y = (xs, kwargs.get("n", 0))
    assert [call() for call in calls] == [y] * 5
    assert rrule(*config, f, *xs, "x") is frule(*config, (*dots, 1.0), f, *xs, "x") is None

    def refuse(*args, **kwargs):
        raise AssertionError("looked up again")

    monkeypatch.setattr(MethodTables, "find", refuse)
    assert [call() for call in calls] == [y] * 5
    if number:
        assert frule(*config, dots, f, *xs, **kwargs)[1] == dots
        given = frule(*config, delayed, f, *xs, **kwargs)[1]
        assert [type(dot) for dot in given] == [type(dot) for dot in dots]
        given = frule.unchecked(*config, delayed, f, *xs, **kwargs)[1]
        assert [type(dot) for dot in given] == [type(dot) for dot in delayed]


@pytest.mark.parametrize("config", [(), (Config(),)])
@pytest.mark.parametrize("kwargs", [{"y": 3.0}, {"n": 1, "y": 3.0}], ids=list)
def test_answers_have_one_tangent_for_each_argument_by_position(config, kwargs):
    """What a rule takes by position and a call gives by keyword is a constant; messages name the rule."""

    def product(x, y, *, n=0): ...

    @rrule.dispatch
    def product_rrule(f: typeof_(product), x: float, y: float, *, n=0):
        return x * y, lambda z_bar: (NoTangent(), y * z_bar, x * z_bar)

    @frule.dispatch
    def product_frule(tangents, f: typeof_(product), x: float, y: float, *, n=0):
        return x * y, tangents[1] * y

    y = kwargs["y"]
    for _ in range(2):  # by lookup, and from memory
        z, pullback = rrule(*config, product, 5.0, **kwargs)
        assert (z, pullback(1.0)) == (5.0 * y, (NoTangent(), y))
        assert pullback(ZeroTangent()) == (NoTangent(), ZeroTangent())
        with pytest.raises(DimensionMismatchError, match=r"rrule of product \(\S*test_rules\.py:\d+\)"):
            pullback(np.ones(3))
        assert rrule.unchecked(*config, product, 5.0, **kwargs)[1](1.0) == (NoTangent(), y)
        assert frule(*config, (NoTangent(), 1.0), product, 5.0, **kwargs) == (5.0 * y, y)
        assert frule(*config, (NoTangent(), thunk(lambda: 1.0)), product, 5.0, **kwargs) == (5.0 * y, y)
        with pytest.raises(DimensionMismatchError, match=r"frule of product \(\S*test_rules\.py:\d+\)"):
            frule(*config, (NoTangent(), np.ones(3)), product, 5.0, **kwargs)


@pytest.mark.parametrize("answer", ["text", (1.0,), (1.0, None, None)])
def test_answers_that_are_no_pair_are_returned_as_they_are(answer):
    """Whoever called finds out, also where an argument came by keyword."""

    def odd(x, n=0): ...

    @rrule.dispatch
    def odd_rrule(f: typeof_(odd), x: float, n: int):
        return answer

    assert rrule(odd, 1.0, 2) == rrule(odd, 1.0, n=2) == answer


@pytest.mark.parametrize("count", [1, 2, 3])
def test_rules_of_callables_without_a_hash(count):
    """They are found at each call, with a configuration and without, checked or not."""

    class Unhashable:
        __hash__ = None

    @rrule.dispatch
    def unhashable_rrule(f: Unhashable, *xs: float, n=0):
        return xs, lambda _: None

    @frule.dispatch
    def unhashable_frule(tangents, f: Unhashable, *xs: float, n=0):
        return xs, tangents

    f, xs, dots = Unhashable(), (2.0,) * count, (NoTangent(), *(1.0,) * count)
    for config in ((), (Config(),)):
        assert rrule(*config, f, *xs)[0] == rrule.unchecked(*config, f, *xs)[0] == xs
        assert frule(*config, dots, f, *xs) == frule.unchecked(*config, dots, f, *xs) == (xs, dots)


def test_the_type_of_each_argument_counts(monkeypatch):
    """Also where the answer is at hand: of two arguments, and of three."""

    def mixed(*xs): ...

    @rrule.dispatch
    def number_rrule(f: typeof_(mixed), x: float, *xs: str):
        return "number", None

    @rrule.dispatch
    def text_rrule(f: typeof_(mixed), x: str, *xs: float):
        return "text", None

    @frule.dispatch
    def number_frule(tangents, f: typeof_(mixed), x: float, *xs: str):
        return "number", None

    @frule.dispatch
    def text_frule(tangents, f: typeof_(mixed), x: str, *xs: float):
        return "text", None

    def names(*xs):
        answers = rrule(mixed, *xs), frule((NoTangent(), *(ZeroTangent(),) * len(xs)), mixed, *xs)
        return [answer and answer[0] for answer in answers]

    calls = [(1.0, "a"), ("a", 1.0), (1.0, "a", "b"), ("a", 1.0, 2.0), (1.0, 1.0), ("a", "a")]
    expected = [["number"] * 2, ["text"] * 2] * 2 + [[None] * 2] * 2
    assert [names(*xs) for xs in calls] == expected
    monkeypatch.setattr(MethodTables, "find", None)
    assert [names(*xs) for xs in calls] == expected
