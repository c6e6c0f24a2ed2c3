"""B-splines and their derivatives, beside those of SciPy."""

import numpy as np
import pytest
from scipy.interpolate import BSpline

from chainrules.numerics.spline_bases import basis, intervals_of

KNOTS = np.array([0.0, 0.0, 0.0, 0.5, 0.5, 1.2, 2.0, 2.5, 2.5])
AT = np.array([-0.3, 0.0, 0.3, 0.5, 1.7, 2.5, 2.8])


@pytest.mark.every_case
@pytest.mark.parametrize("nu", range(4))
@pytest.mark.parametrize("k", range(3))
def test_derivatives(k, nu):
    """Of every order, also beyond the ends, and where knots repeat."""
    interval = intervals_of(KNOTS, k, AT)
    parts = basis(KNOTS, k, AT, nu, interval)
    for j, part in enumerate(parts):
        for m, i in enumerate(interval - k + j):
            e = np.zeros(len(KNOTS) - k - 1)
            e[i] = 1.0
            # SciPy 1.15 reads beyond its arrays for derivatives that are zero.
            expected = BSpline(KNOTS, e, k)(AT[m], nu) if nu <= k else 0.0
            np.testing.assert_allclose(part[m], expected, atol=1e-12)
