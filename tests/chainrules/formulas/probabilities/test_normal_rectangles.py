"""How probabilities of rectangles change, by the limits and twice by the mean."""

import numpy as np
import pytest
from scipy import special

from chainrules.formulas.probabilities.normal_rectangles import curvature, slopes
from chainrules_testutils import jacobian

HIGH, LOW = np.array([[0.3, -0.4, 0.9]]), np.array([[-0.7, -1.9, -np.inf]])
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(80)
CORRELATION = 0.3
M = 1.3 * (np.full((3, 3), CORRELATION) + (1.0 - CORRELATION) * np.eye(3))


def probability(low, high):
    """Of numbers with a part in common, given which they are independent: an integral over that part."""
    common = np.sqrt(1.3 * CORRELATION) * NODES[:, None]
    at = [special.ndtr((side - common) / np.sqrt(1.3 * (1.0 - CORRELATION))) for side in (low, high)]
    return WEIGHTS @ np.prod(at[1] - at[0], axis=-1) / np.sqrt(2.0 * np.pi)


@pytest.mark.every_case
@pytest.mark.parametrize("low", [None, LOW])
def test_derivatives(low):
    """Against differences of an integral; limits may be infinite."""
    lowest = np.full(3, -np.inf) if low is None else low[0]
    below, above = slopes(low, HIGH, M)
    expected = jacobian(None, lambda high: probability(lowest, high), HIGH[0])[0].ravel()
    np.testing.assert_allclose(above[0], expected, rtol=1e-9)
    if low is not None:
        first = jacobian(None, lambda part: probability(np.append(part, -np.inf), HIGH[0]), LOW[0, :2])[0]
        np.testing.assert_allclose(below[0], np.append(-first, 0.0), rtol=1e-9)

    def by_mean(shift):
        moved = None if low is None else low - shift
        below, above = slopes(moved, HIGH - shift, M)
        return (below - above)[0]

    second = jacobian(None, by_mean, np.zeros(3))[0]
    np.testing.assert_allclose(curvature(low, HIGH, M)[0], second, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(second, second.T, rtol=1e-8, atol=1e-10)
