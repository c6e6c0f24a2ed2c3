"""Arrays whose elements have to be finite."""

import numpy as np
import pytest

from chainrules.ad import compiled
from chainrules.values.finite_elements import check_finite_elements


@pytest.mark.parametrize("x", [np.inf, np.nan, complex(0.0, np.nan)])
def test_elements_that_are_not_finite(x):
    """The error is NumPy's own."""
    check_finite_elements(np.ones(3), np.arange(2), np.array(2.0), np.array([True]))
    with pytest.raises(ValueError, match="must not contain infs or NaNs"):
        check_finite_elements(np.ones(3), np.array([1.0, x]))


def test_it_is_a_decision_of_a_recorded_program():
    """The function itself says what is wrong."""
    c = compiled(lambda x: check_finite_elements(x) or 2.0 * x, strict=True)
    for x in (np.ones(2), np.zeros(2)):
        np.testing.assert_array_equal(c(x), 2.0 * x)
    with pytest.raises(ValueError, match="must not contain infs or NaNs"):
        c(np.array([1.0, np.inf]))
