"""Distributions whose formulas divide by a shape that may be 0, against mpmath."""

import mpmath
import numpy as np
import pytest

from chainrules.formulas.probabilities import extreme_values as formulas


def reduced(c, z):
    """With many digits, also where `c` is nearly 0."""
    return -mpmath.log1p(-c * z) / c if c else z


def extreme(z, c):
    """The logarithm of the density, and the probability."""
    u = reduced(c, z)
    return -mpmath.exp(-u) - (1 - c) * u, mpmath.exp(-mpmath.exp(-u))


def pareto(z, c):
    """The logarithm of the density, and the probability."""
    u = reduced(-c, z)
    return -(1 + c) * u, 1 - mpmath.exp(-u)


def kappa(z, h, k):
    """The logarithm of the density, and the probability."""
    u = reduced(k, z)
    w = reduced(h, mpmath.exp(-u))
    return -(1 - k) * u - (1 - h) * w, mpmath.exp(-w)


OF_ONE = {
    extreme: (formulas.extreme_score, formulas.extreme_score_of_c, formulas.extreme_slope),
    pareto: (formulas.pareto_score, formulas.pareto_score_of_c, formulas.pareto_slope),
}


def derivative(f, which, args, place):
    """By one of the arguments."""
    with mpmath.workdps(60):
        exact = list(map(mpmath.mpf, args))
        return float(
            mpmath.diff(lambda t: f(*exact[:place], t, *exact[place + 1 :])[which], exact[place], h="1e-25")
        )


@pytest.mark.parametrize("c", [0.0, 1e-9, -1e-3, 0.2, -0.7])
@pytest.mark.parametrize("f", OF_ONE)
def test_one_shape(f, c):
    """By the variable and the shape, which may be 0."""
    score, score_of_c, slope = OF_ONE[f]
    for z in (0.1, 0.7, 1.1):
        assert score(z, c) == pytest.approx(derivative(f, 0, (z, c), 0), rel=1e-12)
        assert score_of_c(z, c) == pytest.approx(derivative(f, 0, (z, c), 1), rel=1e-12)
        assert slope(z, c) == pytest.approx(derivative(f, 1, (z, c), 1), rel=1e-12)


@pytest.mark.parametrize(("h", "k"), [(0.0, 0.0), (0.3, 0.0), (0.0, -0.4), (-0.5, 0.2), (0.6, -1e-7)])
def test_two_shapes(h, k):
    """By the variable and both shapes."""
    for z in (0.1, 0.9):
        args = z, h, k
        assert formulas.kappa_score(*args) == pytest.approx(derivative(kappa, 0, args, 0), rel=1e-12)
        assert formulas.kappa_score_of_h(*args) == pytest.approx(derivative(kappa, 0, args, 1), rel=1e-12)
        assert formulas.kappa_score_of_k(*args) == pytest.approx(derivative(kappa, 0, args, 2), rel=1e-12)
        assert formulas.kappa_slope_of_h(*args) == pytest.approx(derivative(kappa, 1, args, 1), rel=1e-12)
        assert formulas.kappa_slope_of_k(*args) == pytest.approx(derivative(kappa, 1, args, 2), rel=1e-12)


@pytest.mark.parametrize(("h", "k"), [(0.3, 0.0), (0.3, 0.4), (2.0, -0.4)])
def test_lower_ends(h, k):
    """Where ``h exp(-u)`` is 1, for a probability of 0."""

    def end(h, k):
        return (1 - h**-k) / k if k else mpmath.log(h)

    by_h = mpmath.diff(lambda t: end(t, mpmath.mpf(k)), h)
    by_k = mpmath.diff(lambda t: end(mpmath.mpf(h), t), mpmath.mpf(k) + mpmath.mpf("1e-9"))
    at = float(end(h, k))
    assert formulas.kappa_end_of_h(0.0, at, h, k) == pytest.approx(float(by_h))
    assert formulas.kappa_end_of_k(0.0, at, h, k) == pytest.approx(float(by_k), rel=1e-6)


def test_other_ends():
    """Where ``k z`` is 1, or nowhere."""
    assert formulas.kappa_end_of_k(1.0, 2.5, 0.3, 0.4) == -6.25
    assert formulas.kappa_end_of_h(1.0, 2.5, 0.3, 0.4) == 0.0
    assert formulas.kappa_end_of_k(1.0, np.inf, 0.3, -0.4) == 0.0
