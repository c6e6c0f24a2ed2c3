"""Rules of functions that put elements in places."""

import numpy as np
import pytest

from chainrules.makers.placements import placement_rule
from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal


def bordered(x, y=None, width=1):
    """Numbers beside their conjugates, and zeros around them."""
    row = np.concatenate((x, np.conjugate(x) if y is None else y))
    return np.pad(row, width)


def _without_conjugates(z_bar, x, y=None):
    n = len(x)
    if y is not None:
        return z_bar
    return np.concatenate((z_bar[: len(z_bar) // 2], np.conjugate(z_bar[len(z_bar) // 2 :]))) if n else z_bar


placement_rule(bordered, 2, _without_conjugates)


@pytest.mark.parametrize("dtype", [np.float64, complex])
def test_both_modes(dtype):
    """Elements that are placed once and twice, and zeros, which are none of them."""
    check_rule(bordered, normal(3, dtype=dtype))
    check_rule(bordered, normal(2, dtype=dtype), normal(3, dtype=dtype, seed=1), 2)
    check_rule(bordered, normal(2, dtype=dtype), None, width=0)
    check_rule(bordered, normal(2, dtype=dtype), y=normal(2, dtype=dtype))  # which is a constant then


def test_lists_and_zeros():
    """A list has a list's cotangent, and zeros stay zero."""
    zero = ZeroTangent()

    _, pullback = rrule(bordered, [1.0, 2.0], np.array([3.0]))
    assert pullback(np.arange(5.0))[1:] == (Tangent[list](1.0, 2.0), np.array([3.0]))
    assert pullback(zero)[1:] == (zero, zero)
    assert frule((NoTangent(), zero, zero), bordered, np.ones(1), np.ones(1))[1] == zero
    assert frule((NoTangent(), zero), bordered, np.ones(1))[1] == zero
    moved = frule((NoTangent(), zero, np.array([5.0])), bordered, [1.0], np.ones(1))[1]
    np.testing.assert_array_equal(moved, [0, 0, 5, 0])
