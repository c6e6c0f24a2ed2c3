"""Rules that refuse."""

import pytest

from chainrules.makers.mutation_refusals import refuse_mutation
from chainrules_core import NoTangent, frule, rrule
from chainrules_core.dispatch.rule_location import place_of_rule


def test_refusal():
    """The error says what was changed, and what to write; other types have no rule."""

    def clear(xs):
        xs.clear()

    refuse_mutation(clear, list, "Make an empty list.")
    xs = [1.5]
    with pytest.raises(
        TypeError, match=r"clear of a list cannot .* changes the list in place.*Make an empty list"
    ):
        rrule(clear, xs)
    with pytest.raises(TypeError, match="Make an empty list"):
        frule((NoTangent(), NoTangent()), clear, xs)
    assert xs == [1.5]
    assert rrule(clear, {1.5}) is None


def test_place():
    """Rules stand where they are declared."""

    def clear(xs):
        xs.clear()

    refuse_mutation(clear, list, "")
    assert all(
        place_of_rule(method.function)[0] == __file__
        for method in (*rrule.methods(clear), *frule.methods(clear))
    )
