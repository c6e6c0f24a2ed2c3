"""A zero with a derivative that is not known."""

import numpy as np

from chainrules.ad import grad, jvp
from chainrules.operations.unknown_slopes import unknown_slope


def test_both_modes():
    """The value is 0, and the derivative NaN, unless nothing depends on it."""
    assert unknown_slope(2.0) == 0.0
    assert np.isnan(grad(lambda x: x + unknown_slope(x))(2.0))
    assert np.isnan(jvp(unknown_slope, (np.ones(2),), (np.ones(2),))[1]).all()
    assert grad(lambda x, y: x + unknown_slope(y))(1.0, 2.0) == 1.0
    assert grad(lambda x: 0.0 * unknown_slope(x) if x < 0 else x)(2.0) == 1.0
