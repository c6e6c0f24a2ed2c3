"""The rules of the error function and Fresnel's integrals, against finite differences and mpmath."""

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad, hvp
from chainrules_core import rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_elementwise, check_rule, within

ENTIRE = (special.erf, special.erfc, special.erfcx, special.erfi, special.dawsn)


@pytest.mark.parametrize("f", ENTIRE, ids=lambda f: f.__name__)
def test_entire_functions(f):
    """On real and complex numbers and arrays."""
    check_elementwise(f, within(-1.5, 1.5), complex_numbers=True)


def test_faddeeva():
    """Its results are complex."""
    check_rule(special.wofz, np.array([0.3 + 0.2j, -1.0 + 2.0j, 1.0 - 0.5j]))
    check_rule(special.wofz, np.array([0.3, -1.0]))


def test_inverses():
    """On probabilities, and on what they are twice of."""
    check_elementwise(special.erfinv, within(-0.9, 0.9))
    check_elementwise(special.erfcinv, within(0.1, 1.9))


def test_fresnel():
    """Each function has two results."""
    for x in (0.7, -1.3, np.float32(0.7), np.array([0.0, 1.1]), 0.5 + 0.2j):
        test_frule(special.fresnel, x)
        test_rrule(special.fresnel, x)
    for f in (special.modfresnelp, special.modfresnelm):
        for x in (0.7, np.array([0.2, 1.1])):
            test_frule(f, x)
            test_rrule(f, x)


@pytest.mark.parametrize("part", [0, 1])
@pytest.mark.parametrize(
    "f", [special.fresnel, special.modfresnelp, special.modfresnelm], ids=lambda f: f.__name__
)
def test_second_derivatives_of_fresnel(f, part):
    """Through the rules of the rules."""

    def slope(x):
        return grad(lambda x: np.real(f(x)[part]))(x)

    step = 1e-5
    expected = (slope(0.8 + step) - slope(0.8 - step)) / (2 * step)
    assert grad(slope)(0.8) == pytest.approx(expected, rel=1e-8)


def test_voigt_profile():
    """By the position and by both widths."""
    check_rule(special.voigt_profile, np.array([[0.5], [-1.0]]), np.array([0.4, 1.0, 2.0]), 0.7)
    test_rrule(special.voigt_profile, np.float32(0.5), np.float32(1.0), np.float32(0.3))


@pytest.mark.parametrize(
    ("x", "sigma", "gamma"),
    [(0.5, 1e-5, 0.7), (0.5, 0.0, 0.7), (30.0, 0.1, 0.2), (0.3, 2.0, 0.0), (1e3, 1.0, 1e-3)],
)
def test_extreme_profiles(x, sigma, gamma):
    """Narrow ones, the profile of Lorentz, and the far wings: the convolution, by mpmath."""
    with mpmath.workdps(60):
        expected = [
            float(mpmath.diff(voigt, (x, sigma, gamma), order)) for order in ((1, 0, 0), (0, 1, 0), (0, 0, 1))
        ]
    bars = rrule(special.voigt_profile, x, sigma, gamma)[1](1.0)[1:]
    assert bars == pytest.approx(expected, rel=1e-9, abs=1e-25)


def voigt(x, sigma, gamma):
    """The profile of any width."""
    if sigma < 1e-25:  # differences of an even function of the width
        return gamma / (mpmath.pi * (x * x + gamma * gamma)) if gamma else mpmath.mpf(0)
    z = (gamma - 1j * x) / (sigma * mpmath.sqrt(2))
    scaled = mpmath.exp(z * z) * mpmath.erfc(z) if abs(z) < 1e3 else far_scaled_erfc(z)
    return mpmath.re(scaled) / (sigma * mpmath.sqrt(2 * mpmath.pi))


def far_scaled_erfc(z):
    """``exp(z²) erfc z`` by its asymptotic series."""
    terms = [(-1) ** k * mpmath.rf(0.5, k) / z ** (2 * k + 1) for k in range(12)]
    return sum(terms) / mpmath.sqrt(mpmath.pi)


@pytest.mark.parametrize("x", [5.0, 12.0, 1e3, 1e8])
def test_far_slopes(x):
    """Where the terms of the recurrence cancel."""
    with mpmath.workdps(60):
        z = mpmath.mpf(x)
        scaled = 2 * z * mpmath.exp(z * z) * mpmath.erfc(z) - 2 / mpmath.sqrt(mpmath.pi) if x < 1e3 else None
        dawson = (
            1 - 2 * z * (mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(-z * z) * mpmath.erfi(z))
            if x < 100
            else None
        )
    scaled = -1 / (np.sqrt(np.pi) * x * x) * (1 - 1.5 / x**2) if scaled is None else float(scaled)
    dawson = -0.5 / x**2 * (1 + 1.5 / x**2) if dawson is None else float(dawson)
    assert rrule(special.erfcx, x)[1](1.0)[1] == pytest.approx(scaled, rel=1e-11, abs=0)
    assert rrule(special.dawsn, x)[1](1.0)[1] == pytest.approx(dawson, rel=1e-11, abs=0)
    assert rrule(special.dawsn, np.array([x, 0.0]))[1](np.ones(2))[1] == pytest.approx(
        [dawson, 1.0], rel=1e-11
    )


def test_extreme_slopes():
    """They overflow only where the derivatives do."""
    assert rrule(special.erfcx, -30.0)[1](1.0)[1] == -np.inf
    assert rrule(special.erf, 40.0)[1](1.0)[1] == 0.0
    assert rrule(special.erfinv, 1.0)[1](1.0)[1] == np.inf
    assert rrule(special.erfcinv, 1e-300)[1](1.0)[1] == pytest.approx(
        -np.sqrt(np.pi) / 2 * np.exp(special.erfcinv(1e-300) ** 2)
    )


def test_zeros():
    """The numbers of zeros have no tangents."""
    for f in (special.erf_zeros, special.fresnelc_zeros, special.fresnels_zeros):
        test_rrule(f, 2)
        test_frule(f, 2)
    test_rrule(special.fresnel_zeros, 2)
    test_frule(special.fresnel_zeros, 2)


@pytest.mark.parametrize("x", [0.0, 0.9, 3.0])
def test_second_derivative_of_the_sharp_profile(x):
    """It is even in the standard deviation, so that its slope is 0 there, but not the slope of that."""
    by_sigma = grad(special.voigt_profile, 1)
    second = grad(lambda sigma: by_sigma(x, sigma, 0.7))
    assert second(0.0) == pytest.approx(second(1e-3), rel=1e-4)  # the next term of the series


def test_profiles_of_negative_width():
    """Where both widths are none SciPy's values jump, and have no derivatives."""
    assert np.all(np.isnan(rrule(special.voigt_profile, 1.0, 0.0, -1.0)[1](1.0)[1:]))
    assert np.all(np.isfinite(rrule(special.voigt_profile, 1.0, 0.5, -1.0)[1](1.0)[1:]))


@pytest.mark.parametrize("f", [special.erf, special.erfc], ids=lambda f: f.__name__)
def test_second_derivatives_at_infinity(f):
    """They are zero, as the function is constant there."""
    x = np.array([-np.inf, 0.5, np.inf])
    expected = np.array([0.0, hvp(f, 0.5, 1.0), 0.0])
    np.testing.assert_array_equal(hvp(lambda x: np.sum(f(x)), x, np.ones(3)), expected)


def test_dawsons_integral_far_away():
    """Its slope is -1 / (2 x²), which squares of large numbers do not reach."""
    x = np.array([50.0, 1e6, 0.99e9, 1.01e9, 1e150, 1e308, np.inf])
    with np.errstate(all="ignore"):
        slopes = grad(lambda x: np.sum(special.dawsn(x)))(x)
        np.testing.assert_allclose(slopes, -0.5 / x**2 * (1.0 + 1.5 / x**2), rtol=1e-6)
