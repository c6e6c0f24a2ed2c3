"""The derivatives of the logarithm of the gamma function."""

import math

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules.operations.polygamma import polygamma, polygamma_increment
from tests.chainrules.rule_checks import check_rule


@pytest.mark.parametrize("x", [0.3, 1.0, 4.5])
@pytest.mark.parametrize("n", [0, 1, 2])
def test_polygamma(n, x):
    """Each is the derivative of the one before."""
    check_rule(polygamma.__primitive__, n, x)


def test_known_values():
    """ψ(1) = -γ and ψ'(1) = π²/6, see https://dlmf.nist.gov/5.4."""
    assert polygamma(0, 1.0) == pytest.approx(-0.5772156649015329)
    assert polygamma(1, 1.0) == pytest.approx(math.pi**2 / 6)


@pytest.mark.parametrize("n", [0, 1, 2, 5, 10])
@pytest.mark.parametrize(
    "z", [0.3 + 0.4j, -2.7 + 0.01j, 5 - 3j, -20.2 + 5j, 100 + 200j, 1e-3 + 1e-3j, -3.4 - 80j, -14 - 1e-6j]
)
def test_complex_numbers(n, z):
    """By mpmath, left of the imaginary axis after reflection."""
    with mpmath.workdps(60):
        z_ = mpmath.mpc(z)
        right = mpmath.polygamma(n, 1 - z_ if z.real < 0 else z_)
        reflected = (-1) ** n * right - mpmath.pi * mpmath.diff(lambda w: mpmath.cot(mpmath.pi * w), z_, n)
        expected = complex(reflected if z.real < 0 else right)
    assert polygamma(n, z) == pytest.approx(expected, rel=1e-13)


def test_an_order_of_numpy():
    """It is a number as Python's, also where it is 0."""
    z = np.array([0.3 + 0.4j, -2.7 - 3.0j])
    np.testing.assert_allclose(polygamma(np.int64(0), z), special.digamma(z), rtol=1e-13)
    assert polygamma(np.int64(1), 0.3) == polygamma(1, 0.3)


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("a", [1e-3, 0.7, 3.0, 50.0, 1e8])
def test_increments(n, a):
    """However small they are beside the argument."""
    steps = a * np.array([-1e-3, 1e-12, 1e-3, 0.2, 0.3, 5.0, 1e6])
    with mpmath.workdps(60):
        expected = [
            float(mpmath.polygamma(n, mpmath.mpf(a) + mpmath.mpf(b)) - mpmath.polygamma(n, mpmath.mpf(a)))
            for b in map(float, steps)
        ]
    np.testing.assert_allclose(polygamma_increment(n, a, steps), expected, rtol=2e-14)


def test_rule_of_increments():
    """By both arguments, in both precisions, and of negative ones."""
    check_rule(polygamma_increment.__primitive__, 0, np.array([0.7, 3.0, -1.6]), np.array([0.05, 2.0, 0.3]))
    assert polygamma_increment(1, np.ones(0), 1.0).shape == (0,)


def test_precision():
    """Single precision stays, of real and of complex numbers."""
    assert polygamma(1, np.float32(2)).dtype == np.float32
    assert polygamma(1, np.ones(2, np.complex64)).dtype == np.complex64
