"""Rules with another function in the place of their author's."""

import numpy as np

from chainrules_core import (
    HasForwardsMode,
    HasReverseMode,
    NoTangent,
    RuleConfig,
    Thunk,
    frule,
    rrule,
    scalar_rule,
    typeof_,
    with_own_rule,
)

NO = NoTangent()
X = np.array([1.0, 2.0])


class Engine(RuleConfig[HasReverseMode, HasForwardsMode]):
    """An AD system."""


def test_a_rule_in_the_place_of_another():
    """It is looked at as the other was, and remembered unless it will not be asked for again."""

    def f(x):
        return np.sum(x)

    @rrule.dispatch
    def f_rrule(f: typeof_(f), x: np.ndarray):
        return f(x), lambda y_bar: (NO, np.full(x.shape, y_bar))

    looked_at = rrule.find(Engine(), f, X).looked_at
    assert with_own_rule(looked_at, lambda rule: rule) is looked_at
    for lasts in (False, True):
        again = [with_own_rule(looked_at, lambda rule: abs, lasts=lasts) for _ in range(2)]
        assert (again[0] is again[1]) is lasts

    changed = with_own_rule(looked_at, lambda rule: lambda f, x: (1.0, lambda y_bar: (NO, np.ones(3))))
    assert isinstance(changed(f, X)[1](1.0)[1], Thunk)
    assert with_own_rule(len, lambda rule: abs) is abs


def test_scalar_rules():
    """The author's function is that of the partial derivatives, in both modes."""

    def double(x):
        return 2.0 * x

    @scalar_rule(double)
    def double_partials(y, x):
        return 2.0

    for rules, leading in ((rrule, ()), (frule, ((NO, 1.0),))):
        looked_at = rules.find(Engine(), *leading, double, 1.0).looked_at
        seen = []
        assert with_own_rule(looked_at, lambda partials, seen=seen: seen.append(partials) or partials)
        assert seen == [double_partials]
        changed = with_own_rule(looked_at, lambda partials: lambda y, x: 7.0)
        answer = changed(*leading, double, 1.0)
        assert (answer[1] if leading else answer[1](1.0)[1]) == 7.0
        assert looked_at.__module__ == __name__
