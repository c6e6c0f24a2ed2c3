"""The derivatives of the gamma distribution by its shape, against mpmath and finite differences."""

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules.operations import incomplete_gamma
from chainrules.operations.incomplete_gamma import gamma_density, gamma_probability
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule_in_double


def tail(a, x):
    """The lesser of both probabilities, with the sign that makes it the distribution function but for 1."""
    if mpmath.log(x) < mpmath.digamma(a):
        return mpmath.gammainc(a, 0, x, regularized=True)
    return -mpmath.gammainc(a, x, mpmath.inf, regularized=True)


SMALL = [
    (1e-3, 1e-30),
    (1e-3, 0.5),
    (0.01, 1e-4),
    (0.1, 1e-5),
    (0.1, 3.0),
    (4.0, 0.1),
    (0.4, 0.04),
    (0.4, 30.0),
]
MIDDLE = [
    (1.0, 1e-3),
    (1.0, 0.5),
    (1.0, 0.6),
    (1.7, 5.0),
    (3.0, 40.0),
    (15.9, 15.0),
    (16.1, 1e-5),
    (16.1, 16.0),
]
LARGE = [(50.0, 10.0), (50.0, 51.0), (300.0, 420.0), (1e4, 9.9e3), (1e4, 9.999e3), (1e4, 1.05e4)]


@pytest.mark.parametrize(("a", "x"), SMALL + MIDDLE + LARGE)
def test_derivatives_by_the_shape(a, x):
    """The first one to relative precision in both tails, the second beside its neighbours."""
    with mpmath.workdps(50):
        step = mpmath.mpf(10) ** -16 * mpmath.mpf(a)
        low, middle, high = (tail(mpmath.mpf(a) + k * step, mpmath.mpf(x)) for k in (-1, 0, 1))
        first, second = float((high - low) / (2 * step)), float((high - 2 * middle + low) / step**2)
    assert gamma_probability(1, a, x) == pytest.approx(first, rel=1e-13 + 1e-15 * np.sqrt(a), abs=0.0)
    assert gamma_probability(2, a, x) == pytest.approx(second, rel=1e-11, abs=0.0)


@pytest.mark.parametrize(
    ("a", "x"), [*MIDDLE, *LARGE, (0.1, 1e-5), (0.1, 3.0), (4.0, 0.1), (1e6, 970000.0), (200.0, 150.0)]
)
def test_what_is_integrated(a, x, monkeypatch):
    """No more than has to be: up to where the density has fallen by the exponential of 45, in few panels."""
    every_ends = []
    integrals = incomplete_gamma.integrals

    def spy(integrand, ends, *parameters):
        every_ends.append(np.array(ends))
        return integrals(integrand, ends, *parameters)

    monkeypatch.setattr(incomplete_gamma, "integrals", spy)
    gamma_probability(1, a, x)
    ((ends,),) = [ends.T for ends in every_ends if ends.size]
    points = x * np.exp(ends * (-1 if len(ends) == 4 else 1))  # fewer panels on the left
    log_density = a * np.log(points / x) - (points - x)
    peak = a * np.log(max(a, x) / x) - (max(a, x) - x) if len(ends) > 4 else 0.0
    assert peak - log_density[-1] == pytest.approx(45.0, abs=0.06)
    assert np.all(np.diff(ends) >= 0.0)
    assert np.count_nonzero(np.diff(ends)) == 2 or ends[-1] > 3.0


@pytest.mark.parametrize("a", [1e6, 1e8])
@pytest.mark.parametrize("z", [-6.0, -0.3, 0.0, 4.0])
def test_large_shapes(a, z):
    """Where the distribution is nearly normal: the integral over its logarithm, by mpmath."""
    x = a + z * np.sqrt(a)
    with mpmath.workdps(40):
        shape, psi, log_gamma = mpmath.mpf(a), mpmath.digamma(a), mpmath.loggamma(a)
        start, width = mpmath.log(x), 1 / mpmath.sqrt(shape)
        side = -1 if start < psi else 1
        ends = [start + side * width * k for k in (0, 1, 3, 6, 10, 16)]
        integral = mpmath.quad(lambda u: (u - psi) * mpmath.exp(shape * u - mpmath.exp(u) - log_gamma), ends)
    assert gamma_probability(1, a, x) == pytest.approx(
        float(-integral), rel=1e-13 + 1e-15 * np.sqrt(a), abs=0.0
    )


def test_rules():
    """Each order is the derivative of the one before, by the quantile the density is."""
    a, x = np.array([0.7, 20.0]), np.array([0.5, 18.0])
    for f in (gamma_probability.__primitive__, gamma_density.__primitive__):
        for n in (0, 1, 2):
            test_frule(f, n, a, x)
            test_rrule(f, n, a, x)
    check_rule_in_double(gamma_probability.__primitive__, 1, 2.0, 3.0)


def test_density():
    """For large shapes without cancellation."""
    with mpmath.workdps(40):
        for a, x in ((1e4, 1.01e4), (1e6, 1e6), (2.0, 3.0), (20.0, 1e-3)):
            a_, x_ = mpmath.mpf(a), mpmath.mpf(x)
            expected = float(mpmath.exp((a_ - 1) * mpmath.log(x_) - x_ - mpmath.loggamma(a_)))
            assert gamma_density(0, a, x) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize(
    ("a", "x", "density", "slope"),
    [
        (1.0, 0.0, 1.0, 0.0),
        (0.5, 0.0, np.inf, 0.0),
        (2.0, 0.0, 0.0, 0.0),
        (30.0, 0.0, 0.0, 0.0),
        (2.0, np.inf, 0.0, 0.0),
        (30.0, np.inf, 0.0, 0.0),
        (-1.0, 2.0, np.nan, np.nan),
        (2.0, -1.0, np.nan, np.nan),
        (2.0, 1e5, 0.0, 0.0),
    ],
)
def test_ends(a, x, density, slope):
    """Of the support and of the domain."""
    np.testing.assert_array_equal(gamma_density(0, a, x), density)
    np.testing.assert_array_equal(gamma_probability(1, a, x), slope)
    np.testing.assert_array_equal(gamma_density(1, 2.0, 0.0), 0.0)


@pytest.mark.parametrize("x", [0.3, 2.0, 40.0])
def test_shapes_of_zero(x):
    """The limits of small shapes: the probability of every positive number is 1 there."""
    for f in (gamma_density, gamma_probability):
        assert f(1, 0.0, x) == pytest.approx(f(1, 1e-12, x), rel=1e-9)
        assert np.isnan(f(2, 0.0, x))
    assert gamma_density(0, 0.0, x) == 0.0
    assert np.isnan(gamma_probability(1, 0.0, 0.0))
    assert np.isnan(gamma_density(1, 0.0, 0.0))


def test_shapes_and_precision():
    """Of the results: numbers, arrays, empty ones, and single precision, which stays."""
    assert isinstance(gamma_probability(1, 2.0, 3.0), float)
    assert gamma_probability(1, np.ones((2, 1)), np.ones(3)).shape == (2, 3)
    assert gamma_probability(1, np.ones(0), 1.0).shape == (0,)
    assert gamma_probability(1, np.float32(2), np.ones(3, np.float32)).dtype == np.float32
    assert gamma_probability(1, 2, 3) == gamma_probability(1, 2.0, 3.0)
    assert gamma_probability(0, 2.0, 3.0) == special.gammainc(2.0, 3.0)
