# ruff: noqa: D103 - stand-ins have nothing to document
"""Rules that ask for themselves."""

import pytest

from chainrules_core import NoTangent, frule, rrule, typeof_


def relu(x):
    return max(x, 0.0)


@rrule.dispatch
def relu_rrule(f: typeof_(relu), x: float):
    y, _ = rrule(relu, x)
    return y, None


@frule.dispatch
def relu_frule(tangents, f: typeof_(relu), x: float):
    return frule(tangents, f, x)


@pytest.mark.parametrize("lookup", [lambda: rrule(relu, 1.0), lambda: frule((NoTangent(), 1.0), relu, 1.0)])
def test_a_rule_that_asks_for_itself(lookup):
    """The error names the rule, its place, and what to call instead."""
    with pytest.raises(RecursionError) as caught:
        lookup()

    (note,) = caught.value.__notes__
    assert "rule` (" in note
    assert "test_recursion.py:" in note
    assert "asks for itself" in note
    assert "Call `relu(x)` there" in note


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
        assert not hasattr(caught.value, "__notes__")
    rrule(len, [1.0])
