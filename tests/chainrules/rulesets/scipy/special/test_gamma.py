"""The rules of the gamma function and its relatives, against finite differences and mpmath."""

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import NoTangent, rrule
from chainrules_testutils import positive, test_frule, test_rrule
from tests.chainrules.rule_checks import (
    check_elementwise,
    check_quickly,
    check_rule,
    check_second_derivative,
    within,
)

HOLOMORPHIC = {
    special.gamma: within(0.6, 3.0),
    special.loggamma: within(0.6, 3.0),
    special.rgamma: within(-2.5, 3.0),
    special.psi: within(0.6, 3.0),
}


@pytest.mark.parametrize("f", HOLOMORPHIC, ids=lambda f: f.__name__)
def test_holomorphic(f):
    """On real and complex numbers and arrays."""
    check_elementwise(f, HOLOMORPHIC[f], complex_numbers=True)


def test_gammaln():
    """On positive numbers, and between the negative poles."""
    check_elementwise(special.gammaln, positive)
    check_rule(special.gammaln, np.array([-0.4, -1.6, 30.0]))


def test_negative_numbers():
    """Between poles."""
    x = np.array([-0.4, -1.6, -2.3])
    for f in (special.gamma, special.rgamma, special.psi):
        check_rule(f, x)


@pytest.mark.parametrize("n", range(4))
def test_reciprocal_at_a_pole(n):
    """``1/Γ`` crosses zero there, with the slope ``(-1)ⁿ n!``."""
    expected = (-1.0) ** n * special.factorial(n)
    assert rrule(special.rgamma, -float(n))[1](1.0)[1] == pytest.approx(expected, rel=1e-15)
    assert rrule(special.rgamma, np.array([-n + 0j]))[1](np.ones(1) + 0j)[1] == pytest.approx(expected)
    second = grad(grad(special.rgamma))(-float(n))
    with mpmath.workdps(30):
        assert second == pytest.approx(float(mpmath.diff(mpmath.rgamma, -n, 2)), rel=1e-13)


def test_extreme_slopes():
    """They overflow only where the function does."""
    assert rrule(special.gamma, 0.0)[1](1.0)[1] == -np.inf
    assert rrule(special.gammaln, 1e300)[1](1.0)[1] == pytest.approx(np.log(1e300))
    assert rrule(special.rgamma, 400.0)[1](1.0)[1] == 0.0
    np.testing.assert_allclose(
        rrule(special.gamma, np.array([3, 4]))[1](np.ones(2))[1], special.gamma([3, 4]) * special.psi([3, 4])
    )


@pytest.mark.parametrize("n", [0, 1, 3])
def test_polygamma(n):
    """The order has no tangent."""
    check_rule(special.polygamma, n, np.array([0.5, 1.7]))
    assert rrule(special.polygamma, n, 1.5)[1](1.0)[1] == NoTangent()


def test_polygamma_of_several_orders():
    """Orders and arguments broadcast."""
    test_frule(special.polygamma, np.arange(3)[:, None], np.array([0.5, 1.7]))
    test_rrule(special.polygamma, np.arange(3)[:, None], np.array([0.5, 1.7]))


def test_multigammaln():
    """The dimension has no tangent."""
    check_rule(special.multigammaln, np.array([2.0, 5.5]), 3)
    test_rrule(special.multigammaln, 2.5, 2)
    with pytest.raises(ValueError, match="not met"):
        rrule(special.multigammaln, 0.5, 3)


@pytest.mark.parametrize("f", [special.beta, special.betaln], ids=lambda f: f.__name__)
def test_beta(f):
    """On positive numbers, and between poles."""
    check_elementwise(f, positive, positive)
    check_rule(f, np.array([-0.4, 2.0]), np.array([1.2, -1.3]))


@pytest.mark.parametrize(("a", "b"), [(1e8, 1e-3), (1e-3, 1e8), (1e12, 2.0), (50.0, 0.1), (1e-12, 1e-12)])
def test_beta_of_unequal_arguments(a, b):
    """Differences of digamma functions keep their digits."""
    with mpmath.workdps(40):
        a_, b_ = mpmath.mpf(a), mpmath.mpf(b)
        expected = [float(mpmath.digamma(x) - mpmath.digamma(a_ + b_)) for x in (a_, b_)]
    assert rrule(special.betaln, a, b)[1](1.0)[1:] == pytest.approx(expected, rel=1e-13, abs=0)


def test_poch():
    """On positive numbers, where numerator or denominator have poles, and between these."""
    check_elementwise(special.poch, positive, positive)
    check_rule(special.poch, np.array([-0.4, -2.5]), np.array([1.2, 4.3]))


@pytest.mark.parametrize(
    ("z", "m", "expected"),
    [
        (0.0, 2.0, 1.0),
        (-1.0, 2.0, -1.0),
        (-2.0, 2.0, -3.0),
        (-5.0, 3.0, 47.0),
        (-2.0, 5.0, 4.0),
        (3.0, 2.0, 7.0),
    ],
)
def test_poch_as_a_polynomial(z, m, expected):
    """``z (z + 1) ... (z + m - 1)`` has a slope everywhere, also at its zeros."""
    assert rrule(special.poch, z, m)[1](1.0)[1] == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(("z", "m"), [(-1.0, 0.5), (0.0, 0.3), (0.0, 3.0), (-1.0, 2.0)])
def test_second_derivatives_of_poch_at_its_zeros(z, m):
    """Each factor that is not zero changes as well."""
    check_second_derivative(special.poch, z, m)


def test_sign():
    """It is constant between jumps."""
    check_quickly(special.gammasgn, np.array([-0.4, 2.0]))
