# ruff: noqa: D103 - stand-ins have nothing to document
"""Rules that ask for themselves."""

import traceback

import pytest

from chainrules_core import HasReverseMode, NoTangent, RuleConfig, frule, rrule, typeof_


class Engine(RuleConfig[HasReverseMode]):
    """An AD system."""


def relu(x):
    return max(x, 0.0)


@rrule.dispatch
def relu_rrule(f: typeof_(relu), x: float):
    y, _ = rrule(relu, x)
    return y, None


@frule.dispatch
def relu_frule(tangents, f: typeof_(relu), x: float):
    return frule(tangents, f, x)


@rrule.dispatch
def configured_rrule(config: RuleConfig[HasReverseMode], f: typeof_(relu), x: complex):
    return rrule(config, relu, x)


@pytest.mark.parametrize(
    "lookup",
    [
        lambda: rrule(relu, 1.0),
        lambda: frule((NoTangent(), 1.0), relu, 1.0),
        lambda: rrule(Engine(), relu, 1.0),
        lambda: rrule(Engine(), relu, 1j),
    ],
)
def test_a_rule_that_asks_for_itself(lookup):
    """The error names the rule, its place, and what to call instead; its traceback is short."""
    with pytest.raises(RecursionError) as caught:
        lookup()

    said = str(caught.value)
    assert "rule` (tests/chainrules_core/dispatch/test_recursion.py:" in said
    assert "asks for itself" in said
    assert "Call `relu(x)` there." in said
    assert len("".join(traceback.format_exception(caught.value)).splitlines()) < 30


def endless(x):
    return endless(x)


@rrule.dispatch
def endless_rrule(f: typeof_(endless), x: float):
    return endless(x), None


def test_other_recursions():
    """A function that calls itself without end is not the rule's fault."""
    for _ in range(2):  # looked up, and at hand
        with pytest.raises(RecursionError) as caught:
            rrule(endless, 1.0)
        assert "asks for itself" not in str(caught.value)
    rrule(len, [1.0])
