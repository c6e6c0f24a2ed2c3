"""Moments and entropies at shapes for which SciPy has another formula."""

import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad, jvp
from chainrules_testutils import jacobian
from tests.chainrules.rulesets.scipy.stats.method_checks import record_method

# A function of a shape, the special one, the derivative there, and the method that computes it. Of extreme
# values, of Pareto's and of those with an end in sight they are from series and integrals in mpmath.
CASES = {
    "extreme values": (stats.genextreme.var, 0.0, -6.9501264, stats.genextreme, "_stats", (0.0,)),
    "Pareto": (lambda c: stats.genpareto.moment(3, c), 0.0, 36.0, stats.genpareto, "_munp", (3, 0.0)),
    "trapezoid": (lambda d: stats.trapezoid.mean(0.2, d), 1.0, None, stats.trapezoid, "_munp", (1, 0.2, 1.0)),
    "truncated Pareto": (
        *(lambda b: stats.truncpareto.mean(b, 3.0), 1.0, None),
        *(stats.truncpareto, "_munp", (1, 1.0, 3.0)),
    ),
    "von Mises": (stats.vonmises.entropy, 0.0, 0.0, stats.vonmises, "_entropy", (0.0,)),
}


# Which SciPy 1.15 does itself, at the special shape.
by_zero = pytest.mark.filterwarnings("ignore:invalid value encountered in divide:RuntimeWarning")


@by_zero
@pytest.mark.parametrize("name", CASES)
def test_shapes(name):
    """At the shape NaN, in both modes, and beside it the derivative."""
    f, special, other, distribution, method, args = CASES[name]
    assert np.isnan(grad(lambda shape: np.sum(f(shape)))(special))
    assert np.isnan(jvp(f, (special,), (1.0,))[1]).all()
    record_method(getattr(type(distribution), method), distribution, *args)
    (expected,) = jacobian(None, f, other)
    assert grad(lambda shape: np.sum(f(shape)))(other) == pytest.approx(float(expected.ravel()[0]), rel=1e-7)


@by_zero
def test_other_parameters():
    """Location and scale have derivatives at these shapes too."""
    assert grad(lambda scale: stats.genextreme.std(0.0, 1.0, scale))(2.0) == pytest.approx(np.pi / np.sqrt(6))
    assert jvp(lambda s: stats.genextreme.std(0.0, 1.0, s), (2.0,), (1.0,))[1] == pytest.approx(
        np.pi / np.sqrt(6)
    )
