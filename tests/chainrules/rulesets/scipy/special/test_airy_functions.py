"""The rules of Airy functions, against finite differences and mpmath."""

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import NoTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from chainrules_testutils.testers.exercised import record_exercised
from tests.chainrules.rule_checks import check_declared

REALS = np.array([[0.3, 1.7], [2.4, -1.2]])
OFF_AXIS = np.array([0.7 - 0.4j, -2.0 + 1.5j, 3.0 + 2.0j, 1.0 + 3.0j])


def slopes_of(f, x):
    """The derivative of each result by a number."""
    return tuple(frule((NoTangent(), np.ones_like(x)), f, x)[1])


@pytest.mark.parametrize(
    "x", [REALS, REALS.astype(np.float32), np.zeros((0, 2)), np.array(0.0), -1.5, np.float32(2.0)]
)
def test_functions_of_real_numbers(x):
    """In all kinds of number and array."""
    test_frule(special.airy, x)
    test_rrule(special.airy, x)


@pytest.mark.parametrize("x", [REALS[0], REALS[0].astype(np.float32), np.zeros((0, 2)), 1.5, np.float32(2.0)])
def test_scaled_functions_of_real_numbers(x):
    """Of positive ones, where all four are numbers."""
    test_frule(special.airye, x)
    test_rrule(special.airye, x)


@pytest.mark.parametrize("f", [special.airy, special.airye])
@pytest.mark.parametrize("z", [OFF_AXIS, OFF_AXIS.astype(np.complex64), 1.0 - 0.5j])
def test_functions_of_complex_numbers(f, z):
    """`airye` scales Bi by a factor that is not holomorphic."""
    test_frule(f, z)
    test_rrule(f, z)


def test_scaled_functions_of_negative_numbers():
    """Bi is not scaled there, and Ai is NaN, which harms nothing that does not depend on it."""
    slopes = slopes_of(special.airye, -1.5)
    assert np.isnan(slopes[:2]).all()
    np.testing.assert_allclose(slopes[2:], slopes_of(special.airy, -1.5)[2:])
    assert grad(lambda x: special.airye(x)[2])(-1.5) == pytest.approx(special.airy(-1.5)[3])


@pytest.mark.parametrize("x", [0.5, 5.0, 12.0, 13.0, 1e3, 1e6])
def test_scaled_functions_far_out(x):
    """Their derivatives are small beside the functions, and are exact to 1e-12 even so."""

    def scaled(z):
        zeta = 2 * z ** mpmath.mpf(1.5) / 3
        ai, bi = mpmath.airyai(z), mpmath.airybi(z)
        slope, other_slope = mpmath.airyai(z, derivative=1), mpmath.airybi(z, derivative=1)
        grow, shrink = mpmath.exp(zeta), mpmath.exp(-zeta)
        return grow * ai, grow * slope, shrink * bi, shrink * other_slope

    with mpmath.workdps(60):
        h = mpmath.mpf(10) ** -20
        ends = zip(scaled(x + h), scaled(x - h), strict=True)
        expected = [float((above - below) / (2 * h)) for above, below in ends]
    np.testing.assert_allclose(slopes_of(special.airye, x), expected, rtol=1e-12)


def test_higher_derivatives():
    """``Ai''' = Ai + x Ai'``, and those of scaled functions have no seam."""
    third = grad(grad(grad(lambda x: special.airy(x)[0])))(0.7)
    assert third == pytest.approx(special.airy(0.7)[0] + 0.7 * special.airy(0.7)[1], rel=1e-14)
    for part in range(4):
        second = grad(grad(lambda x, part=part: special.airye(x)[part]))
        for x in (1.0, 12.65):
            assert second(x - 1e-9) == pytest.approx(second(x + 1e-9), rel=1e-7)


def test_itairy():
    """The integrals of its derivatives are its differences, as far as SciPy's values are accurate."""
    nodes, weights = np.polynomial.legendre.leggauss(20)
    x = np.array([-3.0, -1.0, 0.5, 2.0])
    middle, half = 0.5 * (x[1:] + x[:-1]), 0.5 * np.diff(x)
    slopes = slopes_of(special.itairy, middle[:, None] + half[:, None] * nodes)
    for values, slope in zip(special.itairy(x), slopes, strict=True):
        np.testing.assert_allclose(half * (slope @ weights), np.diff(values), atol=1e-6)
    x_bar = grad(lambda x: sum(map(np.sum, special.itairy(x))))(x)
    np.testing.assert_allclose(x_bar, sum(slopes_of(special.itairy, x)))
    assert grad(lambda x: special.itairy(x)[0])(np.float32(0.5)).dtype == np.float32
    # Finite differences over small steps would see SciPy's errors.
    record_exercised(special.itairy, rrule.find(special.itairy, x))
    record_exercised(special.itairy, frule.find((NoTangent(), x), special.itairy, x))


def test_zeros_are_constants():
    """They are found by their number."""
    check_declared(special.ai_zeros, 2)
    check_declared(special.bi_zeros, 2)
