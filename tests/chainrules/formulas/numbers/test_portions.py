"""The portion of a tangent."""

import numpy as np
import pytest

from chainrules.formulas.numbers.portions import portion


@pytest.mark.parametrize("infinite", [np.inf, np.nan, np.array([np.inf])])
def test_portion_of_infinity(infinite):
    """A share of zero of infinity is zero, without a warning."""
    assert portion(infinite, 0.0) == 0.0
    assert portion(infinite, np.False_) == 0.0
    np.testing.assert_array_equal(portion(infinite, 0.5), infinite)
