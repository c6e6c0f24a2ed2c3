"""The rules of the arithmetic-geometric mean, against finite differences."""

import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from tests.chainrules.rule_checks import check_elementwise, check_rule_in_double, within


def test_agm():
    """On all kinds of numbers and arrays, of negative ones too."""
    check_elementwise(special.agm, within(0.3, 3.0), within(0.3, 3.0))
    check_rule_in_double(special.agm, -1.0, np.array([-2.0, -0.5]))


@pytest.mark.parametrize("a", [1.0, 1e-300, 1e300, -3.0])
def test_equal_numbers(a):
    """Both derivatives are 1/2; and the second ones are those of ``(a + b)/2 - (a - b)²/(16 a) ...``."""
    assert grad(special.agm, (0, 1))(a, a) == pytest.approx((0.5, 0.5), rel=1e-15)
    if abs(a) < 10 and abs(a) > 0.1:
        assert grad(grad(special.agm))(a, a) == pytest.approx(-1 / (8 * a), rel=1e-12)


def test_homogeneous():
    """``a ∂/∂a + b ∂/∂b`` is the mean itself, at all magnitudes and large ratios."""
    a, b = (
        10.0 ** np.array([[-100.0], [0.0], [200.0]]),
        10.0 ** np.array([[-140.0, 50.0], [-60.0, 3.0], [100.0, 250.0]]),
    )
    by_a, by_b = grad(lambda a, b: np.sum(special.agm(a, b)), (0, 1))(*np.broadcast_arrays(a, b))

    np.testing.assert_allclose(a * by_a + b * by_b, special.agm(a, b), rtol=1e-13)


def test_at_zero():
    """The mean with 0 is 0; by that 0 its slope is infinite."""
    assert grad(special.agm, (0, 1))(0.0, 2.0) == (np.inf, 0.0)
    assert np.isnan(grad(special.agm)(1.0, -2.0))
