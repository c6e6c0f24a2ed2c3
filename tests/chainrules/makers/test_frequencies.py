"""The makers of the rules of frequencies and of shifts, with functions of a test's own."""

import numpy as np

from chainrules.makers.frequencies import frequency_rules, shift_rules
from tests.chainrules.rule_checks import check_rule, normal


def frequencies(n, d=1.0):
    """The frequencies of `n` samples at a distance."""
    return np.arange(n) / (n * d)


def rolled(x, axes=None):
    """The array shifted around by one."""
    return np.roll(x, 1, axes)


def rolled_back(x, axes=None):
    """The array shifted around by one the other way."""
    return np.roll(x, -1, axes)


frequency_rules(frequencies)
shift_rules(rolled, rolled_back)
shift_rules(rolled_back, rolled)


def test_frequencies():
    """They vary with the distance."""
    check_rule(frequencies, 3, 0.4)
    check_rule(frequencies, 3)


def test_shifts():
    """The adjoint is the other shift."""
    check_rule(rolled, normal(3, 2), 0)
