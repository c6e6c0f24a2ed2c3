# ruff: noqa: D101, D102, D103 - stand-ins have nothing to document
"""The rule for the very object comes before all rules for its class."""

import functools
import types

import numpy as np
import pytest

from chainrules_core import HasReverseMode, RuleConfig, opt_out, opted_out, rrule, typeof_


class Config(RuleConfig[HasReverseMode]):
    pass


class Functor:
    def __call__(self, x): ...


def rule(answer, *annotations, precedence=0):
    """Register a rule with these annotations, the configuration and the callee first, that gives `answer`."""
    names = ["config", "f", "x"][3 - len(annotations) :]
    scope = {"answer": answer}
    exec(f"def made({', '.join(names)}): return answer", scope)  # noqa: S102 - by arity
    scope["made"].__annotations__ = dict(zip(names, annotations, strict=True))
    rrule.dispatch(precedence=precedence)(scope["made"])


def of_a_class_of_its_own():
    class Own(Functor): ...

    return Own(), Own


def partial():
    class Own(functools.partial): ...

    return Own(len), Own


def vectorized():
    class Own(np.vectorize): ...

    return Own(len), Own


def constructor():
    class Own: ...

    return Own, type[Own]


CALLEES = [of_a_class_of_its_own, partial, vectorized, constructor]


@pytest.mark.parametrize("callee", CALLEES)
@pytest.mark.parametrize("class_first", [True, False])
@pytest.mark.parametrize("look_between", [True, False])
def test_before_a_rule_for_the_class_with_a_configuration(callee, class_first, look_between):
    """Whichever was registered first, and whether a lookup came between."""
    f, cls = callee()
    rules = [("object", typeof_(f), float), ("class", Config, cls, float)]
    for registered in rules[:: -1 if class_first else 1]:
        rule(*registered)
        if look_between:
            rrule(Config(), f, 1.0)

    assert rrule(Config(), f, 1.0) == rrule(f, 1.0) == "object"
    assert rrule(Config(), f, 1.0) == "object", "remembered"
    assert rrule.remembered((Config, f, float)) is not None


@pytest.mark.parametrize("callee", CALLEES)
def test_before_a_rule_for_the_class_whose_arguments_fit_more_closely(callee):
    """There is nothing ambiguous about it."""
    f, cls = callee()
    rule("class", cls, float)
    rule("object", typeof_(f), object)

    assert rrule(f, 1.0) == "object"


def test_rules_for_the_class_serve_what_those_for_the_object_do_not():
    """A rule for the object that does not apply hides nothing."""
    f, cls = of_a_class_of_its_own()
    rule("object", typeof_(f), str)
    rule("class", cls, float)
    rule("class with configuration", Config, cls, float)

    assert rrule(f, "x") == rrule(Config(), f, "x") == "object"
    assert rrule(f, 1.0) == "class"
    assert rrule(Config(), f, 1.0) == "class with configuration"
    assert rrule(f, 1) is None


def test_of_rules_for_one_object_that_with_a_configuration_comes_first():
    """As among rules for one class, even where the other fits more closely."""
    f, cls = of_a_class_of_its_own()
    rule("object", typeof_(f), float)
    rule("object with configuration", Config, typeof_(f), object)
    rule("class with configuration", Config, cls, float)

    assert rrule(Config(), f, 1.0) == rrule(Config(), f, "x") == "object with configuration"
    assert rrule(f, 1.0) == "object"


def test_an_opt_out_for_the_object_hides_the_class():
    """That there is no rule is an answer for the object, too."""
    f, cls = of_a_class_of_its_own()
    rule("class with configuration", Config, cls, float)
    opt_out(rrule, typeof_(f), float)

    assert rrule(Config(), f, 1.0) is None
    assert opted_out(rrule, Config(), f, 1.0)
    assert rrule(Config(), cls(), 1.0) == "class with configuration"


def test_bound_methods_are_objects():
    """Equal bound methods are one object, made anew at each access."""

    class Owner:
        def method(self, x): ...

    owner = Owner()
    rule("object", typeof_(owner.method), float)

    @rrule.dispatch
    def bound_rrule(config: Config, f: types.MethodType, x: float):
        return "class" if isinstance(f.__self__, Owner) else None

    assert rrule(Config(), owner.method, 1.0) == "object"
    assert rrule(Config(), Owner().method, 1.0) == "class"


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("look_before", [True, False])
def test_a_union_that_names_the_object_and_its_class(order, look_before):
    """It is a rule for the object where it names that, whatever else it names, and is there once."""
    f, cls = of_a_class_of_its_own()
    rule("other", typeof_(f), str)
    rule("class with configuration", Config, cls, float)
    if look_before:
        assert rrule(f, "x") == "other"
    one, other = (typeof_(f), cls)[::order]
    rule("union", one | other, float)

    assert rrule(Config(), f, 1.0) == "union"
    assert rrule(Config(), cls(), 1.0) == "class with configuration"
    assert [method.name for method in rrule.methods(f)] == ["made"] * 3


def test_a_precedence_puts_a_rule_for_a_class_on_a_level():
    """It then comes first where neither fits more closely; a rule for the object that fits better wins."""
    f, cls = of_a_class_of_its_own()
    rule("object", typeof_(f), object)
    rule("object and text", typeof_(f), str)
    rule("class", cls, float, precedence=1)
    rule("class and anything", cls, object, precedence=2)

    assert rrule(f, 1.0) == "class"
    assert rrule(f, "x") == "object and text"
    assert rrule(f, 1) == "object"
    assert rrule(cls(), 1) == "class and anything"
