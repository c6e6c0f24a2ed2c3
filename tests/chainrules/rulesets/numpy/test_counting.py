"""The functions that count elements."""

import numpy as np

from tests.chainrules.rule_checks import check_rule, normal


def test_counts_have_no_derivative():
    """Counts are integers, and have no derivative."""
    check_rule(np.count_nonzero, normal(2, 3), axis=1)
