"""Our own rules run without the profiler; those of others, and what they are given, are shown."""

import contextlib
import operator
import sys
import types

import numpy as np
import pytest

from chainrules.ad import grad, jvp
from chainrules.ad.recording import unshown
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.entry import rules_changed
from chainrules.ad.recording.recorded import record
from chainrules.ad.values.config import ADConfig
from chainrules.ad.watching.observing import Observer, observed_by, observers
from chainrules_core import NoTangent, ProjectTo, frule, rrule
from tests.chainrules.ad.recording.agreement import agrees


@contextlib.contextmanager
def profiled():
    """The names of the functions that the profiler tells of."""
    names = []
    sys.setprofile(lambda frame, kind, arg: names.append(frame.f_code.co_name))
    try:
        yield names
    finally:
        sys.setprofile(None)


class Subclass(np.ndarray):
    """The user's."""


def rule_of(f, *values):
    """The rule that serves a call."""
    return rrule.find(f, *values).looked_at


@pytest.mark.parametrize(("f", "values"), [(np.sin, (np.ones(2),)), (operator.mul, (2.0, np.ones(2)))])
def test_own_rules(f, values):
    """Neither a rule nor its pullback is shown."""
    rule = rule_of(f, *values)
    observed = unshown._UNSHOWN.observed_rrule(rule)
    with profiled() as names:
        y, pullback = observed(f, *values)
        cotangents = pullback(np.ones(2))
        assert sys.getprofile() is not None
    assert rule.__name__ not in names
    assert not {"mul_pullback", "sin_pullback"} & {*names}
    assert np.array_equal(y, f(*values))
    for x_bar, right in zip(cotangents, rrule(f, *values)[1](np.ones(2)), strict=True):
        assert np.array_equal(x_bar, right) or x_bar is right


def test_own_rules_forwards():
    """The same of pushforwards."""
    x, x_dot = np.ones(2), np.full(2, 3.0)
    rule = frule.find((NoTangent(), x_dot), np.sin, x).looked_at
    with profiled() as names:
        y, y_dot = unshown._UNSHOWN.observed_frule(rule)((NoTangent(), x_dot), np.sin, x)
    assert rule.__name__ not in names
    assert np.array_equal(y, np.sin(x))
    assert np.allclose(y_dot, np.cos(x) * x_dot)


@pytest.mark.parametrize(
    "values", [(np.ones(2).view(Subclass),), (np.array([1.0, 2.0], object),), ([1.0, 2.0],)], ids=repr
)
def test_other_values_are_shown(values):
    """A subclass, objects and containers may come with code of the user's."""
    called = []

    def rule(f, *given):
        sys._getframe()
        called.append(given)

    with profiled() as names:
        unshown._UNSHOWN.observed_rrule(rule)(np.sin, *values)
    assert "rule" in names
    assert called


def test_pullbacks_of_other_cotangents_are_shown():
    """So does a cotangent that is no number and no array."""

    def pullback(y_bar):
        return y_bar

    with profiled() as names:
        unshown._unshown(pullback)((1.0, 2.0))
        is_shown = "pullback" in names
        unshown._unshown(pullback)(1.0)
    assert is_shown
    assert names.count("pullback") == 2  # entered and left, once


def test_whose_rules():
    """All rules of the function have to be ours, and this one takes no configuration."""
    rule = rule_of(np.sin, 1.0)
    assert unshown._is_own(rrule, rule, np.sin)
    assert not unshown._is_own(rrule, print, np.sin)
    assert not unshown._is_own(rrule, rule, grad)
    assert not unshown._is_own(rrule, rule, np.frompyfunc(abs, 1, 1))
    ours = types.SimpleNamespace(ruleset="chainrules.rulesets.numpy", config=None, looked_at=rule)
    configured = types.SimpleNamespace(ruleset="chainrules.rulesets.numpy", config=ADConfig, looked_at=print)
    others = types.SimpleNamespace(ruleset=None, config=None, looked_at=print)
    for methods, is_own in (([ours], True), ([ours, others], False), ([configured], False)):
        rules = type("Rules", (), {"methods": lambda f, methods=methods: methods})
        assert unshown._is_own(rules, methods[0].looked_at, np.sin) is is_own


@pytest.mark.parametrize("observer", [unshown._UNSHOWN, unshown._RECALLING])
def test_rules_that_are_recalled(observer):
    """Those of the values that recorded ones stand for, if they are ours, until rules change."""
    grad(np.sin)(1.0)
    recorded = record(1.0, None, None).__class__
    assert recorded is not float
    recall = observer.recalled("reverse", rrule.remembered)
    rule = recall((ADConfig, np.sin, recorded))
    y, pullback = rule(np.sin, 1.0)
    assert (y, pullback(2.0)[1]) == (np.sin(1.0), 2.0 * np.cos(1.0))
    assert recall((ADConfig, np.sin, recorded)) is rule
    assert recall((ADConfig, halved, recorded)) is None
    assert recall((ADConfig, np.sin, str)) is None
    jvp(np.cos, (1.0,), (1.0,))
    forwards = observer.recalled("forward", frule.remembered)
    assert forwards((ADConfig, np.cos, recorded))((NoTangent(), 1.0), np.cos, 1.0) == (
        np.cos(1.0),
        -np.sin(1.0),
    )
    rules_changed[0] += 1
    assert recall((ADConfig, np.sin, recorded)) is None


def test_others_that_look_on():
    """Nothing is recalled where somebody has to see each rule."""
    assert Observer().recalled("reverse", rrule.remembered)((ADConfig, np.sin, float)) is None
    seen = []

    class Seeing(Observer):
        def observed_rrule(self, rule):
            seen.append(rule)
            return rule

    with unshown.own_rules_recalled(), observed_by(Seeing()):
        assert grad(np.sin)(0.0) == grad(np.sin)(0.0) == 1.0
    assert len(seen) == 2


def test_where_they_are():
    """Where the profiler is what tells of calls, and numbers are projected by core."""
    with unshown.own_rules_recalled():
        assert observers() == (unshown._RECALLING if hasattr(sys, "monitoring") else unshown._UNSHOWN,)
    assert observers() == ()
    assert ProjectTo.is_by_core(*unshown._PROJECTED)


def test_where_somebody_else_projects(monkeypatch):
    """All is shown, and looked up."""
    monkeypatch.setattr(type(ProjectTo), "is_by_core", lambda self, *values: False)
    with unshown.own_rules_recalled():
        assert observers() == (unshown._RECALLING,)


def test_functions_of_numpy_that_call_the_users():
    """They are told of in the state of errors: `np.errstate(call=...)` calls a function of the user's."""
    rule = rule_of(np.sin, 1.0)
    with np.errstate(divide="call"), profiled() as names:
        unshown._UNSHOWN.observed_rrule(rule)(np.sin, 1.0)
    assert rule.__name__ in names


def halved(x):
    """The user's, called by a rule with a configuration."""
    return x / 2.0


def test_programs():
    """What rules call of the user's is recorded as ever, and compared."""

    def f(x):
        return np.sum(np.sin(x) * sum(map(halved, x)) + x[0] ** 2)

    x = np.linspace(0.1, 0.9, 4)
    agrees(grad(f), [(x,), (-x,)])
    assert compiled(grad(f), strict=True)(x).shape == x.shape
