"""Student's distribution, against SciPy."""

import mpmath
import numpy as np
import pytest
from scipy import special, stats

from chainrules.ad import grad, hessian
from chainrules.formulas.probabilities.student_distribution import student_density, student_slope
from chainrules_testutils import jacobian
from tests.python_calls import functions_run_by

T = np.array([-3.0, -0.2, 0.0, 1.0, 1.7])


def test_density():
    """In the middle and in the tails."""
    np.testing.assert_allclose(student_density(3.4, T), stats.t.pdf(T, 3.4))


def test_slope():
    """Against finite differences."""
    (expected,) = jacobian(None, lambda v: stats.t.cdf(T, v), 3.4)
    np.testing.assert_allclose(student_slope(3.4, T), expected.ravel(), rtol=1e-8, atol=1e-12)


def test_short_way():
    """The series is not computed away from 0."""
    for t in (1.7, T[T != 0]):
        assert not functions_run_by(lambda t=t: student_slope(3.4, t))["_slope_near_zero"]


@pytest.mark.parametrize("v", [0.99e6, 1.01e6, 1e9, 1e16])
@pytest.mark.parametrize("t", [1e-3, 0.5, -3.0, 10.0])
def test_slope_of_many_degrees(v, t):
    """Two ways meet at a million degrees of freedom; the first has no digits left of the last of these."""
    with mpmath.workdps(60):
        expected = mpmath.diff(lambda v: t * _half_of_probability(v, t), v, h=mpmath.mpf(v) / 10**12)
        assert student_slope(v, t) == pytest.approx(float(expected), rel=1e-6 if v < 1e6 else 1e-8)


@pytest.mark.parametrize("v", [1e120, np.inf])
def test_endless_degrees(v):
    """The distribution is the normal one, which does not change any more."""
    at = np.array([-np.inf, -1.3, 0.0, 1.0, np.inf])
    np.testing.assert_allclose(student_density(v, at), stats.norm.pdf(at), rtol=1e-14)
    np.testing.assert_allclose(student_slope(v, at), 0.0, atol=1e-200)
    v_bar, t_bar = grad(special.stdtr, argnums=(0, 1))(v, 1.0)
    assert float(v_bar) == pytest.approx(0.0, abs=1e-200)
    assert float(t_bar) == pytest.approx(stats.norm.pdf(1.0))


@pytest.mark.parametrize("v", [0.5, 1.0, 3.4, 60.0])
def test_slope_near_zero(v):
    """It has derivatives at 0, and the series and the probability of the beta distribution meet."""
    (expected,) = jacobian(None, lambda t: student_slope(v, t), 0.0)
    np.testing.assert_allclose(grad(student_slope, 1)(v, 0.0), expected, rtol=1e-9)
    at = np.sqrt(1e-6 * v / (1 + v)) * np.array([0.999, 1.001])
    near, far = student_slope(v, at) / at
    np.testing.assert_allclose(near, far, rtol=1e-8)


@pytest.mark.parametrize("v", [0.5, 3.4, 60.0])
def test_derivatives_of_the_slope_near_zero(v):
    """Up to the third, to which all terms of the series contribute."""
    t = 0.9 * np.sqrt(1e-6 * v / (1 + v))
    derivative = student_slope
    with mpmath.workdps(60):

        def slope(t):
            return mpmath.diff(lambda v: t * _half_of_probability(v, t), v)

        for n in range(4):
            expected = float(mpmath.diff(slope, t, n, h=mpmath.mpf(10) ** -9))
            assert float(derivative(v, t)) == pytest.approx(expected, rel=1e-10)
            derivative = grad(derivative, 1)


def _half_of_probability(v, t):
    """``(F(t; v) - 1/2) / t``: https://dlmf.nist.gov/8.17.E8 in the variable t."""
    a, b = (v + 1) / 2, mpmath.mpf(1) / 2
    density = mpmath.gammaprod([a], [v / 2]) / mpmath.sqrt(mpmath.pi * v)  # at 0
    return mpmath.hyp2f1(b, a, 1 + b, -t * t / v) * density


def test_hessian_of_the_probability_is_symmetric():
    """At 0 too, where the probability of the beta distribution has an infinite derivative."""
    hessian_at = hessian(lambda x: special.stdtr(x[0], x[1]))(np.array([3.4, 0.0]))
    (expected,) = jacobian(None, lambda v: stats.t.pdf(0.0, v), 3.4)
    expected = np.full(2, expected)
    np.testing.assert_allclose([hessian_at[0, 1], hessian_at[1, 0]], expected, rtol=1e-9)
