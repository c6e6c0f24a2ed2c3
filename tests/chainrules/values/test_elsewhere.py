"""What stands where a formula does not hold."""

import numpy as np

from chainrules.ad import grad
from chainrules.values.elsewhere import one_elsewhere, one_where


def test_one_elsewhere():
    """Ones, which no derivative depends on, so that one at a pole is not NaN."""
    x = np.array([4.0, 0.0])

    def roots(x):
        return np.sum(np.where(x > 0, np.sqrt(one_elsewhere(x > 0, x)), 0.0))

    assert one_elsewhere(x > 0, x).tolist() == one_where(x <= 0, x).tolist() == [4.0, 1.0]
    assert grad(roots)(x).tolist() == [0.25, 0.0]
