"""The maker of the rules of convolutions, with functions of a test's own."""

import numpy as np

from chainrules.makers.convolutions import convolution_rules
from tests.chainrules.rule_checks import check_rule, normal


def convolved(x, v, mode="full", method="auto"):
    """NumPy's convolution."""
    return np.convolve(x, v, mode)


def correlated(x, v, mode="full", method="auto"):
    """NumPy's correlation."""
    return np.correlate(x, v, mode)


convolution_rules(convolved, convolved)
convolution_rules(correlated, convolved)


def test_the_longer_one_first():
    """In each mode."""
    for mode in ("full", "same", "valid"):
        for f in (convolved, correlated):
            check_rule(f, normal(5, dtype=complex), normal(2, dtype=complex, seed=1), mode)
