# ruff: noqa: D102, D103 - stand-ins have nothing to document
"""Rules for fewer arguments than their function requires."""

import functools
import re

import pytest

from chainrules_core import RuleDefinitionError, frule, non_differentiable, opt_out, rrule, typeof_


class Model:
    """A class with a method."""

    def predict(self, x): ...

    def scale(self, x, n): ...


def power(x, n): ...


@pytest.mark.parametrize(
    ("f", "said"),
    [
        (
            Model.predict,
            "`Model.predict(self, x)` requires 2. Write `f: typeof_(Model.predict), self: Model, x`.",
        ),
        (power, "it takes 1 argument, and `power(x, n)` requires 2. Write `f: typeof_(power), x, n`."),
        (
            Model().scale,
            "it takes 1 argument, and `model.scale(x, n)` requires 2. Write `f: typeof_(model.scale), x, n`.",
        ),
    ],
)
def test_a_rule_that_is_never_found(f, said):
    """It is an error when it is defined: the message says which parameters the rule has."""
    with pytest.raises(RuleDefinitionError, match=re.escape(said)):

        @rrule.dispatch
        def foo_rrule(f: typeof_(f), x: float): ...

    with pytest.raises(RuleDefinitionError, match=re.escape("`tangents, f: typeof_(")):

        @frule.dispatch
        def foo_frule(tangents, f: typeof_(f), x: float): ...


def test_rules_that_are_found():
    """Arguments that the rule takes by keyword, or leaves to their defaults, need no place in it."""

    def first(x, n=3): ...

    def second(x, n): ...

    def third(*xs): ...

    @rrule.dispatch
    def first_rrule(f: typeof_(first) | typeof_(third), x: float): ...

    @rrule.dispatch
    def second_rrule(f: typeof_(second), x: float, *, n): ...

    @rrule.dispatch
    def options_rrule(f: typeof_(second), x: str, **options): ...

    @rrule.dispatch
    def varargs_rrule(f: typeof_(power), *xs: float): ...

    @rrule.dispatch
    def bound_rrule(f: typeof_(Model().predict), x: float): ...

    @rrule.dispatch
    def partial_rrule(f: typeof_(functools.partial(power, n=3)), x: float): ...

    opt_out(rrule, typeof_(second), complex)
    non_differentiable(second, bytes)
    assert rrule.find(second, 1.0, n=3).function is second_rrule
