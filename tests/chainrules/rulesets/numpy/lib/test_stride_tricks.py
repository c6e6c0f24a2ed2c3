"""The rules of views in which elements appear many times, against finite differences."""

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from chainrules_core import NoTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.structured_checks import check_symmetric


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((normal(5), 3), {}),
        ((normal(3, 3), (2, 2)), {}),
        ((normal(3, 3), 2, 1), {}),
        ((normal(3, 3), 3), {"axis": -1}),
        ((normal(4), (2, 2), (0, 0)), {}),
        ((normal(4, dtype=complex), 4), {}),
    ],
)
def test_sliding_window_view(args, options):
    """Each element gets what it gets in all windows."""
    check_rule(sliding_window_view, *args, **options)


STRIDED = {
    "windows": (normal(5), (4, 2), (8, 8)),
    "diagonal": (normal(3, 3), (3,), (32,)),
    "repeated": (normal(3), (2, 3), (0, 8)),
    "of a column": (normal(4, 3)[:, 1], (3, 2), (24, 24)),
    "complex": (normal(4, dtype=complex), (3, 2), (16, 16)),
    "of no elements": (normal(4), (0, 2), (8, 8)),
    "as it is": (normal(2, 3),),
}


@pytest.mark.parametrize("args", STRIDED.values(), ids=STRIDED)
def test_as_strided(args):
    """Each element gets what its copies get; strides count bytes, so the memory of the argument matters."""
    x, *options = args
    y, pullback = rrule(as_strided, *args)
    y_dot = frule((NoTangent(), np.ascontiguousarray(x), *(NoTangent() for _ in options)), as_strided, *args)[
        1
    ]
    y_bar = normal(*y.shape, dtype=y.dtype, seed=1)

    np.testing.assert_array_equal(y, as_strided(*args))
    np.testing.assert_array_equal(y_dot, y)  # it is linear
    np.testing.assert_allclose(np.vdot(pullback(y_bar)[1], x), np.vdot(y_bar, y))


def test_as_strided_against_differences():
    """Where the copies that differences are taken of lie in memory as the argument does."""
    for args in [(normal(5), (4, 2), (8, 8)), (normal(3, 3), (3,), (32,))]:
        test_frule(as_strided, *args)
        test_rrule(as_strided, *args)


def test_memory_beside_the_array_is_refused():
    """The derivative by it would be lost."""
    with pytest.raises(ValueError, match="beside the elements"):
        rrule(as_strided, normal(6)[::2], (5,), (8,))


def test_symmetric_matrices():
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_symmetric(sliding_window_view, (2, 2))
