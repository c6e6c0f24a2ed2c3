"""Calls of variances, for the comparison of their shortcuts with their rules; and a constant."""

import numpy as np

from chainrules_core import rrule, unthunk
from tests.chainrules.shortcuts.reduction_calls import reduction_calls

CALLS = {
    "chainrules.shortcuts.numpy.variances.var_of_plain": lambda: reduction_calls(np.var),
    "chainrules.shortcuts.numpy.variances.std_of_plain": lambda: reduction_calls(np.std),
}


def test_standard_deviation_of_a_constant():
    """Its minimum, zero, has the derivative zero."""
    _, x_bar = rrule(np.std, np.full(3, 2.0))[1](1.0)

    assert unthunk(x_bar).tolist() == [0.0, 0.0, 0.0]
