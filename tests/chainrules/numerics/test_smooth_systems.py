"""The system of the slopes of a cubic spline, beside SciPy's splines."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from chainrules.numerics.smooth_systems import smooth_system
from chainrules.operations.piece_slopes import smooth_slopes

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("n", [2, 3, 4, 7])
@pytest.mark.parametrize(
    "conditions",
    [
        "not-a-knot",
        "natural",
        "clamped",
        ((1, 0.3), (2, -0.4)),
        ((2, 0.3), "not-a-knot"),
        ("natural", "clamped"),
    ],
)
def test_slopes(n, conditions):
    """They solve it, whatever is asked for at either end."""
    x, y = np.sort(RNG.uniform(size=n)), RNG.normal(size=n)
    h = np.diff(x)[:, np.newaxis]

    s = smooth_slopes(np.diff(y)[:, np.newaxis] / h, *smooth_system(h, conditions))

    expected = CubicSpline(x, y, bc_type=conditions)(x, 1)
    np.testing.assert_allclose(s[:, 0], expected, rtol=1e-9, atol=1e-9)
