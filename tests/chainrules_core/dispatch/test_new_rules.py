"""Telling hooks about rules."""

import pytest

from chainrules_core import (
    frule,
    non_differentiable,
    on_changed_rules,
    on_new_rule,
    opt_out,
    rrule,
    scalar_rule,
    typeof_,
)
from chainrules_core.dispatch import new_rules, rule_function
from chainrules_core.dispatch.new_rules import RuleHookWarning, add_hook
from tests.chainrules_core.dispatch.asked import make


def register(f, cls=float):
    """Register a rule, and return it."""

    def rule(f, x): ...

    rule.__annotations__ = {"f": typeof_(f), "x": cls}
    return rrule.dispatch(rule)


@pytest.fixture
def told():
    """The modes and methods that a hook was called with since the test began."""
    calls = []
    handle = on_new_rule(lambda mode, method: calls.append((mode, method)))
    calls.clear()
    yield calls
    handle.remove()


def test_helpers_announce_what_they_define(told):
    """Hooks see the rules of every helper, in frule and rrule only, and opt-outs as such."""
    f, g = make(), make()
    scalar_rule(f, lambda y, x: 1.0)
    assert sorted(mode for mode, _ in told) == ["frule", "rrule"]
    non_differentiable(g)
    assert sorted(mode for mode, _ in told[2:]) == ["frule", "rrule"]
    opt_out(rrule, typeof_(g), str)
    mode, method = told[-1]
    assert (mode, method.opts_out, method.callee) == ("rrule", True, typeof_(g))


def test_failed_definition_is_not_announced(told):
    """A rule that is refused is not announced."""
    with pytest.raises(TypeError):
        rrule.dispatch(lambda f, x: None)
    assert told == []


def test_handles_of_one_hook_are_independent():
    """A hook that was added twice is called twice, and each handle removes its own."""
    calls = []

    def hook(mode, method):
        calls.append(mode)

    one, two = on_new_rule(hook), on_new_rule(hook)
    calls.clear()
    register(make())
    assert calls == ["rrule", "rrule"]
    one.remove()
    one.remove()
    register(make())
    assert calls == ["rrule", "rrule", "rrule"]
    two.remove()
    register(make())
    assert len(calls) == 3
    assert "hook" in repr(one)


def test_rule_that_comes_while_a_hook_is_added_is_told_once():
    """A rule that is both present and announced reaches the hook once."""
    f = make()
    seen = []

    def present():
        register(f)  # as another thread might, between adding the hook and reading what is present
        return rrule.methods(f)

    handle = add_hook(lambda mode, method: seen.append(method), present)
    handle.remove()
    assert len(seen) == 1


def test_failing_hook_does_not_stop_registration():
    """A hook that raises is reported; the rule is registered, and other hooks are told."""
    f, seen = make(), []

    def fail(mode, method):
        if method.callee is typeof_(f):
            raise KeyError("broken")

    handles = [on_new_rule(fail), on_new_rule(lambda mode, method: seen.append(method.callee))]
    try:
        with pytest.warns(
            RuleHookWarning, match=r"fail.*rule\(typeof_\(made\), float\).*KeyError\('broken'\)"
        ) as warned:
            register(f)
        assert warned[0].filename == rule_function.__file__, "the place that announces rules"
    finally:
        for handle in handles:
            handle.remove()
    assert seen[-1] is typeof_(f)
    assert len(rrule.methods(f)) == 1


def test_hook_that_fails_for_a_present_rule_is_not_added():
    """Who adds a hook sees its failure, and the hook is not kept."""
    calls = []

    def fail(mode, method):
        calls.append(mode)
        raise KeyError

    register(make())
    with pytest.raises(KeyError):
        on_new_rule(fail)
    register(make())
    assert len(calls) == 1


def test_hook_may_register_and_look_up():
    """A hook may use the rules, and register others."""
    f, g = make(), make()

    def hook(mode, method):
        if method.callee is typeof_(f) and mode == "rrule":
            register(g, str)
            assert rrule(f, 1.0) is None

    handle = on_new_rule(hook)
    register(f)
    handle.remove()
    assert len(rrule.methods(g)) == 1
    assert frule.methods(g) == []


def test_on_new_rule_tells_of_rules_present_and_to_come():
    """A hook is called once for every rule, first those present; `remove` ends it."""
    f = make()

    def present(f: typeof_(f), x: float): ...
    def present_frule(tangents, f: typeof_(f), x: float): ...
    def later(f: typeof_(f), x: int): ...
    def last(f: typeof_(f), x: str): ...

    rrule.dispatch(present)
    frule.dispatch(present_frule)
    told = []
    handle = on_new_rule(lambda mode, method: told.append((mode, method.function)))
    assert told.count(("rrule", present)) == told.count(("frule", present_frule)) == 1
    rrule.dispatch(later)
    assert told[-1] == ("rrule", later)
    handle.remove()
    rrule.dispatch(last)
    assert ("rrule", last) not in told


def test_decorator_of_what_forgets(monkeypatch):
    """It leaves the function as it is, which is called for each new rule."""
    calls = []
    monkeypatch.setattr(new_rules, "_forgetters", [])

    @on_changed_rules
    def forget():
        calls.append("forgotten")

    forget()
    register(make())
    assert calls == ["forgotten", "forgotten"]


def test_rules_of_rulesets_are_told_on_demand(monkeypatch):
    """Who sees the rules of all rulesets by looking them up need not know when these are imported."""
    calls = []
    monkeypatch.setattr(new_rules, "_forgetters", [])
    on_changed_rules(lambda: calls.append("all"))
    on_changed_rules(lambda: calls.append("others"), by_rulesets=False)

    new_rules.rules_changed("a.ruleset")
    assert calls == ["all"]
    register(make())
    assert calls == ["all", "all", "others"]
