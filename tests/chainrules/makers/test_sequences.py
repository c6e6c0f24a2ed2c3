"""Rules of functions of whole sequences."""

from typing import NamedTuple

from chainrules.makers.sequences import sequence_rule
from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule
from chainrules_core.dispatch.rule_location import place_of_rule
from tests.chainrules.container_checks import check_both_modes


class Moments(NamedTuple):
    """Two results."""

    total: float
    squares: float


def moments(xs, scale=1.0):
    """The scaled sums of numbers and of their squares."""
    xs = list(xs)
    return Moments(scale * sum(xs), scale * sum(x * x for x in xs))


def moments_gradients(y, xs, scale=1.0):
    """By each number, and by the scale."""
    by_total = [scale for _ in xs], sum(xs)
    by_squares = [2 * scale * x for x in xs], sum(x * x for x in xs)
    return by_total, by_squares


sequence_rule(moments, moments_gradients)


def test_several_results():
    """Each has its row of partial derivatives."""
    check_both_modes(moments, [1.5, 2.5])
    check_both_modes(moments, (1.5, 2.5), 3.5)
    check_both_modes(moments, [1.5, 2.5], scale=3.5)


def test_complex_numbers():
    """The pullback multiplies by the conjugates of the partial derivatives, those by a number beside too."""
    check_both_modes(moments, [1.5 + 1.0j, 2.5 - 2.0j], 3.5 - 0.5j)


def test_zeros():
    """What nothing depends on gets a zero, and so do results that depend on nothing that moves."""
    assert rrule(moments, [1.5], 2.0)[1](ZeroTangent())[1:] == (ZeroTangent(), ZeroTangent())
    y_dot = frule((NoTangent(), ZeroTangent()), moments, [1.5])[1]
    assert y_dot == ZeroTangent()


def test_iterators_are_read_once():
    """The pullback may be called again."""
    _, pullback = rrule(moments, iter([1.5, 2.5]))
    y_bar = Tangent[Moments](total=1.0)
    assert pullback(y_bar)[1] == pullback(y_bar)[1] == Tangent[tuple](1.0, 1.0)


def test_place():
    """Rules stand where they are declared."""
    assert all(
        place_of_rule(method.function)[0] == __file__
        for method in (*rrule.methods(moments), *frule.methods(moments))
    )
