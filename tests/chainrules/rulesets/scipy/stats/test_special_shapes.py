"""Moments and entropies at shapes for which SciPy has another formula."""

import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad, jvp
from chainrules_core import NoTangent, frule
from tests.chainrules.rulesets.scipy.stats.method_checks import record_method

# A function of a shape, the special one, the derivative there by mpmath, and the method that computes it.
CASES = {
    "extreme values": (stats.genextreme.var, 0.0, -4.303077228549, stats.genextreme, "_stats", (0.0,)),
    "Pareto": (lambda c: stats.genpareto.moment(3, c), 0.0, 36.0, stats.genpareto, "_munp", (3, 0.0)),
    "trapezoid": (
        lambda d: stats.trapezoid.mean(0.2, d),
        1.0,
        0.25102880658436,
        stats.trapezoid,
        "_munp",
        (1, 0.2, 1.0),
    ),
    "truncated Pareto": (
        *(lambda b: stats.truncpareto.mean(b, 3.0), 1.0, -0.16250500821670),
        *(stats.truncpareto, "_munp", (1, 1.0, 3.0)),
    ),
    "von Mises": (stats.vonmises.entropy, 0.0, 0.0, stats.vonmises, "_entropy", (0.0,)),
}


# Which SciPy 1.15 does itself, at the special shape.
by_zero = pytest.mark.filterwarnings("ignore:invalid value encountered in divide:RuntimeWarning")


@by_zero
@pytest.mark.parametrize("name", CASES)
def test_shapes(name):
    """The public methods have the derivative there; that of the method that SciPy calls by itself is NaN."""
    f, special, expected, distribution, method, args = CASES[name]
    assert grad(lambda shape: np.sum(f(shape)))(special) == pytest.approx(expected, rel=1e-7, abs=1e-12)
    assert jvp(f, (special,), (1.0,))[1] == pytest.approx(expected, rel=1e-7, abs=1e-12)
    own = getattr(distribution, method)
    *before, shape = (np.array([x]) if isinstance(x, float) else x for x in args)
    if method != "_stats":
        assert np.isnan(grad(lambda x: np.sum(own(*before, x)))(shape))
    record_method(getattr(type(distribution), method), distribution, *args)


@by_zero
def test_small_shapes():
    """Where SciPy takes a constant as the skewness, and variances lose their digits, there is none."""
    assert np.isnan(grad(lambda c: stats.genextreme.stats(c, moments="s"))(1e-5))
    assert np.isnan(grad(lambda c: np.sum(stats.genextreme.var(c)))(np.array([0.0, 0.2]))).any()


def test_shapes_that_stand_still():
    """A tangent of 0 gives none."""
    y, y_dot = frule((NoTangent(), NoTangent(), 0.0), stats.genpareto._munp, 3, 0.0)
    assert (y, y_dot) == (6.0, NoTangent())


@by_zero
def test_other_parameters():
    """Location and scale have derivatives at these shapes too, and other shapes have theirs."""
    assert grad(stats.genextreme.var)(0.2) == pytest.approx(jvp(stats.genextreme.var, (0.2,), (1.0,))[1])
    assert grad(lambda scale: stats.genextreme.std(0.0, 1.0, scale))(2.0) == pytest.approx(np.pi / np.sqrt(6))
    assert jvp(lambda s: stats.genextreme.std(0.0, 1.0, s), (2.0,), (1.0,))[1] == pytest.approx(
        np.pi / np.sqrt(6)
    )
