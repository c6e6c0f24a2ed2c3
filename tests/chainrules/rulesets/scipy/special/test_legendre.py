"""The rules of Legendre functions and spherical harmonics, against finite differences."""

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import (
    DerivativeNotImplementedError,
    NoTangent,
    NotImplementedTangent,
    ZeroTangent,
    frule,
    rrule,
)
from chainrules_testutils import test_frule, test_rrule
from tests.case_names import shown
from tests.chainrules.rule_checks import check_rule_in_double

X = np.array([0.3, -0.6])
THETA, PHI = np.array([[0.3], [1.2]]), np.array([0.2, 2.0, 3.0])

ONE_VARIABLE = [
    (special.legendre_p, (3,)),
    (special.legendre_p, (np.array([[1], [4]]),)),
    (special.legendre_p_all, (3,)),
    (special.assoc_legendre_p, (3, 1)),
    (special.assoc_legendre_p, (3, np.array([[-2], [2]]))),
    (special.assoc_legendre_p_all, (3, 2)),
    (special.sph_legendre_p, (3, 1)),
    (special.sph_legendre_p_all, (3, 2)),
]
HARMONICS = [(special.sph_harm_y, (3, 1)), (special.sph_harm_y, (3, -2)), (special.sph_harm_y_all, (2, 2))]


def check(f, *args, order=2, **fkwargs):
    """Both modes, and in reverse the derivatives of the rule."""
    test_frule(f, *args, fkwargs=fkwargs)
    test_rrule(f, *args, fkwargs=fkwargs, order=order)


@pytest.mark.parametrize(("f", "integers"), ONE_VARIABLE, ids=shown)
@pytest.mark.parametrize("diff_n", [0, 1])
def test_one_variable(f, integers, diff_n):
    """Values, and with them derivatives, at arrays and numbers; SciPy's second ones are the last."""
    check(f, *integers, X, diff_n=diff_n, order=2 - diff_n)
    check(f, *integers, 0.3, diff_n=diff_n, order=1)


def test_options():
    """Normalised functions, and complex arguments with either branch cut."""
    check(special.assoc_legendre_p, 3, 1, X, norm=True)
    check(special.assoc_legendre_p, 3, 1, np.array([0.3 + 1j, 1.5 - 1j]), branch_cut=3, order=1)
    check(special.assoc_legendre_p_all, 3, 2, X, norm=True, order=1)


@pytest.mark.parametrize(("f", "integers"), HARMONICS, ids=shown)
def test_harmonics(f, integers):
    """By both angles, which broadcast and may be numbers, twice."""
    check(f, *integers, THETA, PHI)
    check(f, *integers, 0.3, PHI)
    check(f, *integers, 0.3, 0.4, order=1)


@pytest.mark.parametrize(("f", "integers"), HARMONICS, ids=shown)
def test_gradients_of_harmonics(f, integers):
    """Of calls that return derivatives as well."""
    check(f, *integers, THETA, PHI, diff_n=1, order=1)
    by_theta = frule((NoTangent(),) * 3 + (1.0, ZeroTangent()), f, *integers, 0.3, 0.4, diff_n=1)[1]

    hessian = f(*integers, 0.3, 0.4, diff_n=2)[2]
    np.testing.assert_allclose(by_theta[1], hessian[..., 0, :])


def test_programs():
    """The square of a spherical harmonic; one item of a gradient."""
    assert grad(lambda t: np.abs(special.sph_harm_y(1, 0, t, 0.4)) ** 2)(0.5) == pytest.approx(
        -3 / (4 * np.pi) * np.sin(1.0)
    )
    assert grad(lambda z: special.legendre_p(3, z)[0])(0.3) == pytest.approx((15 * 0.3**2 - 3) / 2)


def test_zero_tangents():
    """The rules themselves take a constant argument, and a result that nobody uses."""
    zeros = (NoTangent(),) * 2 + (ZeroTangent(),)
    of_harmonics = (NoTangent(),) * 3 + (ZeroTangent(),) * 2
    _, pullback = rrule.unchecked(special.legendre_p, 3, 0.3)
    _, pullback_of_harmonics = rrule.unchecked(special.sph_harm_y, 3, 1, 0.3, 0.4)

    assert frule.unchecked(zeros, special.legendre_p, 3, 0.3)[1] == ZeroTangent()
    assert frule.unchecked(of_harmonics, special.sph_harm_y, 3, 1, 0.3, 0.4)[1] == ZeroTangent()
    assert pullback(ZeroTangent())[2] == ZeroTangent()
    assert pullback_of_harmonics(ZeroTangent())[3] == ZeroTangent()


@pytest.mark.parametrize(("f", "integers"), [*ONE_VARIABLE[:1], *HARMONICS[:1]], ids=shown)
def test_third_derivatives_are_refused(f, integers):
    """In both modes; the values are there."""
    angles = (0.3,) if f is special.legendre_p else (0.3, 0.4)

    def first(z):
        y = f(*integers, z, *angles[1:], diff_n=2)
        return np.real(y[0][()] if f is special.legendre_p else y[0])

    with pytest.raises(DerivativeNotImplementedError, match="third derivatives"):
        grad(first)(0.3)
    tangents = (NoTangent(),) * (1 + len(integers)) + (1.0,) * len(angles)
    _, y_dot = frule(tangents, f, *integers, *angles, diff_n=2)
    assert isinstance(y_dot if f is special.legendre_p else y_dot[0], NotImplementedTangent)


# --- Functions of real degree -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("m", "v"), [(0, 3), (0, 2.5), (1, 2.5), (2, 3.3), (-1, 2.5), (3, np.array([2.5, 4.5]))]
)
def test_lpmv(m, v):
    """By the variable and by real degrees."""
    check_rule_in_double(special.lpmv, m, v, X)
    test_rrule(special.lpmv, m, v, np.float32(0.3), mode="fast")


@pytest.mark.parametrize("v", [3, 3.0, 4.0])
@pytest.mark.parametrize(("m", "limit"), [(0, 1), (1, np.inf), (2, 1), (3, 0)])
def test_lpmv_at_the_ends(m, limit, v):
    """The limits there."""
    for end in (1.0, -1.0):
        slope = grad(special.lpmv, 2)(m, v, end)
        beside = grad(special.lpmv, 2)(m, v, end * (1 - 1e-9))
        if limit == np.inf:
            assert slope == np.sign(beside) * np.inf
        else:
            assert slope == pytest.approx(beside if limit else 0.0, rel=1e-6)


def test_lpmv_beyond():
    """At -1 functions of other degrees are infinite, and of the order -1 no limit is known."""
    assert np.isnan(grad(special.lpmv, 2)(0, 2.5, -1.0))
    assert np.isnan(grad(special.lpmv, 2)(-1, 3, 1.0))


def test_accuracy_by_degree():
    """12 digits."""
    with mpmath.workdps(30):
        expected = float(mpmath.diff(lambda v: mpmath.legenp(v, 1, 0.3), mpmath.mpf(2.5)))

    assert grad(special.lpmv, 1)(1, 2.5, 0.3) == pytest.approx(expected, rel=1e-12)


def test_orders_are_integers():
    """A derivative by the order is refused."""
    with pytest.raises(DerivativeNotImplementedError, match="integer orders"):
        grad(special.lpmv)(1.0, 2.5, 0.3)


# --- Functions of the second kind ---------------------------------------------------------------------------


@pytest.mark.parametrize("z", [X, np.array([1.5, 3.0]), np.array([1.3 + 1j, 0.5 + 2j]), 0.3, 1.5])
def test_second_kind(z):
    """Values and derivatives, inside the cut and outside of it."""
    order = 1 if np.iscomplexobj(z) else 2
    check(special.lqn, 3, z, order=order)
    check(special.lqmn, 2, 3, z, order=order)


def test_lowest_degree():
    """Of one degree, and of one order."""
    check(special.lqn, 0, 0.3)
    check(special.lqmn, 0, 0, 0.3)
