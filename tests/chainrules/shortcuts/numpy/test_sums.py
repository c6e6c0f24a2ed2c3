"""Calls of sums, for the comparison of their shortcuts with their rules; and traced arrays."""

import numpy as np
import pytest

from chainrules.ad import hvp
from chainrules.shortcuts.numpy.sums import sum_of_plain
from chainrules_core import rrule, unthunk
from tests.chainrules.rule_checks import normal
from tests.chainrules.shortcuts.reduction_calls import pushed, reduction_calls, whole_calls
from tests.python_calls import functions_run_by

CALLS = {
    "chainrules.shortcuts.numpy.sums.sum_of_plain": lambda: reduction_calls(np.sum, np.nansum),
    "chainrules.shortcuts.numpy.sums.push_sum_of_plain": lambda: pushed(reduction_calls(np.sum, np.nansum)),
    "chainrules.shortcuts.numpy.sums.cumsum_of_plain": lambda: whole_calls(np.cumsum),
}


def test_cotangents_are_real_where_the_array_is():
    """The imaginary part of a cotangent of a real sum is none of the array's."""
    _, x_bar = rrule(np.sum, np.ones(3))[1](1 + 1j)

    assert unthunk(x_bar).dtype == float
    np.testing.assert_array_equal(unthunk(x_bar), np.ones(3))


def test_a_plain_sum_takes_the_short_way():
    """Without NumPy's functions in Python."""
    x = np.ones(3)

    assert not functions_run_by(lambda: sum_of_plain(np.sum, x)).keys() & {"sum", "_wrapreduction"}


def test_sums_of_traced_arrays():
    """Second derivatives of a sum of all elements."""
    x, v = normal(3), normal(3, seed=1)

    assert hvp(lambda x: np.sum(x) ** 2, x, v) == pytest.approx(2 * np.sum(v) * np.ones(3))
