"""The rules of splitting arrays, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad
from tests.chainrules.rule_checks import normal
from tests.chainrules.several_array_checks import check_several
from tests.chainrules.structured_checks import check_symmetric

CUBE = normal(2, 3, 2)


@pytest.mark.parametrize(
    ("f", "args", "options"),
    [
        (np.split, (normal(6), 3), {}),
        (np.split, (CUBE, 2), {}),
        (np.split, (CUBE, [1, 2], 1), {}),
        (np.split, (CUBE, 1), {"axis": -1}),
        (np.split, (normal(6, dtype=complex), [2, 2, 9]), {}),
        (np.split, (normal(6), [4, 1]), {}),
        (np.split, (normal(6), [-2]), {}),
        (np.array_split, (normal(7), 3), {}),
        (np.array_split, (CUBE, 2), {"axis": 1}),
        (np.array_split, (normal(2), 3), {}),
        (np.vsplit, (CUBE, 2), {}),
        (np.hsplit, (CUBE, [1]), {}),
        (np.hsplit, (CUBE, 1), {}),
        (np.hsplit, (normal(4), 2), {}),
        (np.dsplit, (CUBE, 2), {}),
        (np.split, (normal(0, 2), 2), {}),
    ],
)
def test_splits(f, args, options):
    """Equal pieces, unequal ones, empty ones, and pieces that overlap."""
    check_several(f, *args, **options)


@pytest.mark.parametrize("options", [{}, {"axis": 1}, {"axis": -1}])
def test_unstack(options):
    """The items along an axis."""
    check_several(np.unstack, CUBE, **options)


def test_unused_pieces():
    """What depends on one piece only has no derivative by the others."""
    x = np.array([1.0, 2.0, 3.0, 4.0])

    np.testing.assert_array_equal(grad(lambda x: np.sum(np.split(x, 2)[1]))(x), [0, 0, 1, 1])


def test_symmetric_matrices():
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_symmetric(np.split, 3)
    check_symmetric(np.unstack)
