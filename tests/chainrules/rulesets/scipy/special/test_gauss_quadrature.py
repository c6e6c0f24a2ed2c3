"""The rules of points and weights of Gaussian quadrature, against finite differences."""

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import DerivativeNotImplementedError
from chainrules_testutils import test_rrule
from tests.chainrules.rule_checks import check_declared, check_quickly

OF_DEGREES = [
    *("roots_chebyc", "roots_chebys", "roots_chebyt", "roots_chebyu", "roots_hermite", "roots_hermitenorm"),
    *("roots_laguerre", "roots_legendre", "roots_sh_chebyt", "roots_sh_chebyu", "roots_sh_legendre"),
]


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (special.roots_jacobi, (5, 0.3, 0.7)),
        (special.roots_jacobi, (5, 0.0, 0.0)),
        (special.roots_jacobi, (4, 0.5, 0.5, True)),
        (special.roots_jacobi, (1, 0.3, 0.2)),
        (special.roots_genlaguerre, (1, 0.3)),
        (special.roots_genlaguerre, (6, 0.3, True)),
        (special.roots_gegenbauer, (5, 0.8)),
        (special.roots_sh_jacobi, (5, 2.0, 1.5)),
    ],
)
def test_rules(f, args):
    """In both modes, with the sum of the weights or without."""
    check_quickly(f, *args)


def test_second_derivatives():
    """The derivatives are differentiated again, by both exponents."""
    test_rrule(special.roots_jacobi, 3, 0.3, 0.7, order=2)


def test_accuracy():
    """13 digits of a weight, and of the sum: ``Γ(α + 1)``."""
    alpha = 0.3
    with mpmath.workdps(30):
        expected = float(mpmath.diff(lambda a: mpmath.gamma(a + 1), alpha))

    assert grad(lambda a: special.roots_genlaguerre(6, a, mu=True)[2])(alpha) == pytest.approx(
        expected, rel=1e-13
    )
    total = grad(lambda a: np.sum(special.roots_genlaguerre(6, alpha=a)[1]))(alpha)
    assert total == pytest.approx(expected, rel=1e-12)


def test_fit_of_an_exponent():
    """``∫ (1 - x)^α cos x dx`` by quadrature has the derivative of the integral."""

    def integral(alpha):
        x, w = special.roots_jacobi(12, alpha, 0.0)
        return w @ np.cos(x)

    with mpmath.workdps(20):
        expected = mpmath.quad(lambda x: mpmath.log(1 - x) * (1 - x) ** 0.4 * mpmath.cos(x), [-1, 1])
    assert grad(integral)(0.4) == pytest.approx(float(expected), rel=1e-11)


@pytest.mark.parametrize("name", OF_DEGREES)
def test_points_of_integer_degrees(name):
    """They are constants."""
    check_declared(getattr(special, name), 3)


def test_degrees_are_integers():
    """A derivative by the degree is refused."""
    with pytest.raises(DerivativeNotImplementedError, match="integer"):
        grad(lambda n: special.roots_genlaguerre(n, 0.3)[0][0])(3.0)
