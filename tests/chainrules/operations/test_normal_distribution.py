"""Functions of normal distributions, against finite differences."""

from statistics import NormalDist

import pytest

from chainrules.ad import call, grad
from chainrules.operations import normal_distribution
from tests.chainrules.container_checks import check_both_modes
from tests.chainrules.rule_checks import check_rule

MU, SIGMA = 0.4, 1.7


@pytest.mark.parametrize("x", [-2.5, 0.4, 3.1])
@pytest.mark.parametrize(
    "f", [normal_distribution.density, normal_distribution.probability, normal_distribution.standard_score]
)
def test_functions_of_values(f, x):
    """By the parameters and by the value."""
    check_rule(f.__primitive__, MU, SIGMA, x)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
def test_quantiles(p):
    """By the parameters and by the probability."""
    check_rule(normal_distribution.quantile.__primitive__, MU, SIGMA, p)


@pytest.mark.parametrize(
    "distributions",
    [(0.4, 1.7, 1.3, 0.8), (1.3, 0.8, 0.4, 1.7), (0.4, 0.8, 0.4, 1.7), (-3.0, 0.5, 4.0, 0.9)],
)
def test_overlaps(distributions):
    """Whichever is the narrower; with equal means; of distributions that hardly meet."""
    check_rule(normal_distribution.overlap.__primitive__, *distributions)


@pytest.mark.parametrize("distributions", [(0.4, 1.7, 1.3, 1.7), (1.3, 1.7, 0.4, 1.7)])
def test_overlaps_of_equal_deviations(distributions):
    """There is one crossing; the other one comes from infinity, where nothing is."""
    check_rule(normal_distribution.overlap.__primitive__, *distributions)


def test_the_overlap_of_a_distribution_with_itself():
    """The overlap of a distribution with itself is at its maximum."""
    gradient = grad(lambda *xs: call(normal_distribution.overlap, *xs), (0, 1, 2, 3))

    assert gradient(0.4, 1.7, 0.4, 1.7) == (0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("f", [normal_distribution.added, normal_distribution.subtracted])
def test_independent_values(f):
    """Variances add; constants have none."""
    check_both_modes(f.__primitive__, MU, SIGMA, 1.3, 0.8)
    assert grad(lambda s: call(f, MU, s, 1.3, 0.0)[1])(0.0) == 0.0


@pytest.mark.parametrize("c", [2.5, -1.5])
@pytest.mark.parametrize(
    "f",
    [
        normal_distribution.shifted,
        normal_distribution.shifted_back,
        normal_distribution.mirrored,
        normal_distribution.scaled,
        normal_distribution.divided,
    ],
)
def test_constants(f, c):
    """A constant shifts the mean, or scales both parameters."""
    check_both_modes(f.__primitive__, MU, SIGMA, c)


def test_values():
    """The values are the same as Python's."""
    d = NormalDist(MU, SIGMA)

    assert normal_distribution.density(MU, SIGMA, 1.0) == d.pdf(1.0)
    for narrow, wide in (((0.4, 0.8), (1.3, 1.7)), ((1.3, 0.8), (0.4, 1.7)), ((0.4, 0.8), (0.4, 1.7))):
        for x, _ in normal_distribution.crossings(narrow, wide):
            assert NormalDist(*narrow).pdf(x) == pytest.approx(NormalDist(*wide).pdf(x), rel=1e-12)
