"""The rules of ``map``, against finite differences."""

import math

import numpy as np
import pytest

from chainrules.ad import ADConfig, call, grad
from chainrules_core import HasForwardsMode, NoReverseMode, RuleConfig, Tangent, rrule
from tests.chainrules.container_checks import check_both_modes, check_calling_back
from tests.chainrules.rule_checks import normal


def scaled(w):
    """A closure."""
    return lambda x: w * x * x


@pytest.mark.parametrize("xs", [[1.5, 2.5], (), normal(3), (1.5, 2.5)])
def test_map(xs):
    """Of a function that has a rule."""
    check_both_modes(map, math.sin, xs)


def test_map_over_several():
    """The shortest ends it; what is left over gets zero."""
    check_both_modes(map, math.atan2, [1.5, 2.5, 3.5], (4.5, 5.5))
    check_both_modes(map, np.add, [normal(2), normal(2, seed=1)], normal(2))


@pytest.mark.parametrize("xs", [[1.5, 2.5], normal(2, 3), []])
def test_map_of_a_closure(xs):
    """What it holds gets the sum of the cotangents of all calls."""
    check_calling_back(map, scaled(2.5), xs)


def test_map_in_a_program():
    """By the closure and by the items."""
    assert grad(lambda w: sum(call(map, scaled(w), [1.0, 2.0])))(3.0) == 5.0
    assert grad(lambda w: sum(call(map, scaled(w), [w, 2.0])))(3.0) == 9.0 + 18.0 + 4.0


def test_map_of_an_iterator():
    """It is read once."""
    y, pullback = rrule(ADConfig(), map, math.sin, iter([0.0]))
    assert y == (0.0,)
    assert pullback(Tangent[tuple](2.0))[2] == Tangent[tuple](2.0)


def test_map_needs_an_ad_system():
    """There is a rule only for an AD system that has the mode."""

    class ForwardOnly(RuleConfig[HasForwardsMode, NoReverseMode]):
        pass

    assert rrule(map, math.sin, [1.5]) is None
    assert rrule(ForwardOnly(), map, math.sin, [1.5]) is None
