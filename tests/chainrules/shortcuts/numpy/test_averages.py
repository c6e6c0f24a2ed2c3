"""Calls of means, for the comparison of their shortcut with their rule; and the precision of cotangents."""

import numpy as np

from chainrules_core import rrule, unthunk
from tests.chainrules.shortcuts.reduction_calls import reduction_calls

CALLS = {"chainrules.shortcuts.numpy.averages.mean_of_plain": lambda: reduction_calls(np.mean)}


def test_cotangents_have_the_precision_of_the_array():
    """A cotangent of single precision makes none of an array of double precision."""
    for y_bar in (np.float32(0.5), np.ones((), np.float32)):
        _, x_bar = rrule(np.mean, np.ones(3))[1](y_bar)
        assert unthunk(x_bar).dtype == np.float64
