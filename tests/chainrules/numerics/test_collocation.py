"""Radau's collocation methods: their order."""

import numpy as np
import pytest

from chainrules.numerics.collocation import radau


@pytest.mark.parametrize("s", [1, 2, 3, 4, 6, 7])
def test_order(s):
    """The weights integrate all powers below ``2 s - 1`` exactly, and each row those below ``s``."""
    points, integrals = radau(s)
    assert points[-1] == 1.0
    for power in range(2 * s - 1):
        assert radau(s).weights @ points**power == pytest.approx(1.0 / (power + 1), rel=1e-12)
    for power in range(s):
        np.testing.assert_allclose(integrals @ points**power, points ** (power + 1) / (power + 1), atol=1e-14)


def test_coefficients_of_the_method_of_order_five():
    """Those that E. Hairer and G. Wanner print."""
    assert radau(3).points[0] == pytest.approx((4.0 - np.sqrt(6.0)) / 10.0)
    assert radau(3).integrals[0, 0] == pytest.approx((88.0 - 7.0 * np.sqrt(6.0)) / 360.0)
