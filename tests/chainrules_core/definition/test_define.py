"""Defining rules for others."""

import inspect

from chainrules_core import NoTangent, define, frule, rrule, rule_maker, scalar_rule, typeof_
from chainrules_core.dispatch.rule_location import place_of_rule


def here():
    """The line that calls it."""
    return inspect.currentframe().f_back.f_lineno


@rule_maker
def constant_rule(f, **options):
    """Define rules with zero derivatives."""

    def constant_frule(tangents, f: typeof_(f), x):
        return f(x), 0.0

    def constant_rrule(f: typeof_(f), x):
        return f(x), lambda y_bar: (NoTangent(), 0.0)

    define(constant_frule, constant_rrule, **options)


@rule_maker
def constant_rules(*functions):
    """Define them for several functions, through another maker and a helper."""
    for f in functions:
        helper(f)


def helper(f):
    """What a maker calls need not be one."""
    constant_rule(f)


def places(f):
    """Where the rules of `f` stand."""
    return {place_of_rule(method.function) for method in (*rrule.methods(f), *frule.methods(f))}


def test_both_rules_are_registered():
    """`define` takes the forward and the reverse rule."""

    def one(x):
        return 1.0

    constant_rule(one)

    assert frule((NoTangent(), 1.0), one, 2.0) == (1.0, 0.0)
    assert rrule(one, 2.0)[1](1.0) == (NoTangent(), 0.0)


def test_one_of_them_may_be_missing():
    """A rule that is `None` is not registered."""

    def one(x):
        return 1.0

    def one_rrule(f: typeof_(one), x):
        return 1.0, None

    define(None, one_rrule)

    assert frule.methods(one) == []
    assert rrule(one, 2.0) == (1.0, None)


def test_rules_stand_where_their_maker_was_called():
    """In the file and line of the caller of a maker, of the outermost where one calls another."""

    def one(x):
        return 1.0

    def two(x):
        return 2.0

    constant_rule(one); line = here()  # fmt: skip # noqa: E702 - on one line
    assert places(one) == {(__file__, line)}
    constant_rules(two); line = here()  # fmt: skip # noqa: E702 - likewise
    assert places(two) == {(__file__, line)}


def test_rules_of_other_helpers_stand_there_too():
    """A rule by `scalar_rule` in a maker stands where the maker was called."""

    def double(x):
        return 2.0 * x

    @rule_maker
    def slope_rule(f, slope):
        scalar_rule(f, lambda y, x: slope)

    slope_rule(double, 2.0); line = here()  # fmt: skip # noqa: E702 - on one line
    assert places(double) == {(__file__, line)}


def test_without_a_maker_rules_stand_where_define_is_called():
    """A rule that is defined directly has the place of the call."""

    def one(x):
        return 1.0

    def one_rrule(f: typeof_(one), x):
        return 1.0, None

    define(None, one_rrule); line = here()  # fmt: skip # noqa: E702 - on one line
    assert places(one) == {(__file__, line)}


def test_precedence_reaches_plum():
    """Of two rules that match equally well the one with the higher precedence serves the call."""

    def f(x, y):
        return 1.0

    def first_rrule(f: typeof_(f), x: float, y):
        return "first", None

    def second_rrule(f: typeof_(f), x, y: float):
        return "second", None

    define(None, first_rrule)
    define(None, second_rrule, precedence=1)

    assert rrule(f, 1.0, 2.0) == ("second", None)
