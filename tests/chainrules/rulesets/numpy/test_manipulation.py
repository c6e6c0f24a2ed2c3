"""The rules of array manipulation, against finite differences."""

import numpy as np
import pytest

from chainrules_core import rrule
from tests.chainrules.rule_checks import check_rule, normal

CUBE = normal(2, 3, 4)
VECTOR = normal(4)


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
        ((CUBE, (1, 2, 0)), {}),
        ((CUBE, [2, 0, 1]), {}),
        ((CUBE, (-1, 0, 1)), {}),
        ((CUBE,), {"axes": (2, 0, 1)}),
        ((CUBE, None), {}),
        ((VECTOR,), {}),
        ((VECTOR, 0), {}),
        ((normal(2, 3, 4, dtype=complex), (2, 0, 1)), {}),
    ],
)
def test_transpose(args, options):
    """Reversed and permuted axes, by position and by keyword, negative ones too."""
    check_rule(np.transpose, *args, **options)


@pytest.mark.parametrize(("args", "options"), [((CUBE, 0, -1), {}), ((CUBE,), {"axis1": 0, "axis2": 1})])
def test_swapaxes(args, options):
    """Two axes change places, and back."""
    check_rule(np.swapaxes, *args, **options)


@pytest.mark.parametrize(
    ("args", "options"), [((CUBE, 0), {}), ((CUBE, (0, -1)), {}), ((CUBE,), {"axis": 1}), ((1.5, 0), {})]
)
def test_expand_dims(args, options):
    """New axes anywhere."""
    check_rule(np.expand_dims, *args, **options)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((VECTOR, (3, 4)), {}),
        ((1.5, (3, 4)), {}),
        ((VECTOR,), {"shape": (2, 3, 4)}),
        ((normal(3, 1), (3, 5)), {}),
        ((normal(3, 1), (2, 3, 5)), {}),
        ((VECTOR, (0, 4)), {}),
        ((VECTOR, 4), {}),
        ((normal(4, dtype=np.float32), (3, 4)), {}),
    ],
)
def test_broadcast_to(args, options):
    """The cotangents of all copies of an element are added."""
    check_rule(np.broadcast_to, *args, **options)
