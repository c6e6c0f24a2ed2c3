"""What a rule returns is a pair, and the message for anything else says how to write one."""

import numpy as np
import pytest

from chainrules_testutils import RuleTestError, test_frule, test_rrule
from chainrules_testutils.testers.rule_answers import (
    answer_problem,
    none_problem,
    parameters_advice,
    unsized_advice,
)


def pullback(y_bar):
    """Stands for a pullback."""


@pytest.mark.parametrize(("mode", "answer"), [("rrule", (1.0, pullback)), ("frule", (1.0, 2.0))])
def test_pairs_are_answers(mode, answer):
    """A pair has no problem; the second of an `rrule` can be called."""
    assert answer_problem(mode, "a_rule (file:1)", answer) is None


@pytest.mark.parametrize(
    ("mode", "answer", "says"),
    [
        ("rrule", 4.0, "should return (y, pullback), not 4.0. Write `return y, pullback`."),
        ("rrule", (1.0, 2.0, 3.0), "not (1.0, 2.0, 3.0). Write `return y, pullback`."),
        ("rrule", [1.0], "not [1.0]. Write `return y, pullback`."),
        (
            "rrule",
            [1.0, 2.0],
            "not [1.0, 2.0]. Write a tuple, `return y, pullback`, in the place of the list.",
        ),
        (
            "rrule",
            (1.0, 2.0),
            "The second is a function of the cotangent; it captures the values that it needs.",
        ),
        ("rrule", (pullback, 1.0), "They are the other way round."),
        ("rrule", pullback, "That is the pullback alone: write `return y, pullback`."),
        ("frule", 4.0, "should return (y, y_dot), not 4.0. Write `return y, y_dot`."),
        ("frule", (1.0,), "not (1.0,). Write `return y, y_dot`."),
        ("frule", [1.0], "not [1.0]. Write `return y, y_dot`."),
        ("frule", [1.0, 2.0], "Write a tuple, `return y, y_dot`, in the place of the list."),
    ],
)
def test_other_answers(mode, answer, says):
    """Each has the name and place of the rule, what it returned, and what to write."""
    problem = answer_problem(mode, "a_rule (file:1)", answer)

    assert problem.startswith("a_rule (file:1) should return (")
    assert problem.endswith(says)


def test_no_answer():
    """A rule that returns `None` may have forgotten its `return`."""
    assert none_problem("frule", "a_rule (file:1)") == (
        "a_rule (file:1) returned None: no rule. It should return (y, y_dot); has it no `return`?"
    )


class Owner:
    """An object with a method without a rule."""

    def scale(self, x):
        """Twice the argument."""
        return 2.0 * x


def test_rules_of_rulesets_decline():
    """That of all bound methods does not lack a `return`: it is said which rule it looks for."""
    with pytest.raises(
        RuleTestError, match=r"leaves this call to other rules.\n[\s\S]*asks for a rule of the fun"
    ):
        test_rrule(Owner().scale, 1.0)


@pytest.mark.parametrize(("tester", "name"), [(test_rrule, "rrule"), (test_frule, "frule")])
def test_answers_that_are_taken_apart(tester, name):
    """A rule that asks for another, of a function that has none, is told how to call back."""

    def applied(f, x):
        return f(x)

    def asks(config, *arguments):
        y, derivative = None if callable(arguments[-2]) else 1.0
        return y, derivative

    with pytest.raises(RuleTestError, match=rf"answers `None` .* Write `{name}_via_ad\(config, .*RuleConfig"):
        tester(applied, lambda x: x, 1.0, **{f"{name}_f": asks})


def test_lengths_of_arrays_without_axes():
    """Advice is for the first input without axes, and only where a length was asked for."""
    scalar, vector = np.array(1.0), np.ones(2)
    error = TypeError("len() of unsized object")

    assert unsized_advice(error, (abs, vector, scalar, scalar)) == (
        "Input 3 is 0-d, an array without a length: `x.size` counts its elements."
    )
    assert unsized_advice(error, (abs, vector)) == ""
    assert unsized_advice(TypeError("other"), (abs, scalar)) == ""
    assert unsized_advice(ValueError("len() of unsized object"), (abs, scalar)) == ""


def test_parameters_of_pullbacks():
    """Advice is for those that cannot be called with one cotangent; of some nobody knows the parameters."""
    assert "`def foo_pullback(y_bar)`" in parameters_advice(lambda x, y_bar: None)
    assert parameters_advice(lambda y_bar: None) == parameters_advice(max) == ""
