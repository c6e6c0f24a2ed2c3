"""Integrals of products of powers."""

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules.operations import power_integrals
from chainrules.operations.power_integrals import power_integral
from tests.chainrules.rule_checks import check_rule

# Twice the powers, and the points, of some integrals, some of which are spread over many magnitudes.
INTEGRALS = [
    ((3, 1, 1, 2), (1.0, 2.0, 3.0, 4.0)),
    ((1, 1, 5, 0), (0.0, 1.0, 1.0, 1.0)),
    ((1, 1, 5, 0), (1e-3, 1.0, 1e3, 1.0)),
    ((3, 1, 3, 0), (1 + 1j, 2 - 1j, 0.5j, 1.0)),
    ((1, 1, 1, 4), (-1 + 0.1j, 2 - 1j, 3.0, 1.0)),
]


def reference(halves, points):
    """The same integral by another substitution, in more digits."""

    def integrand(u):
        t = mpmath.exp(u)
        return t * mpmath.fprod(
            (t + x) ** (-mpmath.mpf(half) / 2) for half, x in zip(halves, points, strict=True)
        )

    with mpmath.workdps(25):
        return complex(mpmath.quad(integrand, [-80, -40, -20, -10, -5, 0, 5, 10, 20, 40, 60]))


@pytest.mark.parametrize(("halves", "points"), INTEGRALS)
def test_accuracy(halves, points):
    """14 digits, also where all digits of a difference would cancel."""
    assert power_integral(*halves, *points) == pytest.approx(reference(halves, points), rel=1e-14)


@pytest.mark.parametrize(
    "x",
    [
        (-2 - 0.1j, 1 + 1j, 3.0),
        (-2 + 0.1j, 1.0, 0.5 + 2j),
        (-1 - 0.2j, -2 - 3j, 1 - 1j),
        (-1 + 0.1j, 2j, 1.0),
    ],
)
def test_beside_the_negative_axis(x):
    """The path is turned away from the points: against Carlson's integral by SciPy."""
    assert 1.5 * power_integral(1, 1, 3, 0, *x, 1.0) == pytest.approx(special.elliprd(*x), rel=1e-13)


@pytest.mark.parametrize(("halves", "points"), [*INTEGRALS[:3], ((1, 1, 3, 0), (1e-3, 2.0, 2.0, 1.0))])
def test_what_is_summed(halves, points, monkeypatch):
    """The integrand as far as it is more than rounding, by few values."""
    sums, every_t = power_integrals._sum, []

    def spy(powers, columns, t):
        every_t.append(t.ravel())
        return sums(powers, columns, t)

    monkeypatch.setattr(power_integrals, "_sum", spy)
    power_integral(*halves, *points)
    (t,) = every_t
    factors = [(t + x) ** (-0.5 * half) for half, x in zip(halves, points, strict=True)]
    integrand = t * np.prod(factors, axis=0)
    width = np.log(max(points)) - np.log(min(x for x in points if x))
    fall_before, fall_after = np.log(integrand.max() / integrand[[0, -1]])
    assert 36.0 < fall_before < 42.0
    assert 36.0 < fall_after < 42.0 + width * (0.5 * sum(halves) - 1.0)
    assert 0.4 < np.log(t[1] / t[0]) < 0.45


def test_closed_form():
    """``RD(x, x, x) = x^(-3/2)``, https://dlmf.nist.gov/19.20.E18, at all magnitudes."""
    x = 10.0 ** np.arange(-100, 101, 50)

    np.testing.assert_allclose(1.5 * power_integral(1, 1, 3, 0, x, x, x, 1.0), x**-1.5, rtol=1e-13)


def test_many_points():
    """More than are computed at once."""
    x = np.random.default_rng(0).uniform(0.1, 2.0, (3, 20, 500))

    integrals = power_integral(1, 1, 3, 0, *x, 1.0)

    np.testing.assert_allclose(1.5 * integrals, special.elliprd(*x), rtol=1e-13)


def test_outside_the_domain():
    """Infinite where the integral diverges, and NaN where it is not defined."""
    integrals = power_integral(3, 1, 1, 0, [0.0, -1.0, np.nan, 1.0], 2.0, [1.0, 1.0, 1.0, np.inf], 1.0)

    np.testing.assert_array_equal(integrals, [np.inf, np.nan, np.nan, np.nan])
    assert power_integral(2, 1, 1, 0, 0.0, 2.0, 1.0, 1.0) == np.inf
    assert power_integral(1, 1, 3, 0, 0.0, 0.0, 1.0, 1.0) == np.inf


@pytest.mark.parametrize("shape", [(), (0,), (2, 0)])
def test_shapes(shape):
    """Of arrays without axes or elements."""
    assert np.shape(power_integral(1, 1, 3, 0, np.ones(shape), 2.0, 3.0, 1.0)) == shape


def test_precision():
    """That of the arguments."""
    x = np.float32(1.5)

    assert power_integral(1, 1, 3, 0, x, x, x, 1.0).dtype == np.float32
    assert power_integral(1, 1, 3, 0, 1, 1, 1, 1).dtype == np.float64


@pytest.mark.parametrize("halves", [(1, 1, 3, 0), (3, 1, 1, 2)])
def test_rules(halves):
    """The derivatives by each point, also where all are equal."""
    x = np.array([1.0, 1.7])

    check_rule(power_integral.__primitive__, *halves, x, np.array([[1.0], [0.6]]), x, 1.0)


def test_beside_a_wide_integral():
    """An integral is the same, whatever is computed beside it."""
    x, p = np.array([5.0, 1e-300, 1e-300]), np.array([1.5, 0.5, 1e300])

    with_others = power_integral(3, 1, 1, 2, x, 2.0, 300.0, p)
    np.testing.assert_allclose(with_others[0], power_integral(3, 1, 1, 2, 5.0, 2.0, 300.0, 1.5), rtol=1e-13)
