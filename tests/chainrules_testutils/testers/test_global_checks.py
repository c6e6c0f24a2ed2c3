"""All rules together: generality, duplicates, ambiguity."""

import dataclasses
import re
import types

import plum
import pytest

from chainrules_core import HasReverseMode, NoTangent, RuleConfig, typeof_
from chainrules_core.dispatch.callees import InstanceOf
from chainrules_core.dispatch.rule_method import Mode
from chainrules_core.dispatch.rules import FRule, RRule
from chainrules_core.parametric_types import promise
from chainrules_testutils import RuleTestError, test_method_tables
from chainrules_testutils.testers import global_checks
from chainrules_testutils.testers.global_checks import _meet, conflicts, idle_opt_outs
from tests.chainrules_testutils.checks_made import is_shown_last


@pytest.fixture
def rules(monkeypatch):
    """The only rules that are checked: what is wrong here must not be wrong for the rest of the run."""
    rules = RRule(Mode("rrule"))
    monkeypatch.setattr(global_checks, "rrule", rules)
    monkeypatch.setattr(global_checks, "frule", FRule(Mode("frule")))
    return rules


def messages(rules):
    """What is wrong with the rules of a table."""
    return [check.message for check in conflicts(rules.methods(), [], "here")]


class A:
    """A class."""


class B(A):
    """A class below it."""


def test_checks_each_callee(rules):
    """There is a check for each callee."""
    for f in (lambda x: x, lambda x: -x):

        @rules.dispatch
        def rule(f: typeof_(f), x: A):
            raise NotImplementedError

    assert test_method_tables().passed == 2


def test_opt_outs_of_nothing(rules):
    """An opt-out of a callee without rules is told with its place, but not one beside a rule."""

    def total(x):
        return x

    @rules.dispatch
    def of_total(f: typeof_(total), x: A):
        raise NotImplementedError

    (rule,) = rules.methods()
    opt_out = dataclasses.replace(rule, opts_out=True)

    (check,) = idle_opt_outs([opt_out], [], "here")

    assert "here: opts out of a rule, and there is none; is the rule for another function?" in check.message
    assert f"test_global_checks.py:{of_total.__code__.co_firstlineno}" in check.message
    assert list(idle_opt_outs([opt_out, rule], [], "here")) == []
    assert list(idle_opt_outs([opt_out], [rule], "here")) == []


def test_ambiguity(rules):
    """Two rules that match the same call, neither of them more specific, are told with their places."""

    def ambiguous(x, y):
        return x

    @rules.dispatch
    def by_first(f: typeof_(ambiguous), x: B, y: A):
        raise NotImplementedError

    @rules.dispatch
    def by_second(f: typeof_(ambiguous), x: A, y: B):
        raise NotImplementedError

    with pytest.raises(plum.AmbiguousLookupError):
        rules(ambiguous, B(), B())
    (message,) = messages(rules)
    assert re.search(r"ambiguous for \(.*ambiguous.*, B, B\): write a rule for that", message)
    assert re.search(r"by_first.*test_global_checks.py:\d+\nby_second.*test_global_checks.py:\d+", message)

    @rules.dispatch
    def by_both(f: typeof_(ambiguous), x: B, y: B):
        return x, lambda y_bar: (NoTangent(), y_bar, NoTangent())

    assert messages(rules) == []


def test_ambiguity_between_classes(rules):
    """A rule for callable instances of a class can be ambiguous with one for a class above."""

    class Above:
        def __call__(self, x):
            return x

    class Below(Above):
        pass

    @rules.dispatch
    def of_above(f: Above, x: B):
        raise NotImplementedError

    @rules.dispatch
    def of_below(f: Below, x: A):
        raise NotImplementedError

    with pytest.raises(plum.AmbiguousLookupError):
        rules(Below(), B())
    with pytest.raises(RuleTestError, match=r"rrule of .*Below: ambiguous for \(.*Below.*, B\)") as caught:
        test_method_tables()
    assert caught.value.report.failed == 1


def test_precedence_settles_ambiguity(rules):
    """Rules of different precedence are not ambiguous."""

    def preferred(x, y):
        return x

    @rules.dispatch(precedence=1)
    def by_first(f: typeof_(preferred), x: B, y: A):
        raise NotImplementedError

    @rules.dispatch
    def by_second(f: typeof_(preferred), x: A, y: B):
        raise NotImplementedError

    assert messages(rules) == []


def test_unrelated_classes_are_not_ambiguous(rules):
    """Rules for classes that have nothing in common, and for other numbers of arguments, coexist."""

    def apart(x, y=None):
        return x

    @rules.dispatch
    def of_int(f: typeof_(apart), x: int, y: object):
        raise NotImplementedError

    @rules.dispatch
    def of_str(f: typeof_(apart), x: object, y: str):
        raise NotImplementedError

    @rules.dispatch
    def of_one(f: typeof_(apart), x: int):
        raise NotImplementedError

    @rules.dispatch
    def of_int_and_str(f: typeof_(apart), x: int, y: str):
        raise NotImplementedError

    assert messages(rules) == []


def test_duplicates_by_default_arguments(rules):
    """A rule with a default argument is also one without that argument."""

    def defaulted(x, n=1):
        return x

    @rules.dispatch
    def with_default(f: typeof_(defaulted), x: float, n: int = 1):
        raise NotImplementedError

    @rules.dispatch
    def without(f: typeof_(defaulted), x: float):
        raise NotImplementedError

    (message,) = messages(rules)
    assert message.startswith("here: two rules have the same signature\nwith_default")


def test_configurations_are_apart(rules):
    """A rule with a configuration does not conflict with one without."""

    def configured(x):
        return x

    @rules.dispatch
    def with_config(config: RuleConfig[HasReverseMode], f: typeof_(configured), x: float):
        raise NotImplementedError

    @rules.dispatch
    def without(f: typeof_(configured), x: float):
        raise NotImplementedError

    assert messages(rules) == []


def test_configurations_of_frules_are_apart():
    """Their tangents stand where the callee of a rule with a configuration stands, and may be anything."""
    rules = FRule(Mode("frule", leading=("tangents",)))

    def configured(x):
        return x

    @rules.dispatch
    def with_config(config: RuleConfig[HasReverseMode], tangents, f: typeof_(configured), x: object):
        raise NotImplementedError

    @rules.dispatch
    def without(tangents, f: typeof_(configured), x: object, y: object):
        raise NotImplementedError

    assert messages(rules) == []


def test_failures_are_raised(rules):
    """One error lists the conflicts of all callees."""

    def conflicting(x, y):
        return x

    @rules.dispatch
    def by_first(f: typeof_(conflicting), x: B, y: A):
        raise NotImplementedError

    @rules.dispatch
    def by_second(f: typeof_(conflicting), x: A, y: B):
        raise NotImplementedError

    with pytest.raises(
        RuleTestError, match=r"test_method_tables: 1 of \d+ checks failed\n- rrule of .*conflicting"
    ) as caught:
        test_method_tables()
    assert is_shown_last(caught, __file__)


def test_opt_outs_do_not_count(rules):
    """An opt-out beside a rule of the same signature is no duplicate."""

    def opted_out(x):
        return x

    @rules.dispatch
    def rule(f: typeof_(opted_out), x: float):
        raise NotImplementedError

    rules.add_read(rule, {}, opts_out=True)
    assert messages(rules) == []


@pytest.mark.parametrize("cls", [object, type])
def test_rules_that_match_everything(rules, monkeypatch, cls):
    """A rule for all callees is refused, however it came to be registered."""

    @rules.dispatch
    def rule(f: A, x: float):
        raise NotImplementedError

    (method,) = rules.methods()
    general = dataclasses.replace(method, members=(promise(InstanceOf, cls),))
    monkeypatch.setattr(
        global_checks, "rrule", types.SimpleNamespace(mode=Mode("rrule"), methods=lambda: [general])
    )
    with pytest.raises(
        RuleTestError, match=r"matches every callee; write `typeof_\(foo\)` or `type\[Foo\]`\n +rule"
    ):
        test_method_tables()


def test_rules_for_an_object_and_for_its_class_are_no_ambiguity(rules):
    """The rule for the object comes first, however the arguments of the other fit."""

    class Functor:
        """What is called."""

        def __call__(self, x, y):
            """Do nothing."""

    f = Functor()

    @rules.dispatch
    def of_object(f: typeof_(f), x: B, y: A):
        raise NotImplementedError

    @rules.dispatch
    def of_class(f: Functor, x: A, y: B):
        raise NotImplementedError

    assert not test_method_tables().failed


def test_a_precedence_puts_a_rule_for_a_class_beside_one_for_the_object(rules):
    """On one level, so that they may be ambiguous."""

    class Functor:
        """What is called."""

        def __call__(self, x, y):
            """Do nothing."""

    f = Functor()

    @rules.dispatch(precedence=1)
    def of_object(f: typeof_(f), x: B, y: A):
        raise NotImplementedError

    @rules.dispatch(precedence=1)
    def of_class(f: Functor, x: A, y: B):
        raise NotImplementedError

    with pytest.raises(RuleTestError, match="ambiguous for"):
        test_method_tables()


def test_what_two_signatures_share():
    """Types that match both, where neither is below the other, and both have one precedence."""
    one, other = plum.Signature(float, object), plum.Signature(object, float)

    assert _meet(one, other) == (float, float)
    assert _meet(one, plum.Signature(object, object)) is None
    assert _meet(plum.Signature(object, object), one) is None
    assert _meet(one, plum.Signature(object, float, precedence=1)) is None
    assert _meet(one, plum.Signature(int, object)) is None
    assert _meet(one, plum.Signature(object, float, float)) is None
