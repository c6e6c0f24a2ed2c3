"""Arguments with and without tangents of their own."""

import pytest

from chainrules_core import NoTangent
from chainrules_testutils import PrimalAndTangent, rand_tangent
from chainrules_testutils.values.primal_and_tangent import paired


def test_given_tangents_stay():
    """A pair is not paired again."""
    pair = PrimalAndTangent(1.0, NoTangent())

    assert paired(pair, 0) is pair


def test_others_are_random():
    """An argument alone gets a random tangent."""
    pair = paired(1.0, 3)

    assert (pair.x, pair.x_dot) == (1.0, rand_tangent(1.0, 3))


def test_pairs_stay():
    """A pair cannot be changed, and is equal to itself alone: its arrays are not compared."""
    pair = PrimalAndTangent(1.0, NoTangent())

    with pytest.raises(AttributeError):
        pair.x = 2.0
    assert pair != PrimalAndTangent(1.0, NoTangent())
    assert pair == pair  # noqa: PLR0124 - the point
