"""The rules of the distributions of Kolmogorov and Smirnov, against finite differences and mpmath."""

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import NoTangent, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_elementwise, check_rule, within


def test_kolmogorov():
    """On both sides of the seam of the two series."""
    check_elementwise(special.kolmogorov, within(0.4, 0.8))
    check_elementwise(special.kolmogorov, within(0.83, 2.0))
    below, above = (grad(special.kolmogorov)(x) for x in (np.nextafter(0.82, 0.0), 0.82))
    assert below == pytest.approx(above, rel=1e-14)


def test_kolmogi():
    """On probabilities."""
    check_elementwise(special.kolmogi, within(0.05, 0.95))


@pytest.mark.parametrize("x", [-1.0, 0.0, 1e-200, 0.02])
def test_where_it_is_constant(x):
    """All exponentials underflow."""
    assert rrule(special.kolmogorov, x)[1](1.0)[1] == 0.0


@pytest.mark.parametrize("n", [1, 2, 7, 40, np.array([[3], [20]])])
def test_smirnov(n):
    """The number of observations has no tangent."""
    d = np.array([0.13, 0.4])
    check_rule(special.smirnov, n, d)
    assert rrule(special.smirnov, n, d)[1](np.ones_like(n * d))[1] == NoTangent()


def test_smirnovi():
    """On probabilities."""
    test_frule(special.smirnovi, 7, np.array([0.2, 0.7]))
    test_rrule(special.smirnovi, 7, np.array([0.2, 0.7]))


@pytest.mark.parametrize(("n", "d"), [(100, 0.01), (1000, 0.1), (1000, 0.35)])
def test_many_observations(n, d):
    """The sum of Birnbaum and Tingey, by mpmath."""
    with mpmath.workdps(50):

        def survival(d):
            terms = (
                mpmath.binomial(n, v)
                * (d + mpmath.mpf(v) / n) ** (v - 1)
                * (1 - d - mpmath.mpf(v) / n) ** (n - v)
                for v in range(int(n * (1 - d)) + 1)
            )
            return d * sum(terms)

        expected = float(mpmath.diff(survival, mpmath.mpf(d) + mpmath.mpf("1e-20")))
    assert float(rrule(special.smirnov, n, d)[1](1.0)[2]) == pytest.approx(expected, rel=1e-11, abs=0.0)


def test_ends():
    """Outside of the unit interval the probability is constant."""
    for n in (1, 5):
        assert float(rrule(special.smirnov, n, 1.0)[1](1.0)[2]) == 0.0
    assert float(rrule(special.smirnov, 1, 0.0)[1](1.0)[2]) == -1.0
