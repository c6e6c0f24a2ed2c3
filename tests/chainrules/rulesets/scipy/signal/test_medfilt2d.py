"""The rules of medians of windows in a plane, against finite differences."""

import pytest
from scipy.signal import medfilt2d

from tests.chainrules.rule_checks import check_rule, normal


@pytest.mark.parametrize("size", [(), (3,), ((1, 3),), (None,)])
def test_sizes(size):
    """One for both axes, one for each, and that which SciPy takes by itself."""
    check_rule(medfilt2d, normal(4, 5), *size)
