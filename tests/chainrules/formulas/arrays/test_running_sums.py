"""Running sums from the end."""

import numpy as np
import pytest

from chainrules.formulas.arrays.running_sums import sums_from_the_end
from chainrules_core import ZeroTangent
from tests.chainrules.rule_checks import normal


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_it_is_the_transpose_of_the_running_sum(axis):
    """``⟨y, cumsum(x)⟩ = ⟨sums_from_the_end(y), x⟩`` for every x and y."""
    x, y_bar = normal(3, 4), normal(3, 4, seed=1)

    actual = np.vdot(sums_from_the_end(y_bar, axis), x)
    np.testing.assert_allclose(actual, np.vdot(y_bar, np.cumsum(x, axis)))


def test_sums_of_the_flattened_array():
    """Their cotangent is a vector; a zero stays a zero."""
    assert sums_from_the_end(np.array([1.0, 2.0, 4.0]), None).tolist() == [7.0, 6.0, 4.0]
    assert sums_from_the_end(ZeroTangent(), 0) == ZeroTangent()
