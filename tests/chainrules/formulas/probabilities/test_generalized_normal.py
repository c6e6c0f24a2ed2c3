"""The generalized normal distribution, against mpmath."""

import mpmath
import pytest

from chainrules.ad import grad
from chainrules.formulas.probabilities.generalized_normal import normal_score, normal_score_of_b, normal_slope

SHAPES = pytest.mark.parametrize("b", [0.6, 1.0, 2.3])
POINTS = pytest.mark.parametrize("z", [-2.5, -0.01, 0.7, 3.0])


def log_density(z, b):
    """As it is defined."""
    return mpmath.log(b / 2) - mpmath.loggamma(1 / b) - abs(z) ** b


def probability(z, b):
    """The integral of the density."""
    return (1 + mpmath.sign(z) * mpmath.gammainc(1 / b, 0, abs(z) ** b, regularized=True)) / 2


@SHAPES
@POINTS
def test_scores_and_slope(z, b):
    """By the variable and the shape."""
    with mpmath.workdps(40):
        at, shape = mpmath.mpf(z), mpmath.mpf(b)
        by_z = float(mpmath.diff(lambda t: log_density(t, shape), at, h="1e-12"))
        by_b = float(mpmath.diff(lambda t: log_density(at, t), shape, h="1e-12"))
        slope = float(mpmath.diff(lambda t: probability(at, t), shape, h="1e-12"))
    assert normal_score(z, b) == pytest.approx(by_z, rel=1e-11)
    assert normal_score_of_b(z, b) == pytest.approx(by_b, rel=1e-11)
    assert normal_slope(z, b) == pytest.approx(slope, rel=1e-10)


@SHAPES
def test_centre(b):
    """The slope is odd, and increases as the density does by the shape; a peak has the score 0."""
    assert normal_slope(0.0, b) == 0.0
    with mpmath.workdps(40):
        expected = float(mpmath.diff(lambda t: mpmath.exp(log_density(0, t)), mpmath.mpf(b), h="1e-12"))
    assert grad(normal_slope)(0.0, b) == pytest.approx(expected, rel=1e-11)
    assert normal_score(0.0, b) == 0.0
