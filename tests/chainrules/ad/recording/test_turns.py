"""What there is by a decision: values with names, as far as their memory is not used again."""

from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.tape import Step
from chainrules.ad.recording.turns import Turns


def a_decision(kind="truth", place=("file.py", 1)):
    """A step of the user's program, or of a rule."""
    return Step(kind, None, (), {}, True, place=place)


def test_values_decisions_and_bounds_so_far():
    """Those before it, and none behind it."""
    first, second, third = (Slot("step", i) for i in range(3))
    turns = Turns(decided=frozenset({7}))
    turns.name(first, "a", frozenset({0}))
    turns.bound(first, 500.0)
    turns.check(3, a_decision(place=None), 2, False)
    turns.name(second, "b", frozenset({1}))
    turns.check(4, a_decision(), 5, True)
    turns.spend(frozenset({0}))
    turns.name(third, "a", frozenset({2}))
    turns.bound(second, 500.0)
    turns.check(5, a_decision("whole"), 9, False)
    assert (turns.at[4].line, turns.at[4].is_switched) == (5, True)
    before = turns.before(4, True)
    assert (before.number, before.given) == (4, {first: "a", second: "b"})
    assert before.decided == {7, 3, 4}
    assert before.bounds == {first: 500.0}
    later = turns.before(5, False)
    assert later.given == {second: "b", third: "a"}
    assert later.decided == {7, 3, 4}
    assert turns.names() == {"a", "b"}


def test_what_is_no_turn():
    """A decision of a rule, and an operation that raised."""
    turns = Turns()
    turns.check(0, a_decision(place=None), 1, False)
    turns.check(1, a_decision("raises"), 1, False)
    assert not turns.at
