"""Arrays that are extended beyond their ends, and folded."""

import numpy as np
import pytest
from scipy import ndimage, signal

from chainrules.operations.extensions import extend, fold
from tests.chainrules.rule_checks import check_rule, normal

MODES = ("reflect", "mirror", "nearest", "wrap", "constant")
COMBINED = ("antisymmetric", "antireflect", "smooth", "line")


@pytest.mark.parametrize("length", [1, 2, 5])
@pytest.mark.parametrize("mode", MODES)
def test_extend(mode, length):
    """As the filters of SciPy do it, however far."""
    x = normal(length)
    weights = np.eye(15)

    expected = [ndimage.correlate1d(x, row, mode=mode) for row in weights]
    np.testing.assert_allclose([extend(x, 7, 7, mode, 0)[k : k + length] for k in range(15)], expected)


@pytest.mark.parametrize("length", [2, 3, 5])
@pytest.mark.parametrize("mode", COMBINED)
def test_combinations(mode, length):
    """As SciPy extends sequences before it filters them."""
    x = normal(length)
    first, last = np.eye(1, 13, 0)[0], np.eye(1, 13, 12)[0]

    expected = [*signal.upfirdn(last, x, mode=mode)[:12], *signal.upfirdn(first, x, mode=mode)]
    np.testing.assert_allclose(extend(x, 12, 12, mode, 0), expected, rtol=1e-12)
    assert extend(x.astype(np.float32), 1, 1, mode, 0).dtype == np.float32


@pytest.mark.parametrize("mode", MODES + COMBINED)
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
