"""The rules of new shapes, against finite differences."""

import numpy as np
import pytest

from chainrules_core import rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.structured_checks import check_symmetric

CUBE = normal(2, 3, 4)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((CUBE, (6, 4)), {}),
        ((CUBE, -1), {}),
        ((CUBE, (2, -1)), {}),
        ((CUBE, (4, 6)), {"order": "F"}),
        ((CUBE, (6, 4), "F"), {}),
        ((CUBE, (6, 4)), {"copy": True}),
        ((CUBE,), {"shape": (6, 4)}),
        ((1.5, (1, 1)), {}),
        ((np.array(1.5), ()), {}),
        ((normal(0, 3), (3, 0)), {}),
        ((CUBE.T, (6, 4)), {}),
        ((normal(4, dtype=complex), (2, 2)), {}),
        ((normal(4, dtype=np.float32), (2, 2)), {}),
    ],
)
def test_reshape(args, options):
    """New shapes in both orders, by position and by keyword."""
    check_rule(np.reshape, *args, **options)


@pytest.mark.parametrize("x", [CUBE, np.asfortranarray(CUBE)])
def test_reshape_in_the_order_of_memory(x):
    """``order="A"`` reads an array as it lies in memory; the cotangent goes back to the same places."""
    y, pullback = rrule(np.reshape, x, (4, 6), order="A")

    np.testing.assert_array_equal(y, np.reshape(x, (4, 6), order="A"))
    np.testing.assert_array_equal(pullback(y)[1], x)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((CUBE,), {}),
        ((CUBE, "F"), {}),
        ((CUBE,), {"order": "F"}),
        ((1.5,), {}),
        ((np.array(1.5), "K"), {}),
        ((normal(0, 3),), {}),
        ((normal(0, 3), "K"), {}),
        ((normal(2, 3, dtype=complex), "F"), {}),
    ],
)
def test_ravel(args, options):
    """One axis, in both orders, by position and by keyword."""
    check_rule(np.ravel, *args, **options)


LAYOUTS = {
    "rows": CUBE,
    "columns": np.asfortranarray(CUBE),
    "permuted": np.transpose(CUBE, (1, 0, 2)),
    "backwards": CUBE[::-1, :, ::-1],
    "with gaps": normal(4, 6, 8)[::2, ::2, ::2].transpose(2, 0, 1),
}


@pytest.mark.parametrize("order", "ACFK")
@pytest.mark.parametrize("x", LAYOUTS.values(), ids=LAYOUTS)
def test_ravel_in_the_order_of_memory(x, order):
    """Each cotangent goes back to the place that its element was read from."""
    y, pullback = rrule(np.ravel, x, order)

    np.testing.assert_array_equal(y, np.ravel(x, order))
    np.testing.assert_array_equal(pullback(y)[1], x)


def test_ravel_refuses_the_order_of_repeated_elements():
    """They have none in memory."""
    with pytest.raises(TypeError, match="order='K'"):
        rrule(np.ravel, np.broadcast_to(normal(3), (2, 3)), "K")


def test_symmetric_matrices():
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_symmetric(np.reshape, 9)
    check_symmetric(np.ravel)
