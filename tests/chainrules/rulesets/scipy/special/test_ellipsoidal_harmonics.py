"""The rules of ellipsoidal harmonics, against finite differences."""

import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import DerivativeNotImplementedError, NoTangent, ZeroTangent, frule, rrule, unthunk

SEMIAXES = 5.0, 8.0

# SciPy's quadrature of the second functions and the norms warns that it stops at rounding errors.
pytestmark = pytest.mark.filterwarnings("ignore::scipy.integrate.IntegrationWarning")


@pytest.mark.parametrize(("n", "p"), [(1, 1), (1, 2), (3, 5)])
@pytest.mark.parametrize("signs", [(), (-1, 1)])
def test_first_kind(n, p, signs):
    """By the coordinate, in each of the intervals between the branch points, and with signs."""
    s, h = np.array([1.5, 2.5, 9.0, -3.5]), 1e-4
    above, below = (special.ellip_harm(*SEMIAXES, n, p, s + step, *signs) for step in (h, -h))
    dots = *(ZeroTangent(),) * 2, *(NoTangent(),) * 2, np.ones(4), *(NoTangent() for _ in signs)
    y, slopes = frule((NoTangent(), *dots), special.ellip_harm, *SEMIAXES, n, p, s, *signs)
    np.testing.assert_allclose(slopes, (above - below) / (2 * h), rtol=1e-7, atol=1e-8)
    bars = rrule(special.ellip_harm, *SEMIAXES, n, p, s, *signs)[1](y)
    np.testing.assert_allclose(unthunk(bars[5]), y * slopes)
    assert bars[3:5] == (NoTangent(), NoTangent())


@pytest.mark.parametrize(("n", "p"), [(1, 1), (2, 1)])
def test_second_kind(n, p):
    """By the coordinate, outside of the ellipsoid."""
    for s in (3.5, 9.0):
        h = 1e-3
        above, below = (special.ellip_harm_2(*SEMIAXES, n, p, s + step) for step in (h, -h))
        slope = grad(special.ellip_harm_2, 4)(*SEMIAXES, n, p, s)
        assert slope == pytest.approx((above - below) / (2 * h), rel=1e-5)


@pytest.mark.parametrize("f", [special.ellip_harm, special.ellip_harm_2])
def test_second_derivatives(f):
    """The rules themselves are differentiated."""
    slope = grad(f, 4)
    h = 1e-3
    above, below = (slope(*SEMIAXES, 2, 1, 4.0 + step) for step in (h, -h))
    assert grad(slope, 4)(*SEMIAXES, 2, 1, 4.0) == pytest.approx((above - below) / (2 * h), rel=1e-5)


def test_by_semiaxes():
    """A message says that there is no rule; where they are constants it does no harm."""
    for f, rest in ((special.ellip_harm, (1, 1, 3.5)), (special.ellip_normal, (1, 1))):
        with pytest.raises(DerivativeNotImplementedError, match="by h² or k²"):
            grad(lambda h2, f=f, rest=rest: f(h2, 8.0, *rest))(5.0)
    assert rrule(special.ellip_normal, *SEMIAXES, 1, 1)[0] == special.ellip_normal(*SEMIAXES, 1, 1)
    with pytest.raises(DerivativeNotImplementedError):
        float(
            frule((NoTangent(), 1.0, 0.0, NoTangent(), NoTangent()), special.ellip_normal, *SEMIAXES, 1, 1)[1]
        )
