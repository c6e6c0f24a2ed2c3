# ruff: noqa: D103 - stand-ins have nothing to document
"""What keeps a rule from serving a call."""

from collections.abc import Callable

import numpy as np
import pytest

from chainrules_core import HasReverseMode, RuleConfig, rrule, typeof_
from chainrules_core.dispatch.misfits import misfits, misfits_of_keywords


class WithReverse(RuleConfig[HasReverseMode]):
    """A configuration."""


class Without(RuleConfig[()]):
    """One without features."""


def method_of(hint, *, default=None):
    def foo(x, y=0, *, z=0): ...

    if default is None:

        @rrule.dispatch
        def foo_rrule(f: typeof_(foo), x: hint): ...

    else:

        @rrule.dispatch
        def foo_rrule(f: typeof_(foo), x: hint, y: int = default, *, z=0): ...

    return rrule.methods(foo)[0]


@pytest.mark.parametrize(
    ("hint", "x", "expected"),
    [
        (float, 1.0, []),
        (
            float,
            2,
            ["`x` is an int, the rule takes float: write `2.0`, or annotate it `numbers.Real` in the rule"],
        ),
        (float, 10**400, ["`x` is an int, the rule takes float: annotate it `numbers.Real` in the rule"]),
        (float, np.int64(2), ["`x` is an int64, the rule takes float: annotate it `numbers.Real`"]),
        (float, "2", ["`x` is a str, the rule takes float"]),
        (float, None, ["`x` is NoneType, the rule takes float"]),
        (np.ndarray, (1.0, 2.0), ["`x` is a tuple, the rule takes ndarray: write `np.array(...)`"]),
        (tuple, [1.0], ["`x` is a list, the rule takes tuple: write `tuple(...)`"]),
        (Callable, 1.0, ["`x` is a float, the rule takes Callable"]),
    ],
)
def test_types(hint, x, expected):
    """An argument is named as the rule names it, with what to write where that is clear."""
    assert misfits(method_of(hint), None, (x,), {}) == expected


@pytest.mark.parametrize(
    ("args", "kwargs", "expected"),
    [
        ((), {}, ["it takes 1 to 2 arguments, the call has 0"]),
        (
            (),
            {"a": 1.0},
            ["it takes 1 to 2 arguments, the call has 0", "`a` came by keyword: pass it by position"],
        ),
        (
            (),
            {"a": 1.0, "b": 2.0, "c": 3.0},
            [
                "it takes 1 to 2 arguments, the call has 0",
                "`a`, `b` and `c` came by keyword: pass them by position",
            ],
        ),
        (
            (1.0, 2, 3),
            {},
            ["it takes 1 to 2 arguments, the call has 3", "`z` can only be given by keyword: write `z=...`"],
        ),
    ],
)
def test_numbers(args, kwargs, expected):
    """How many arguments there are, and how many a rule takes."""
    assert misfits(method_of(float, default=1), None, args, kwargs) == expected


def test_configurations():
    """A rule may ask for one, or for more of one."""

    def bar(x): ...

    @rrule.dispatch
    def bar_rrule(config: RuleConfig[HasReverseMode], f: typeof_(bar), x: float): ...

    (method,) = rrule.methods(bar)
    assert misfits(method, WithReverse(), (1.0,), {}) == []
    assert "it asks for a configuration" in misfits(method, None, (1.0,), {})[0]
    assert misfits(method, Without(), (1.0,), {}) == [
        "it asks for RuleConfig[HasReverseMode], and Without does not have all of it"
    ]


@pytest.mark.parametrize(
    ("x", "mend"), [(2**53 - 1, "write `9007199254740991.0`, or "), (2**53, ""), (-(2**53), "")]
)
def test_large_integers(x, mend):
    """They are not written as floats, which could not tell them from their neighbours."""
    assert misfits(method_of(float), None, (x,), {}) == [
        f"`x` is an int, the rule takes float: {mend}annotate it `numbers.Real` in the rule"
    ]


def test_each_of_the_arguments_is_looked_at():
    """Those of ``*args`` too, which have no names."""

    def foo(*xs): ...

    @rrule.dispatch
    def foo_rrule(f: typeof_(foo), x: float, *xs: str): ...

    @rrule.dispatch
    def foo_rrule_of_tuples(f: typeof_(foo), x: int, *xs: tuple): ...

    method, of_tuples = rrule.methods(foo)
    if method.function is not foo_rrule:
        method, of_tuples = of_tuples, method
    assert misfits(method, None, (1.0, "a", "b"), {}) == []
    assert misfits(method, None, ("x", "a", 2.0), {}) == [
        "`x` is a str, the rule takes float",
        "argument 3 is a float, the rule takes str",
    ]
    assert misfits(of_tuples, None, (1, 2.0), {}) == [
        (
            "argument 2 is a float, the rule takes tuple: the annotation of `*xs` is the type of each item, "
            "such as `*xs: float`"
        )
    ]
    assert misfits(method, None, (), {}) == ["it takes 1 argument, the call has 0"]


def test_arrays_and_items():
    """An array where a number belongs, a list where a tuple does, items of the wrong type."""
    assert misfits(method_of(float), None, (np.ones(2),), {}) == [
        (
            "`x` is an ndarray[float64, 1], the rule takes float: annotate it `float | np.ndarray` if the "
            "rule is right for arrays"
        )
    ]
    assert misfits(method_of(tuple[int, int]), None, ((1, "a"),), {}) == [
        "`x` is a tuple, the rule takes tuple[int, int], which looks at its items as well"
    ]
    assert misfits(method_of(float), None, (True,), {}) == ["`x` is a bool, the rule takes float"]


def test_keywords_of_functions_without_a_signature():
    """Nothing is known of their defaults."""

    @rrule.dispatch
    def max_rrule(f: typeof_(max), x: range): ...

    method = rrule.find(max, range(3))
    assert misfits_of_keywords(method, ["key"]) == [
        "it has no parameter for the keyword `key`: give it `*, key`, or `**options`"
    ]


def test_keywords_that_a_rule_takes():
    """By name, or all of them."""

    def foo(x, y=0): ...

    @rrule.dispatch
    def foo_rrule(f: typeof_(foo), x: float, **options): ...

    assert misfits_of_keywords(rrule.methods(foo)[0], ["y"]) == []
    assert misfits_of_keywords(method_of(float, default=0), ["z", "a"])[0].startswith("it has no parameter")
