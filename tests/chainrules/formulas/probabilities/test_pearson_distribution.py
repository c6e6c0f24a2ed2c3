"""Pearson's distribution of type III, against mpmath."""

import mpmath
import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad
from chainrules.formulas.probabilities import pearson_distribution
from chainrules.formulas.probabilities.pearson_distribution import (
    pearson_score,
    pearson_score_of_skewness,
    pearson_slope,
)
from chainrules_testutils import jacobian


def log_density(x, s):
    """That of the gamma distribution."""
    a = 4 / s**2
    y = a * (1 + s * x / 2)
    return mpmath.log(abs(2 / s)) + (a - 1) * mpmath.log(y) - y - mpmath.loggamma(a)


def probability(x, s):
    """That of the gamma distribution, or of the reflected one."""
    a = 4 / s**2
    y = a * (1 + s * x / 2)
    return mpmath.gammainc(a, *((0, y) if s > 0 else (y, mpmath.inf)), regularized=True)


@pytest.mark.parametrize("s", [1e-3, 0.02, -0.09, 0.11, -0.7, 1.4, 2.0])
@pytest.mark.parametrize("x", [-0.4, 0.3, 1.4])
def test_scores(x, s):
    """By the variable and the skewness, on both sides of where other formulas are used."""
    with mpmath.workdps(40):
        at, skewness = mpmath.mpf(x), mpmath.mpf(s)
        by_x = float(mpmath.diff(lambda t: log_density(t, skewness), at))
        by_s = float(mpmath.diff(lambda t: log_density(at, t), skewness))
    assert pearson_score(x, s) == pytest.approx(by_x, rel=1e-12)
    assert pearson_score_of_skewness(x, s) == pytest.approx(by_s, rel=1e-12)


@pytest.mark.parametrize("s", [0.02, -0.09, 0.11, -0.7, 2.0])
@pytest.mark.parametrize("x", [-0.4, 0.3, 1.4, 6.0])
def test_slope(x, s):
    """Of the probability by the skewness."""
    if 1 + s * x / 2 <= 0:
        pytest.skip("outside of the support")
    with mpmath.workdps(40):
        expected = float(mpmath.diff(lambda t: probability(mpmath.mpf(x), t), mpmath.mpf(s), h="1e-12"))
    assert pearson_slope(x, s) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize(("x", "s"), [(-8.0, 0.02), (12.0, 0.09), (17.0, -0.0999), (-19.0, 0.09)])
def test_tails(x, s):
    """They keep their precision, also where the integral of the derivative reaches the end of the support."""
    with mpmath.workdps(250):
        expected = float(mpmath.diff(lambda t: probability(mpmath.mpf(x), t), mpmath.mpf(s), h="1e-20"))
    assert pearson_slope(x, s) == pytest.approx(expected, rel=1e-10, abs=0.0)


@pytest.mark.parametrize("x", [-8.0, 0.0, 0.3, 12.0])
def test_what_is_integrated(x, monkeypatch):
    """The tail on the side of the variable, as far as it has weight."""
    points = []
    density = pearson_distribution._density

    def spy(z, s):
        points.append(float(z))
        return density(z, s)

    monkeypatch.setattr(pearson_distribution, "_density", spy)
    pearson_slope(x, 0.0)
    falls = 0.5 * (np.array(points) ** 2 - x * x)
    assert falls.min() >= 0.0
    assert falls.max() == pytest.approx(60.0, rel=0.01)


def test_no_skewness():
    """The first terms of the series of Gram and Charlier."""
    x = np.array([-3.0, -0.4, 0.3, 2.0])
    np.testing.assert_allclose(pearson_score_of_skewness(x, 0.0), (x**3 - 3 * x) / 6, atol=1e-14)
    np.testing.assert_allclose(pearson_slope(x, 0.0), -(x * x - 1) * stats.norm.pdf(x) / 6, atol=1e-14)


@pytest.mark.parametrize("s", [0.0, 0.05, 0.3, 0.9])
def test_second_order(s):
    """By the skewness and the variable."""
    for f in (pearson_score_of_skewness, pearson_slope):
        for place in (0, 1):
            args = [0.7, s]

            def along(t, f=f, place=place, args=args):
                return f(*args[:place], t, *args[place + 1 :])

            (expected,) = jacobian(None, along, args[place])
            assert grad(along)(args[place]) == pytest.approx(float(expected[0, 0]), rel=1e-8, abs=1e-10)
