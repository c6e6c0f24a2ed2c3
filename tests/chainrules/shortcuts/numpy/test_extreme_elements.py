"""Calls of extrema, for the comparison of their shortcut with their rule; and what it declines."""

import numpy as np

from chainrules.shortcuts.numpy.extreme_elements import extremum_of_plain
from tests.chainrules.shortcuts.reduction_calls import reduction_calls

CALLS = {
    "chainrules.shortcuts.numpy.extreme_elements.extremum_of_plain": lambda: reduction_calls(
        np.max, np.min, np.nanmax
    )
}


def test_functions_that_ignore_nans_are_declined():
    """They share the derivative in another way."""
    assert extremum_of_plain(np.nanmax, np.ones(3)) is None
