"""Moments and entropies at shapes for which SciPy has another formula."""

import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad, jvp
from chainrules_testutils import jacobian

CASES = {
    "extreme values": (stats.genextreme.var, 0.0, 0.2),
    "skewness of extreme values": (lambda c: stats.genextreme.stats(c, moments="s"), 1e-5, 0.2),
    "Pareto": (lambda c: stats.genpareto.moment(3, c), 0.0, 0.1),
    "trapezoid": (lambda d: stats.trapezoid.mean(0.2, d), 1.0, 0.9),
    "truncated Pareto": (lambda b: stats.truncpareto.mean(b, 3.0), 1.0, 1.2),
    "von Mises": (stats.vonmises.entropy, 0.0, 0.3),
}


@pytest.mark.parametrize("name", CASES)
def test_shapes(name):
    """At the shape NaN, in both modes, and beside it the derivative."""
    f, special, other = CASES[name]
    assert np.isnan(grad(lambda shape: np.sum(f(shape)))(special))
    assert np.isnan(jvp(f, (special,), (1.0,))[1]).all()
    (expected,) = jacobian(None, f, other)
    assert grad(lambda shape: np.sum(f(shape)))(other) == pytest.approx(float(expected.ravel()[0]), rel=1e-7)


def test_other_parameters():
    """Location and scale have derivatives at these shapes too."""
    assert grad(lambda scale: stats.genextreme.std(0.0, 1.0, scale))(2.0) == pytest.approx(np.pi / np.sqrt(6))
    assert jvp(lambda s: stats.genextreme.std(0.0, 1.0, s), (2.0,), (1.0,))[1] == pytest.approx(
        np.pi / np.sqrt(6)
    )
