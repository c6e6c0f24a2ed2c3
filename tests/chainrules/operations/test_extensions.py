"""Arrays that are extended beyond their ends, and folded."""

import numpy as np
import pytest
from scipy import ndimage

from chainrules.operations.extensions import extend, fold
from tests.chainrules.rule_checks import check_rule, normal

MODES = ("reflect", "mirror", "nearest", "wrap", "constant")


@pytest.mark.parametrize("length", [1, 2, 5])
@pytest.mark.parametrize("mode", MODES)
def test_extend(mode, length):
    """As the filters of SciPy do it, however far."""
    x = normal(length)
    weights = np.eye(15)

    expected = [ndimage.correlate1d(x, row, mode=mode) for row in weights]
    np.testing.assert_allclose([extend(x, 7, 7, mode, 0)[k : k + length] for k in range(15)], expected)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("f", [extend, fold])
def test_rules(f, mode):
    """Each is the adjoint of the other."""
    check_rule(f, normal(6, 2), 3, 1, mode, 0)
    check_rule(f, normal(2, 7, dtype=complex), 0, 2, mode, -1)


@pytest.mark.parametrize("mode", MODES)
def test_nothing(mode):
    """Beyond the ends of nothing stand zeros."""
    np.testing.assert_array_equal(extend(np.zeros((0, 2)), 1, 2, mode, 0), np.zeros((3, 2)))
    assert fold(np.ones((3, 2)), 1, 2, mode, 0).shape == (0, 2)
