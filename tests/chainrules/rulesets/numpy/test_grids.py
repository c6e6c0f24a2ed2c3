"""The rules of grids, against finite differences."""

import numpy as np
import pytest

from chainrules_core import rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.several_array_checks import check_several

VECTORS = normal(2), normal(1), normal(3)


@pytest.mark.parametrize(
    "options",
    [{}, {"indexing": "ij"}, {"sparse": True}, {"sparse": True, "indexing": "ij"}, {"copy": False}],
    ids=repr,
)
@pytest.mark.parametrize(
    "xs", [VECTORS, VECTORS[:2], VECTORS[:1], (normal(2, dtype=complex), 1.5), (normal(0), normal(2))]
)
def test_meshgrid(xs, options):
    """Each coordinate gets what all its copies get, in both orders of the axes."""
    check_several(np.meshgrid, *xs, **options)


@pytest.mark.parametrize("xs", [VECTORS, VECTORS[:1], (normal(2, dtype=complex), normal(3))])
def test_ix(xs):
    """Open grids."""
    check_several(np.ix_, *xs)


def test_the_cotangent_of_a_number_is_a_number():
    """Not an array without axes."""
    ys, pullback = rrule(np.meshgrid, 1.5, normal(2))
    assert isinstance(pullback(ys)[1], float)
