"""The derivatives of quotients of gamma functions, at zeros and between them."""

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad, hessian
from chainrules.formulas.special_functions.gamma_quotients import (
    beta_by_first,
    binom_by_k,
    binom_by_n,
    poch_by_m,
    poch_by_z,
    slope_of_reciprocal,
)
from tests.python_calls import functions_run_by


def quotient(f, x, step=1e-4):
    """A difference quotient of the fourth order."""
    return (8 * (f(x + step) - f(x - step)) - (f(x + 2 * step) - f(x - 2 * step))) / (12 * step)


@pytest.mark.parametrize("x", [-3.0, -2.7, 0.0, 0.3, 0.6, 4.0])
def test_reciprocal(x):
    """At poles of the gamma function too."""
    assert slope_of_reciprocal(special.rgamma(x), x) == pytest.approx(quotient(special.rgamma, x), rel=1e-9)


@pytest.mark.parametrize(
    ("z", "m"), [(2.5, 1.3), (-2.5, 2.0), (-2.0, 5.0), (0.0, 3.0), (1.0, 2.5), (1e6, 1e-3), (-5.0, 2.0)]
)
def test_poch(z, m):
    """By both arguments."""
    y = special.poch(z, m)
    step = 1e-4 * max(1.0, abs(z))
    assert poch_by_z(y, z, m) == pytest.approx(quotient(lambda z: special.poch(z, m), z, step), rel=1e-7)
    if (z, m) != (-5.0, 2.0) and y:  # beside which it is infinite
        assert poch_by_m(y, z, m) == pytest.approx(quotient(lambda m: special.poch(z, m), m), rel=1e-7)


def test_short_way():
    """What holds at poles alone is not computed elsewhere."""
    n, k = np.array([5.5, 3.5]), np.array([2.5, 1.5])
    for f in (poch_by_z, poch_by_m, binom_by_n, binom_by_k, beta_by_first):
        assert not functions_run_by(lambda f=f: f(1.0, n, k))["slope_of_reciprocal"]


@pytest.mark.parametrize(
    ("n", "k"), [(5.5, 2.5), (3.0, 5.0), (2.0, 3.0), (4.0, 4.0), (2.5, -1.0), (-2.5, 1.3)]
)
def test_binom(n, k):
    """By both arguments."""
    y = special.binom(n, k)
    by_n = quotient(lambda n: special.binom(n, k), n, 1.0003e-3)
    assert binom_by_n(y, n, k) == pytest.approx(by_n, rel=1e-6)
    assert binom_by_k(y, n, k) == pytest.approx(
        quotient(lambda k: special.binom(n, k), k, 1.0003e-3), rel=1e-6
    )
    assert np.shape(binom_by_n(y, np.array([n]), k)) == (1,)


@pytest.mark.parametrize(
    ("a", "b"), [(2.5, 1.3), (-2.5, 1.3), (-1.5, -0.5), (-2.5, 1.5), (-2.0, 1.0), (-3.0, 2.0)]
)
def test_beta(a, b):
    """Where the sum of both arguments is a pole of the gamma function too, and where one of them is."""
    quick = quotient(lambda a: special.beta(a, b), a, 1.0003e-4 * max(1.0, abs(a)))
    assert beta_by_first(special.beta(a, b), a, b) == pytest.approx(quick, rel=1e-6)


def test_beta_of_arrays():
    """Each element has its formula, beside poles too: gamma functions of large numbers would overflow."""
    a, b = np.array([-2.5, 200.0, -3.0, 2.0]), np.array([1.5, 3.0, 2.0, -3.0])
    slopes = beta_by_first(special.beta(a, b), a, b)
    for k in range(4):
        np.testing.assert_allclose(slopes[k], beta_by_first(special.beta(a[k], b[k]), a[k], b[k]))


@pytest.mark.parametrize(("a", "b"), [(2.5, 1.3), (-1.5, -0.5), (-2.5, 1.5), (-2.0, 2.0)])
def test_second_derivatives_of_beta(a, b):
    """Those of the quotient of gamma functions; of integers, of the quotient of polynomials."""
    with mpmath.workdps(40):
        f = mpmath.beta if a % 1 else lambda a, b: 1 / (a * (a + 1))  # which is B(a, 2)
        expected = float(mpmath.diff(lambda a: f(a, b), mpmath.mpf(a), 2))
    assert grad(grad(lambda a: special.beta(a, b)))(a) == pytest.approx(expected, rel=1e-9)


def test_isolated_values_of_beta():
    """At a pole between infinite values SciPy returns a finite one, which has no derivative."""
    beside, at_pole = special.beta(-3.0, 2.0 + 1e-6), special.beta(-3.0, 2.0)
    assert (np.isinf(beside), np.isfinite(at_pole)) == (True, True)
    assert np.isnan(beta_by_first(at_pole, 2.0, -3.0))


@pytest.mark.parametrize(
    ("f", "x"),
    [(special.poch, (-2.0, 5.0)), (special.poch, (-2.5, 2.0)), (special.binom, (3.0, 5.0))],
)
def test_second_derivatives(f, x):
    """At zeros they have terms that vanish in the first."""
    gradient, x = grad(lambda v: f(v[0], v[1])), np.array(x)
    for actual, unit in zip(hessian(lambda v: f(v[0], v[1]))(x), np.eye(2), strict=True):
        by_differences = quotient(lambda t, unit=unit: gradient(x + t * unit), 0.0, 1.0003e-3)
        np.testing.assert_allclose(actual, by_differences, rtol=1e-6, atol=1e-7)
