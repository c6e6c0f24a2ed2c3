"""The derivatives of the beta distribution by its shapes, against mpmath and finite differences."""

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules.operations import incomplete_beta
from chainrules.operations.incomplete_beta import beta_density, beta_probability
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule_in_double
from tests.python_calls import functions_run_by


def tail(a, b, x):
    """The distribution function but for 1: on the right it is minus the other probability, by its series."""
    mirrors = x > max(a / (a + b), 0.5)  # a series converges slowly near 1
    if mirrors:
        a, b, x = b, a, 1 - x
    term, n = 1 / a, 0
    total = term
    while term > total * mpmath.mpf(10) ** -48:  # https://dlmf.nist.gov/8.17.E8
        term *= (a + b + n) / (a + 1 + n) * x
        total, n = total + term, n + 1
    total *= mpmath.exp(a * mpmath.log(x) + b * mpmath.log(1 - x)) / mpmath.beta(a, b)
    return -total if mirrors else total


SMALL = [
    (1e-3, 1e-3, 0.3),
    (0.01, 3.0, 1e-6),
    (0.01, 3.0, 0.5),
    (0.1, 0.2, 0.99),
    (0.5, 0.5, 0.4),
    (2.0, 3.5, 1e-6),
    (1e-3, 0.7, 1e-300),
    (1e-3, 1e-3, 1e-200),
]
MIDDLE = [
    (1.0, 1.0, 0.3),
    (2.0, 3.5, 0.3),
    (2.0, 3.5, 0.99),
    (0.3, 40.0, 0.01),
    (2.0, 200.0, 0.02),
    (15.0, 17.0, 0.5),
]
LARGE = [
    (50.0, 80.0, 0.2),
    (50.0, 80.0, 0.4),
    (100.0, 2.0, 0.95),
    (300.0, 900.0, 0.26),
    (0.05, 2e3, 1e-5),
    (3e3, 0.05, 0.95),
    (80.0, 80.0, 0.9999),
    (1e-3, 80.0, 1e-12),
    (1e-3, 50.0, 1e-300),
]


@pytest.mark.parametrize(("a", "b", "x"), SMALL + MIDDLE + LARGE)
def test_derivatives_by_the_shapes(a, b, x):
    """The first ones to relative precision in both tails, the second ones beside their neighbours."""
    with mpmath.workdps(50):
        a_, b_, x_, h = mpmath.mpf(a), mpmath.mpf(b), mpmath.mpf(x), mpmath.mpf(10) ** -14

        def value(i, j):
            return tail(a_ * (1 + i * h), b_ * (1 + j * h), x_)

        by_a = float((value(1, 0) - value(-1, 0)) / (2 * h * a_))
        by_b = float((value(0, 1) - value(0, -1)) / (2 * h * b_))
        by_both = float((value(1, 1) - value(-1, 1) - value(1, -1) + value(-1, -1)) / (4 * h * h * a_ * b_))
    precision = max(1e-13 + 1e-14 * np.sqrt(a + b), -1e-16 * (a + b) * np.log(x) * (x < 1e-20))
    assert beta_probability(1, 0, a, b, x) == pytest.approx(by_a, rel=precision, abs=0.0)
    assert beta_probability(0, 1, a, b, x) == pytest.approx(by_b, rel=precision, abs=0.0)
    assert beta_probability(1, 1, a, b, x) == pytest.approx(by_both, rel=1e-10, abs=1e-9 * abs(by_a))


def test_rules():
    """Each order is the derivative of the one before, by the quantile the density is."""
    small, large = (0.7, 2.5, 0.4), (20.0, np.array([18.0]), 0.6)
    for f in (beta_probability.__primitive__, beta_density.__primitive__):
        for args in ((0, 0, *small), (1, 0, *large), (1, 1, *small)):
            test_frule(f, *args)
            test_rrule(f, *args)
    check_rule_in_double(beta_probability.__primitive__, 0, 1, 2.0, 3.0, 0.4)


@pytest.mark.parametrize(
    ("a", "b", "x"),
    [(1e4, 2e4, 0.334), (1e6, 3.0, 0.999999), (3.0, 1e6, 2e-6), (2.0, 3.0, 0.1), (80.0, 70.0, 1e-4)],
)
def test_density(a, b, x):
    """For large shapes without cancellation."""
    with mpmath.workdps(40):
        a_, b_, x_ = map(mpmath.mpf, (a, b, x))
        expected = float(
            mpmath.exp((a_ - 1) * mpmath.log(x_) + (b_ - 1) * mpmath.log(1 - x_)) / mpmath.beta(a_, b_)
        )
    assert beta_density(0, 0, a, b, x) == pytest.approx(expected, rel=2e-13)


@pytest.mark.parametrize(
    ("a", "b", "x", "density", "slope"),
    [
        (1.0, 2.0, 0.0, 2.0, 0.0),
        (2.0, 1.0, 1.0, 2.0, 0.0),
        (0.5, 1.0, 0.0, np.inf, 0.0),
        (30.0, 2.0, 0.0, 0.0, 0.0),
        (2.0, 30.0, 1.0, 0.0, 0.0),
        (2.0, 3.0, 1.5, np.nan, np.nan),
        (-2.0, 3.0, 0.5, np.nan, np.nan),
    ],
)
def test_ends(a, b, x, density, slope):
    """Of the support and of the domain."""
    np.testing.assert_allclose(beta_density(0, 0, a, b, x), density, rtol=1e-15)
    np.testing.assert_array_equal(beta_probability(1, 0, a, b, x), slope)
    np.testing.assert_array_equal(beta_probability(0, 1, a, b, x), slope)
    if density == 0.0:
        assert beta_density(1, 0, a, b, x) == beta_density(0, 1, a, b, x) == 0.0


@pytest.mark.parametrize(
    ("a", "b", "x"),
    [
        *((2.0, 3.5, 0.1), (0.05, 2e3, 1e-5), (50.0, 80.0, 0.38), (1e4, 1e5, 0.0902), (1e6, 1e6, 0.499)),
        *((1e5, 1e6, 0.1), (0.3, 40.0, 0.5), (0.1, 3e3, 0.9), (1e6, 3e3, 0.99701), (1e-3, 1e3, 0.5)),
    ],
)
def test_what_is_integrated(a, b, x, monkeypatch):
    """No more than has to be: up to where the density of the logit has fallen by the exponential of 45."""
    every_ends = []
    integrals = incomplete_beta.integrals

    def spy(integrand, ends, *parameters):
        every_ends.append(np.array(ends))
        return integrals(integrand, ends, *parameters)

    monkeypatch.setattr(incomplete_beta, "integrals", spy)
    beta_probability(1, 0, a, b, x)
    is_left = every_ends[0].size > 0
    ends = every_ends[not is_left].ravel()
    with mpmath.workdps(30):
        start = mpmath.log(x) - mpmath.log1p(-x)

        def log_density(logit):
            return -a * mpmath.log1p(mpmath.exp(-logit)) - b * mpmath.log1p(mpmath.exp(logit))

        end = start - float(ends[-1]) if is_left else start + float(ends[-1])
        peak = mpmath.log(a) - mpmath.log(b)
        highest = min(start, peak) if is_left else max(start, peak)
        assert float(log_density(highest) - log_density(end)) == pytest.approx(45.0, abs=0.01)
    assert ends[0] == 0.0
    assert np.all(np.diff(ends) >= 0.0)


def test_first_derivatives_need_no_second_ones():
    """The differences of digamma functions are all that they are made of."""
    assert functions_run_by(lambda: beta_density(1, 0, 2.0, 3.0, 0.4))["polygamma_increment"] == 2


def test_shapes_and_precision():
    """Of the results: numbers, arrays, empty ones, and single precision, which stays."""
    assert isinstance(beta_probability(1, 0, 2.0, 3.0, 0.5), float)
    assert beta_probability(0, 1, np.ones((2, 1)), np.ones(3), 0.5).shape == (2, 3)
    assert beta_probability(0, 1, np.ones(0), 1.0, 0.5).shape == (0,)
    assert beta_probability(0, 1, *np.full((3, 2), 0.5, np.float32)).dtype == np.float32
    assert beta_probability(0, 0, 2.0, 3.0, 0.5) == special.betainc(2.0, 3.0, 0.5)


@pytest.mark.parametrize(("b", "x"), [(1.0, 0.5), (2.5, 0.1), (0.3, 0.9), (40.0, 0.01)])
def test_shapes_of_zero(b, x):
    """The limits: by the shape itself that from the right, by the other one and by the quantile zero."""
    with mpmath.workdps(30):
        integral = mpmath.quad(lambda t: (1 - t) ** (mpmath.mpf(b) - 1) / t, [x, (1 + x) / 2, 1])
    by_a = -float(integral)
    assert beta_probability(1, 0, 0.0, b, x) == pytest.approx(by_a, rel=1e-10)  # of a singular integral
    assert beta_probability(0, 1, b, 0.0, 1 - x) == pytest.approx(-by_a, rel=1e-10)
    assert (beta_probability(0, 1, 0.0, b, x), beta_density(0, 0, 0.0, b, x)) == (0.0, 0.0)
    assert np.isnan(beta_probability(2, 0, 0.0, b, x))
    for orders in ((1, 0), (0, 1)):
        assert np.isnan(beta_probability(*orders, 0.0, 0.0, x))
        assert np.isnan(beta_probability(*orders, 0.0, b, 0.0))
        assert np.isnan(beta_probability(*orders, b, 0.0, 1.0))
