"""Calls of norms, for the comparison of their shortcut with their rule; and at zero."""

import numpy as np

from chainrules_core import rrule, unthunk
from tests.chainrules.shortcuts.reduction_calls import whole_calls

CALLS = {"chainrules.shortcuts.numpy.linalg.norm.norm_of_plain": lambda: whole_calls(np.linalg.norm)}


def test_norm_of_zero():
    """At its kink it has the derivative zero."""
    _, x_bar = rrule(np.linalg.norm, np.zeros(2))[1](1.0)

    assert unthunk(x_bar).tolist() == [0.0, 0.0]
