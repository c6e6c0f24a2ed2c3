"""Rules of the user's are differentiated as any other code of the user's."""

import math

import pytest

from chainrules.ad import grad, hvp, interception, jvp
from chainrules.ad.interception.choosing.switch import calls_shown_to
from chainrules_core import (
    HasForwardsMode,
    HasReverseMode,
    NoTangent,
    RuleConfig,
    frule,
    frule_via_ad,
    primitive,
    rrule,
    rrule_via_ad,
    scalar_rule,
    typeof_,
)


def sine(x):
    """A function whose rules call functions of `math`."""
    return math.sin(x)


@rrule.dispatch
def sine_rrule(f: typeof_(sine), x: float):
    """By the usual formula."""
    slope = math.cos(x)
    return math.sin(x), lambda y_bar: (NoTangent(), slope * y_bar)


@frule.dispatch
def sine_frule(tangents, f: typeof_(sine), x: float):
    """By the usual formula."""
    return math.sin(x), math.cos(x) * tangents[1]


def product(x, y):
    """A function with a rule that asks for a configuration, and keywords."""
    return math.sin(x) * y


@rrule.dispatch
def product_rrule(config: RuleConfig[HasReverseMode], f: typeof_(product), x: float, y: float):
    """By the usual formula."""
    return math.sin(x) * y, lambda y_bar: (NoTangent(), math.cos(x) * y * y_bar, math.sin(x) * y_bar)


@pytest.mark.parametrize("attempt", ["first", "remembered"])
def test_second_derivatives(attempt):
    """Whether the rule was found before or not, with a configuration or without."""
    assert grad(grad(sine))(1.0) == pytest.approx(-math.sin(1.0))
    assert hvp(sine, 1.0, 1.0) == pytest.approx(-math.sin(1.0))
    assert jvp(lambda x: jvp(sine, (x,), (1.0,))[1], (1.0,), (1.0,))[1] == pytest.approx(-math.sin(1.0))
    assert grad(grad(grad(sine)))(1.0) == pytest.approx(-math.cos(1.0))
    assert grad(lambda x: grad(lambda y: product(y, y))(x))(1.0) == pytest.approx(
        2.0 * math.cos(1.0) - math.sin(1.0)
    )


def test_second_derivatives_by_keyword():
    """A rule that takes by position what the call gives by keyword is entered, too."""
    assert grad(grad(lambda x: product(x, y=2.0)))(1.0) == pytest.approx(-2.0 * math.sin(1.0))
    assert grad(grad(lambda x: product(y=2.0, x=x)))(1.0) == pytest.approx(-2.0 * math.sin(1.0))


def test_rules_are_no_calls_of_the_program():
    """Whoever watches is told of what they call alone."""
    told = []
    with calls_shown_to(lambda f, chosen: told.append(f) or chosen):
        grad(grad(sine))(1.0)
    assert math.cos in told
    assert sine_rrule not in told


def test_not_intercepted():
    """Then a rule has to be written for arrays."""
    with interception(False), pytest.raises(TypeError, match="become a float"):
        grad(grad(primitive(sine)))(1.0)


def cosine(x):
    """A function with a scalar rule, whose derivative calls a function of `math`."""
    return math.cos(x)


scalar_rule(cosine, lambda y, x: -math.sin(x))


def test_second_derivatives_of_scalar_rules():
    """Their partial derivatives are entered, in both modes."""
    assert grad(grad(cosine))(1.0) == pytest.approx(-math.cos(1.0))
    assert grad(grad(grad(cosine)))(1.0) == pytest.approx(math.sin(1.0))
    assert jvp(lambda x: jvp(cosine, (x,), (1.0,))[1], (1.0,), (1.0,))[1] == pytest.approx(-math.cos(1.0))
    assert hvp(cosine, 1.0, 1.0) == pytest.approx(-math.cos(1.0))


@primitive
def through(f, x):
    """A function of functions, whose rule asks for those of others."""
    return f(x)


@rrule.dispatch
def through_rrule(config: RuleConfig[HasReverseMode], f: typeof_(through), g, x):
    """By whatever differentiates."""
    y, pullback = rrule_via_ad(config, g, x)
    return y, lambda y_bar: (NoTangent(), *pullback(y_bar))


@frule.dispatch
def through_frule(config: RuleConfig[HasForwardsMode], tangents, f: typeof_(through), g, x):
    """The same forwards."""
    return frule_via_ad(config, tangents[1:], g, x)


def test_second_derivatives_through_rules_of_others():
    """`rrule_via_ad` and `frule_via_ad` enter the rules that they find."""
    assert grad(grad(lambda x: through(sine, x)))(1.0) == pytest.approx(-math.sin(1.0))
    assert hvp(lambda x: through(sine, x), 1.0, 1.0) == pytest.approx(-math.sin(1.0))

    def slope(x):
        return jvp(lambda x: through(sine, x), (x,), (1.0,))[1]

    assert jvp(slope, (1.0,), (1.0,))[1] == pytest.approx(-math.sin(1.0))
