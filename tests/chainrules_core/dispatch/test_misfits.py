# ruff: noqa: D103 - stand-ins have nothing to document
"""What keeps a rule from serving a call."""

from collections.abc import Callable

import numpy as np
import pytest

from chainrules_core import HasReverseMode, RuleConfig, rrule, typeof_
from chainrules_core.dispatch.misfits import misfits


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
        (float, 2, ["`x` is an int, the rule takes float: write `2.0`"]),
        (float, 10**400, ["`x` is an int, the rule takes float"]),
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
