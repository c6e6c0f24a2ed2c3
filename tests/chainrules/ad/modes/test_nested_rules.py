"""Rules of the user's are differentiated as any other code of the user's."""

import math

import pytest

from chainrules.ad import grad, hvp, interception, jvp
from chainrules.ad.interception.choosing.switch import calls_shown_to
from chainrules_core import HasReverseMode, NoTangent, RuleConfig, frule, primitive, rrule, typeof_


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
