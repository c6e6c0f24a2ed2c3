# ruff: noqa: D101 - stand-ins have nothing to document
"""Configurations: what an AD system can do, and which rules are meant for it."""

import copy
import math
import pickle
from abc import ABC
from concurrent.futures import ThreadPoolExecutor

import plum
import pytest

from chainrules_core import (
    ForwardsModeCapability,
    HasForwardsMode,
    HasReverseMode,
    NoForwardsMode,
    NoReverseMode,
    ReverseModeCapability,
    RuleConfig,
    RuleNotFoundError,
    frule,
    frule_via_ad,
    opt_out,
    rrule,
    rrule_via_ad,
    typeof_,
)
from chainrules_core.config import is_config


class Boring(RuleConfig):
    pass


class Forwards(RuleConfig[HasForwardsMode, NoReverseMode]):
    pass


class Reverse(RuleConfig[NoForwardsMode, HasReverseMode]):
    pass


class Both(RuleConfig[HasReverseMode, HasForwardsMode]):
    pass


class Stateful(Both):
    def __init__(self, calls):
        self.calls = calls


class GPU:
    """A feature of a user's own."""


class FastGPU(GPU):
    pass


class OnGPU(RuleConfig[HasReverseMode, FastGPU]):
    pass


ALL = [Boring, Forwards, Reverse, Both, Stateful, OnGPU]


def serving(annotation):
    """The configurations that a rule with this annotation serves, by lookup."""

    def foo(x): ...

    def rule(config, f, x):
        return type(config)

    rule.__annotations__ = {"config": annotation, "f": typeof_(foo), "x": float}
    rrule.dispatch(rule)
    configs = [cls([]) if cls is Stateful else cls() for cls in ALL]
    found = {rrule(config, foo, 1.0) for config in configs}
    assert found == {rrule(config, foo, 1.0) for config in configs}, "remembered"
    assert rrule(foo, 1.0) is None
    return found - {None}


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (RuleConfig, set(ALL)),
        (RuleConfig[HasReverseMode], {Reverse, Both, Stateful, OnGPU}),
        (RuleConfig[HasForwardsMode], {Forwards, Both, Stateful}),
        (RuleConfig[HasForwardsMode, HasReverseMode], {Both, Stateful}),
        (RuleConfig[NoForwardsMode], {Reverse}),
        (RuleConfig[NoReverseMode, HasForwardsMode], {Forwards}),
        (RuleConfig[ForwardsModeCapability], {Forwards, Reverse, Both, Stateful}),
        (RuleConfig[ReverseModeCapability], {Forwards, Reverse, Both, Stateful, OnGPU}),
        (RuleConfig[GPU], {OnGPU}),
        (RuleConfig[FastGPU, HasReverseMode], {OnGPU}),
        (Both, {Both, Stateful}),
        (RuleConfig[NoReverseMode] | RuleConfig[GPU], {Forwards, OnGPU}),
    ],
)
def test_rule_serves_configurations_with_its_features(annotation, expected):
    """A rule is found for the configurations that have all features it asks for, and for no others."""
    assert serving(annotation) == expected


def test_order_of_features_does_not_matter():
    """Features are a set."""
    assert RuleConfig[HasReverseMode, HasForwardsMode] is RuleConfig[HasForwardsMode, HasReverseMode]
    assert issubclass(Both, RuleConfig[HasForwardsMode, HasReverseMode])


def test_more_features_are_a_subtype():
    """A configuration with more features is a subtype of one with fewer, subclasses of users included."""
    assert issubclass(RuleConfig[HasReverseMode, GPU], RuleConfig[HasReverseMode])
    assert issubclass(RuleConfig[FastGPU], RuleConfig[GPU])
    assert not issubclass(RuleConfig[GPU], RuleConfig[FastGPU])
    assert not issubclass(RuleConfig, RuleConfig[GPU])
    assert not issubclass(float, RuleConfig[GPU])
    assert isinstance(Stateful([]), RuleConfig[HasReverseMode])
    assert not isinstance(1.0, RuleConfig[HasReverseMode])


def test_most_specific_configuration_wins():
    """plum orders any, reverse, reverse and forwards, and an AD system's own class, and caches."""

    def foo(x): ...

    for annotation in (
        RuleConfig,
        RuleConfig[HasReverseMode],
        RuleConfig[HasReverseMode, HasForwardsMode],
        Stateful,
    ):

        def rule(config, f, x, answer=annotation):
            return answer

        rule.__annotations__ = {"config": annotation, "f": typeof_(foo), "x": float, "answer": type}
        rrule.dispatch(rule)

    assert [rrule(config, foo, 1.0) for config in (Boring(), Reverse(), Both(), Stateful([]))] == [
        RuleConfig,
        RuleConfig[HasReverseMode],
        RuleConfig[HasReverseMode, HasForwardsMode],
        Stateful,
    ]


def test_mixed_rule_set():
    """Rules for forwards mode, and for reverse mode without it, share a callee without ambiguity."""

    def do(f, x): ...

    @rrule.dispatch
    def by_forwards(config: RuleConfig[HasForwardsMode], f: typeof_(do), g: object, x: float):
        return "forwards"

    @rrule.dispatch
    def by_reverse(config: RuleConfig[HasReverseMode, NoForwardsMode], f: typeof_(do), g: object, x: float):
        return "reverse"

    found = [rrule(config, do, abs, 1.0) for config in (Boring(), Forwards(), Reverse(), Both())]
    assert found == [None, "forwards", "reverse", "forwards"]


@pytest.mark.parametrize("config", [Boring(), Both()])
def test_rule_without_configuration_serves_all_once(config):
    """A rule without configuration is found through any configuration, keywords included, and called once."""
    calls = []

    def foo(x): ...

    @rrule.dispatch
    def foo_rrule(f: typeof_(foo), x: float, *, n=0):
        calls.append(n)
        return x, None

    @frule.dispatch
    def foo_frule(tangents, f: typeof_(foo), x: float, *, n=0):
        calls.append(n)
        return x, tangents[1]

    for _ in range(2):  # by lookup, and from memory
        assert rrule(config, foo, 1.0, n=1) == (1.0, None)
        assert frule(config, (None, 2.0), foo, 1.0, n=2) == (1.0, 2.0)
    assert calls == [1, 2, 1, 2]


def test_configured_rule_wins_even_if_less_specific():
    """A rule with a configuration beats every rule without, however closely that one fits."""

    def foo(x): ...

    @rrule.dispatch
    def plain(f: typeof_(foo), x: float):
        return "plain"

    @rrule.dispatch
    def configured(config: RuleConfig[HasReverseMode], f: typeof_(foo), x: object):
        return "configured"

    @frule.dispatch
    def plain_frule(tangents, f: typeof_(foo), x: float):
        return "plain"

    @frule.dispatch
    def configured_frule(config: RuleConfig[HasReverseMode], tangents, f: typeof_(foo), x: object):
        return "configured"

    for _ in range(2):
        assert [rrule(foo, 1.0), rrule(Boring(), foo, 1.0), rrule(Both(), foo, 1.0)] == [
            "plain",
            "plain",
            "configured",
        ]
        assert frule((None, 1.0), foo, 1.0) == frule(Boring(), (None, 1.0), foo, 1.0) == "plain"
        assert frule(Both(), (None, 1.0), foo, 1.0) == "configured"
    assert rrule(Both(), foo, "x") == "configured"
    assert rrule(foo, "x") is None


def test_opt_out_of_a_configured_rule():
    """An opt-out without a configuration does not reach a rule with one; an opt-out with one does."""

    def foo(x): ...

    @rrule.dispatch
    def configured(config: RuleConfig, f: typeof_(foo), x: float):
        return "configured"

    opt_out(rrule, typeof_(foo), float)
    assert rrule(Both(), foo, 1.0) == "configured"
    opt_out(rrule, RuleConfig[HasReverseMode], typeof_(foo), float)
    assert rrule(Both(), foo, 1.0) is None
    assert rrule(Forwards(), foo, 1.0) == "configured"


def test_rules_for_callees_that_cannot_be_hashed():
    """A configuration in front of an unhashable callee is no obstacle."""

    class Functor:
        __hash__ = None

        def __call__(self, x): ...

    @rrule.dispatch
    def functor_rrule(config: Both, f: Functor, x: float):
        return "found"

    @frule.dispatch
    def functor_frule(config: Both, tangents, f: Functor, x: float):
        return "found"

    assert rrule(Both(), Functor(), 1.0) == frule(Both(), (None, 1.0), Functor(), 1.0) == "found"


def test_two_pairs_contradict():
    """A configuration cannot both have and lack a mode."""
    with pytest.raises(TypeError, match="Torn cannot have both HasReverseMode and NoReverseMode"):

        class Torn(RuleConfig[HasReverseMode], RuleConfig[NoReverseMode]):
            pass


@pytest.mark.parametrize("feature", [3, "HasReverseMode", Boring])
def test_features_are_classes(feature):
    """What is not a class, or is itself a configuration, is no feature."""
    with pytest.raises(TypeError, match="a feature is a class, such as HasReverseMode"):
        RuleConfig[feature]


def test_only_the_base_takes_features():
    """An AD system's own class is complete."""
    with pytest.raises(TypeError, match=r"Both\[...\]: only RuleConfig itself takes features"):
        Both[GPU]


@pytest.mark.parametrize(
    "cls", [RuleConfig, RuleConfig[HasReverseMode], RuleConfig[GPU, NoForwardsMode], Both]
)
def test_classes_are_picklable(cls):
    """Configurations travel to other processes, with or without parameters."""
    assert pickle.loads(pickle.dumps(cls)) is cls
    assert copy.deepcopy(cls) is cls


@pytest.mark.parametrize("config", [Boring(), Both(), RuleConfig[HasReverseMode, GPU](), Stateful([1])])
def test_instances_are_picklable(config):
    """Configurations keep their class and their state."""
    restored = pickle.loads(pickle.dumps(config))
    assert type(restored) is type(config)
    assert vars(restored) == vars(config)
    assert hash(config) == hash(config)


def test_repr_is_how_it_was_made():
    """An instance is shown as its class is called."""
    assert repr(Boring()) == "Boring()"


def test_is_config_looks_at_the_class():
    """Instances are configurations, classes and callables that answer to everything are not."""
    assert is_config(Both())
    assert not is_config(Both)
    assert not is_config(len)


def test_threads_make_one_class():
    """Threads that ask for the same features get the same class."""
    for _ in range(20):
        features = tuple(type("Feature", (ABC,), {}) for _ in range(2))
        with ThreadPoolExecutor(4) as pool:
            made = set(pool.map(lambda _, features=features: RuleConfig[features], range(8)))
        assert len(made) == 1


@pytest.mark.parametrize(
    ("function", "arguments", "feature"),
    [(rrule_via_ad, (), "HasReverseMode"), (frule_via_ad, ((None, None),), "HasForwardsMode")],
)
def test_calling_back_without_the_feature(function, arguments, feature):
    """Where an AD system cannot be called back, the message says what the rule should have asked for."""
    with pytest.raises(
        RuleNotFoundError, match=rf"Boring does not have {feature}.*`config: RuleConfig\[{feature}\]`"
    ):
        function(Boring(), *arguments, abs, 1.0)


@pytest.mark.parametrize(
    ("function", "arguments", "feature"),
    [(rrule_via_ad, (), "HasReverseMode"), (frule_via_ad, ((None, None),), "HasForwardsMode")],
)
def test_calling_back_a_promise_not_kept(function, arguments, feature):
    """An AD system that claims a feature without implementing it is told what to write."""
    name = function.__name__
    with pytest.raises(
        RuleNotFoundError, match=rf"Both says that it has {feature}.*`@{name}.dispatch`.*`config: Both`"
    ):
        function(Both(), *arguments, abs, 1.0)


@pytest.mark.parametrize(
    ("function", "arguments", "feature"),
    [
        (rrule_via_ad, (math.sin, 0.5), "HasReverseMode"),
        (frule_via_ad, ((None, 1.0), math.sin, 0.5), "HasForwardsMode"),
    ],
)
def test_calling_back_without_a_configuration(function, arguments, feature):
    """It is said what stands first, and how a rule comes by it."""
    with pytest.raises(
        TypeError, match=rf"first argument is the configuration .*`config: RuleConfig\[{feature}\]`"
    ):
        function(*arguments)


def test_ad_systems_implement_calling_back():
    """`.dispatch` implements both for one's own configuration, and only for that."""

    class Mine(Both):
        pass

    @rrule_via_ad.dispatch
    def mine_reverse(config: Mine, f, *args, **kwargs):
        return f(*args), kwargs

    @frule_via_ad.dispatch
    def mine_forwards(config: Mine, tangents, f, *args, **kwargs):
        return f(*args), tangents, kwargs

    assert rrule_via_ad(Mine(), abs, -1.0, n=2) == (1.0, {"n": 2})
    assert frule_via_ad(Mine(), (None, 3.0), abs, -1.0) == (1.0, (None, 3.0), {})
    assert isinstance(rrule_via_ad, plum.Function)
    with pytest.raises(RuleNotFoundError):
        rrule_via_ad(Both(), abs, -1.0)
