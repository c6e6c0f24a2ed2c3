# ruff: noqa: D101 - stand-ins have nothing to document
"""`opt_out`: saying that there is no rule."""

import inspect

import numpy as np
import pytest

from chainrules_core import (
    AbstractArray,
    HasReverseMode,
    NoTangent,
    RuleConfig,
    RuleDefinitionError,
    RuleNotFoundError,
    frule,
    opt_out,
    opted_out,
    rrule,
    typeof_,
)


class Config(RuleConfig[HasReverseMode]):
    pass


@pytest.fixture
def total():
    """A function with general rules in both modes, for numbers and arrays."""

    def total(A): ...

    @rrule.dispatch
    def total_rrule(f: typeof_(total), A: AbstractArray | float):
        return "rrule"

    @frule.dispatch
    def total_frule(tangents, f: typeof_(total), A: AbstractArray | float):
        return "frule"

    return total


MASKED = np.ma.masked_array([1.0, 2.0])


def test_call_form(total):
    """`opt_out(rrule, typeof_(f), T)` takes `T`, and nothing else, from the general rule."""
    assert rrule(total, MASKED) == "rrule"
    assert opt_out(rrule, typeof_(total), np.ma.MaskedArray) is None
    for _ in range(2):
        assert rrule(total, MASKED) is rrule(Config(), total, MASKED) is None
        assert rrule(total, np.ones(2)) == rrule(total, 1.0) == "rrule"
    assert frule((NoTangent(), np.ones(2)), total, MASKED) == "frule"


@pytest.mark.parametrize(("rules", "leading"), [(rrule, ()), (frule, ((NoTangent(), 1.0),))])
def test_call_form_with_a_configuration(total, rules, leading):
    """It stands before the callee; calls without one are served as before."""
    opt_out(rules, Config, typeof_(total), float)

    assert rules(Config(), *leading, total, 1.0) is None
    assert rules(*leading, total, 1.0) == rules.mode.name


def test_decorator_form(total):
    """Over a stub with the signature of a rule, whose body is not run."""

    @opt_out(rrule)
    def stub(f: typeof_(total), A: np.ma.MaskedArray):
        raise AssertionError

    assert rrule(total, MASKED) is None
    assert callable(stub)


def test_frule_stub_has_tangents_and_the_call_form_none(total):
    """A stub for `frule` looks like an frule; the call form names the callee and the types."""

    @opt_out(frule)
    def _(tangents, f: typeof_(total), A: np.ma.MaskedArray): ...

    opt_out(frule, typeof_(total), float)
    assert frule((NoTangent(), 1.0), total, MASKED) is None
    assert frule((NoTangent(), 1.0), total, 1.0) is None
    assert frule((NoTangent(), np.ones(2)), total, np.ones(2)) == "frule"
    with pytest.raises(RuleDefinitionError, match="`f` stands where `tangents` belongs"):

        @opt_out(frule)
        def _(f: typeof_(total), A: int): ...


def test_strings_find_local_names(total):
    """The annotations of a stub may be strings."""

    class Local(float): ...

    @opt_out(rrule)
    def _(f: "typeof_(total)", A: "Local"): ...

    assert rrule(total, Local()) is None


@pytest.mark.parametrize("look_before", [True, False])
def test_tie_is_won_in_either_order(look_before):
    """With the signature of a rule, before it or after, the opt-out wins, and no warning is due."""

    def first(x): ...
    def second(x): ...

    opt_out(rrule, typeof_(first), float)
    if look_before:
        assert rrule(first, 1.0) is None

    @rrule.dispatch
    def first_rrule(f: typeof_(first), x: float):
        return "rule"

    @rrule.dispatch
    def second_rrule(f: typeof_(second), x: float):
        return "rule"

    if look_before:
        assert rrule(second, 1.0) == "rule"
    opt_out(rrule, typeof_(second), float)
    opt_out(rrule, typeof_(second), float)

    assert rrule(first, 1.0) is rrule(second, 1.0) is None
    assert opted_out(rrule, first, 1.0)
    assert opted_out(rrule, second, 1.0)


def test_rule_that_is_more_specific_than_an_opt_out(total):
    """An opt-out takes part in dispatch like a rule: a more specific rule wins."""
    opt_out(rrule, typeof_(total), float)

    @rrule.dispatch
    def total_rrule(f: typeof_(total), A: np.float64):
        return "more specific"

    assert rrule(total, 1.0) is None
    assert rrule(total, np.float64(1)) == "more specific"


def test_general_rule_redefined_after_an_opt_out(total):
    """A rule that comes later, and is more general, does not undo an opt-out."""
    opt_out(rrule, typeof_(total), np.ma.MaskedArray)
    assert rrule(total, MASKED) is None

    @rrule.dispatch
    def total_rrule(f: typeof_(total), A: object):
        return "object"

    assert rrule(total, MASKED) is None
    assert rrule(total, "x") == "object"


def test_opted_out_tells_it_from_a_missing_rule(total):
    """`opted_out` is true where it was said that there is no rule, not where there just is none."""
    opt_out(rrule, Config, typeof_(total), np.ma.MaskedArray)

    assert opted_out(rrule, Config(), total, MASKED) is True
    assert opted_out(rrule, total, MASKED) is False
    assert opted_out(rrule, total, "x") is False
    assert opted_out(frule, (NoTangent(), 1.0), total, MASKED) is False


def test_require_says_who_opted_out(total):
    """Where a rule is needed the opt-out is shown, at the line of its caller."""
    opt_out(rrule, typeof_(total), float)
    line = inspect.currentframe().f_lineno - 1

    with pytest.raises(RuleNotFoundError, match=rf"opted out by\n    opted_out.*test_opt_out.py:{line}"):
        rrule.require(total, 1.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((max, typeof_(max)), r"opt_out\(<built-in function max>, ...\): expected `rrule` or `frule`"),
        ((rrule, max, float), r"which callee is meant. Write `typeof_\(max\)`"),
        ((rrule, typeof_(max), 3), "is a value, and types are asked for"),
        ((rrule, object, float), "matches everything"),
        ((rrule, Config), "no parameter for the callee"),
    ],
)
def test_malformed_opt_outs(arguments, message):
    """An opt-out that names no table, no callee or no type is refused, and registers nothing."""
    before = rrule.methods()
    with pytest.raises(RuleDefinitionError, match=message):
        opt_out(*arguments)
    assert rrule.methods() == before
