"""The rules of ``max`` and ``min``, against finite differences, and where items are equal."""

import math

import numpy as np
import pytest

from chainrules.ad import call, grad
from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule
from tests.chainrules.container_checks import check_both_modes
from tests.chainrules.rule_checks import normal

EXTREMA = [max, min]


@pytest.mark.parametrize("f", EXTREMA)
@pytest.mark.parametrize(
    "args", [(1.5, 2.5), (2.5, 1.5, 3.5), ([2.5, 1.5, 3.5],), ((2.5,),), (normal(4),), (1.5, np.float32(2.5))]
)
def test_extrema(f, args):
    """Of several arguments, and of the items of an iterable."""
    check_both_modes(f, *args)


@pytest.mark.parametrize("f", EXTREMA)
def test_extrema_by_a_key(f):
    """The key chooses; the item that is chosen varies."""
    check_both_modes(f, [-3.5, 2.5, 1.5], key=abs)
    check_both_modes(f, -3.5, 2.5, key=abs)
    check_both_modes(f, [(1.5, 2.5), (0.5, 3.5)], key=lambda pair: pair[0])


@pytest.mark.parametrize("f", EXTREMA)
def test_equal_numbers_share(f):
    """The shares together are 1, forwards and backwards."""
    assert rrule(f, 1.5, 1.5)[1](2.0)[1:] == (1.0, 1.0)
    assert rrule(f, [1.5, 1.5])[1](2.0)[1] == Tangent[list](1.0, 1.0)
    np.testing.assert_array_equal(rrule(f, np.ones(4))[1](1.0)[1], 0.25)
    assert frule((NoTangent(), 1.0, 3.0), f, 1.5, 1.5)[1] == 2.0
    assert frule((NoTangent(), 1.0, ZeroTangent()), f, 1.5, 1.5)[1] == 0.5


@pytest.mark.parametrize("f", EXTREMA)
def test_the_first_of_equal_keys(f):
    """Different items do not share, although their keys are equal."""
    assert rrule(f, -1.5, 1.5, key=abs)[1](1.0)[1:] == (1.0, ZeroTangent())


@pytest.mark.parametrize("f", EXTREMA)
def test_nan_and_nothing(f):
    """As Python chooses; nothing at all gives the default, which has no tangent."""
    y, pullback = rrule(f, [math.nan, 1.5])
    assert math.isnan(y)
    assert pullback(1.0)[1][0] == 1.0
    y, pullback = rrule(f, [], default=1.5)
    assert y == 1.5
    assert pullback(1.0) == (NoTangent(), NoTangent())
    with pytest.raises(ValueError, match="empty"):
        rrule(f, [])


@pytest.mark.parametrize("f", EXTREMA)
def test_an_iterator(f):
    """It is read once."""
    assert rrule(f, iter([1.5]))[1](1.0)[1] == Tangent[tuple](1.0)
    assert grad(lambda x: call(f, [x, 3 * x, x]))(1.0) == (3.0 if f is max else 1.0)
