"""Rules of functions that rearrange the items of iterables."""

from chainrules.makers.rearrangements import ALL, SECOND, Place, rearrangement
from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule
from chainrules_core.dispatch.rule_location import place_of_rule
from tests.chainrules.container_checks import check_both_modes
from tests.chainrules.rule_checks import normal


def ends(xs, ys, *, label="ends"):
    """The first of the one with the last of the other, twice."""
    return [(label, xs[0]), (xs[0], ys[-1])]


rearrangement(ends, ends, ALL)


def largest(n, xs):
    """The largest numbers."""
    return sorted(xs)[-n:]


rearrangement(largest, lambda n, places: sorted(places, key=lambda place: place.item)[-n:], SECOND)


def repeated(xs, n):
    """All numbers, several times."""
    return [*xs] * n


rearrangement(repeated, repeated)


def test_the_first_argument_is_the_iterable():
    """Unless another one is said to be; the others are constants."""
    check_both_modes(repeated, [1.5, 2.5], 2)
    assert rrule(repeated, [1.5], 2)[1](Tangent[list](1.0, 2.0))[1:] == (Tangent[list](3.0), NoTangent())


def test_rearrangement():
    """Nested results, with constants in them, of several iterables."""
    check_both_modes(ends, [1.5, 2.5], (3.5, normal(2)))
    check_both_modes(ends, normal(3), [1.5], label="other")


def test_a_choice_by_value():
    """Places know their items; what is not an iterable is a constant."""
    check_both_modes(largest, 2, [1.5, 0.5, 2.5])
    assert rrule(largest, 1, [1.5, 0.5])[1](Tangent[list](2.0))[1:] == (
        NoTangent(),
        Tangent[list](2.0, ZeroTangent()),
    )


def test_tangents_arrive_with_their_items():
    """A tangent arrives with its item; constants have none."""
    tangents = (NoTangent(), Tangent[list](1.0), Tangent[list](2.0))
    _, y_dot = frule(tangents, ends, [1.5], [2.5])
    assert y_dot == Tangent[list](Tangent[tuple](NoTangent(), 1.0), Tangent[tuple](1.0, 2.0))


def test_places_are_not_compared():
    """Two places are two, whatever stands there."""
    assert Place(1.5, 0, 0) != Place(1.5, 0, 0)


def test_where_the_rules_stand():
    """The rules stand where they are declared."""
    assert all(
        place_of_rule(method.function)[0] == __file__
        for method in (*rrule.methods(ends), *frule.methods(ends))
    )
