"""The rules of ellipsoidal harmonics, against finite differences."""

import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import DerivativeNotImplementedError, NoTangent, frule, rrule
from chainrules_testutils import PrimalAndTangent, test_frule, test_rrule
from chainrules_testutils.testers.exercised import record_exercised

SEMIAXES = 5.0, 8.0

# SciPy's quadrature of the second functions and the norms warns that it stops at rounding errors.
pytestmark = pytest.mark.filterwarnings("ignore::scipy.integrate.IntegrationWarning")


CONSTANTS = [PrimalAndTangent(x, NoTangent()) for x in SEMIAXES]


@pytest.mark.parametrize(("n", "p"), [(1, 1), (1, 2), (3, 5)])
@pytest.mark.parametrize("signs", [(), (-1, 1)])
def test_first_kind(n, p, signs):
    """By the coordinate, in each of the intervals between the branch points, and with signs."""
    for s in (np.array([1.5, 2.5, 9.0, -3.5]), 1.5):
        test_frule(special.ellip_harm, *CONSTANTS, n, p, s, *signs)
        test_rrule(special.ellip_harm, *CONSTANTS, n, p, s, *signs)
    _, pullback = rrule(special.ellip_harm, *SEMIAXES, n, p, 1.5, *signs)
    assert pullback(1.0)[3:5] == (NoTangent(), NoTangent())


@pytest.mark.parametrize("branch", np.sqrt(SEMIAXES))
@pytest.mark.parametrize("side", [-1e-3, 1e-3])
def test_beside_a_branch_point(branch, side):
    """The differences that the rule takes are short there."""
    s, h = branch + side, 1e-7

    def harmonic(s):
        return special.ellip_harm(*SEMIAXES, 3, 5, s)

    assert grad(harmonic)(s) == pytest.approx((harmonic(s + h) - harmonic(s - h)) / (2 * h), rel=1e-5)


@pytest.mark.parametrize(("n", "p"), [(1, 1), (2, 1)])
def test_second_kind(n, p):
    """By the coordinate, outside of the ellipsoid; SciPy's quadrature is accurate to 1e-10."""
    for s in (3.5, 9.0):
        test_frule(special.ellip_harm_2, *CONSTANTS, n, p, s, rtol=1e-6, atol=1e-8)
        test_rrule(special.ellip_harm_2, *CONSTANTS, n, p, s, rtol=1e-6, atol=1e-8)


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
    constant = (NoTangent(),) * 5
    for rules, args in ((frule, (constant, special.ellip_normal)), (rrule, (special.ellip_normal,))):
        record_exercised(special.ellip_normal, rules.find(*args, *SEMIAXES, 1, 1))
