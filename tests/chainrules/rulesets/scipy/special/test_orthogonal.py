"""The rules of calls of objects of orthogonal polynomials."""

import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import NoTangent, NotImplementedTangent, ZeroTangent, frule, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule

POLYNOMIALS = [
    special.legendre(3),
    special.hermite(5, monic=True),
    special.jacobi(4, 0.3, 0.4),
    special.laguerre(0),
    special.chebyc(1),
]


@pytest.mark.parametrize("p", POLYNOMIALS, ids=lambda p: f"degree {p.order}")
def test_programs(p):
    """Gradients and second derivatives are those of the polynomial."""
    x = np.array([0.3, -0.7])

    np.testing.assert_allclose(grad(lambda x: np.sum(p(x)))(x), p.deriv()(x), atol=1e-13)
    assert grad(grad(p))(0.3) == pytest.approx(p.deriv(2)(0.3))


@pytest.mark.parametrize("p", POLYNOMIALS, ids=lambda p: f"degree {p.order}")
@pytest.mark.parametrize("x", [0.3, np.array([0.3, -0.7]), np.zeros((0, 2))])
def test_both_modes(p, x):
    """By the argument, with the object a constant."""
    x_dot = np.ones_like(x) + 1.0
    y, y_dot = frule((NoTangent(), x_dot), p, x)
    _, pullback = rrule(p, x)
    _, x_bar = pullback(np.ones_like(y))

    np.testing.assert_array_equal(y, p(x))
    np.testing.assert_allclose(y_dot, 2 * p.deriv()(x), atol=1e-13)
    np.testing.assert_allclose(unthunk(x_bar), np.conj(p.deriv()(x)), atol=1e-13)
    assert frule.unchecked((NoTangent(), ZeroTangent()), p, x)[1] == ZeroTangent()


def test_complex_arguments():
    """Polynomials are holomorphic."""
    p, z = special.legendre(3), 0.3 + 1j

    assert unthunk(rrule(p, z)[1](1j)[1]) == pytest.approx(1j * np.conj(p.deriv()(z)))


def test_high_degrees():
    """The coefficients of this polynomial would have lost all digits."""
    p = special.legendre(60)

    assert grad(p)(0.3) == pytest.approx(grad(special.eval_legendre, 1)(60, 0.3), rel=1e-11)


def test_polynomials_made_in_the_program():
    """The degree is a constant."""
    assert grad(lambda x: special.legendre(3)(x) * x)(0.3) == pytest.approx(10 * 0.3**3 - 3 * 0.3)


def test_testers():
    """The checks of all rules; the object holds numbers whose derivatives are not known."""
    p = special.legendre(3)

    test_frule(p, np.array([0.3, 0.5]))
    test_rrule(p, np.array([0.3, 0.5]))
    _, pullback = rrule(p, 0.3)
    assert isinstance(pullback(1.0)[0], NotImplementedTangent)
    _, y_dot = frule((pullback(1.0)[0], 1.0), p, 0.3)
    assert isinstance(y_dot, NotImplementedTangent)
