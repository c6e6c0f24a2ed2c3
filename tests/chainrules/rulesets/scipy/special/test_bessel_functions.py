"""The rules of Bessel functions, against finite differences and, by the order, against mpmath."""

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import DerivativeNotImplementedError, NoTangent, ZeroTangent, frule, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_elementwise, check_rule, within

ORDERS = np.array([0.3, 2.0, -1.4])
REALS = np.array([0.7, 3.2, 12.5])
OFF_AXIS = np.array([0.7 - 0.4j, -2.0 + 1.5j, 3.0 + 2.0j])

REFERENCES = {
    special.jv: mpmath.besselj,
    special.yv: mpmath.bessely,
    special.iv: mpmath.besseli,
    special.kv: mpmath.besselk,
    special.hankel1: mpmath.hankel1,
    special.hankel2: mpmath.hankel2,
    special.jve: lambda v, z: mpmath.besselj(v, z) * mpmath.exp(-abs(mpmath.im(z))),
    special.yve: lambda v, z: mpmath.bessely(v, z) * mpmath.exp(-abs(mpmath.im(z))),
    special.ive: lambda v, z: mpmath.besseli(v, z) * mpmath.exp(-abs(mpmath.re(z))),
    special.kve: lambda v, z: mpmath.besselk(v, z) * mpmath.exp(z),
    special.hankel1e: lambda v, z: mpmath.hankel1(v, z) * mpmath.exp(-1j * z),
    special.hankel2e: lambda v, z: mpmath.hankel2(v, z) * mpmath.exp(1j * z),
}
FUNCTIONS = list(REFERENCES)
HANKEL = (special.hankel1, special.hankel2, special.hankel1e, special.hankel2e)
SCALED = (special.ive, special.kve, special.hankel1e, special.hankel2e)


def slope_by_order(f, v, z):
    """The function and its derivative by the order."""
    return frule((NoTangent(), 1.0, ZeroTangent()), f, v, z)


@pytest.mark.parametrize("f", [f for f in FUNCTIONS if f not in HANKEL])
def test_functions_of_real_arguments(f):
    """By the order and the argument, in all kinds of number and array."""
    check_elementwise(f, within(0.2, 2.5), within(0.5, 3.0))


@pytest.mark.parametrize("f", FUNCTIONS)
def test_functions_of_complex_arguments(f):
    """By a real order and a complex argument; those scaled by ``exp(-|Im z|)`` are not holomorphic."""
    check_rule(f, ORDERS, OFF_AXIS)
    check_rule(f, ORDERS[:, None], OFF_AXIS[:2])


@pytest.mark.parametrize("f", HANKEL)
def test_hankel_functions_of_real_arguments(f):
    """The result is complex, and the cotangent real."""
    check_rule(f, ORDERS, REALS)
    assert np.isrealobj(unthunk(rrule(f, 0.5, REALS)[1](np.ones(3) + 1j)[2]))


@pytest.mark.parametrize("f", FUNCTIONS)
def test_integer_orders(f):
    """They have no tangent; derivatives by the argument are those of real orders."""
    for order in (0, 1, 3, -2, np.array([0, 1, 2])):
        test_frule(f, order, REALS)
        test_rrule(f, order, REALS)
    assert rrule(f, 2, REALS)[1](np.ones(3))[1] == NoTangent()
    assert rrule(f, np.array(2), REALS)[1](np.ones(3))[1] == NoTangent()


@pytest.mark.parametrize("f", [special.yn, special.kn])
def test_functions_of_integer_order(f):
    """By a real argument."""
    check_rule(f, np.array([0, 1, 3]), REALS)
    check_rule(f, 2, REALS)
    test_rrule(f, 1, 0.5)
    assert rrule(f, 2, 0.5)[1](1.0)[1] == NoTangent()


@pytest.mark.parametrize("f", FUNCTIONS)
@pytest.mark.parametrize("v", [0.0, 0.3, -1.7, 60.5])
def test_derivative_by_order(f, v):
    """As accurate as is said, of small and large real arguments and of complex ones."""
    for z in (1e-3, 1.5, 33.0, -4.0 + 0.5j):
        y, slope = slope_by_order(f, v, z)
        with mpmath.workdps(60):
            h, reference = mpmath.mpf(10) ** -15, REFERENCES[f]
            above, below = reference(v + h, mpmath.mpmathify(z)), reference(v - h, mpmath.mpmathify(z))
            expected = complex((above - below) / (2 * h))
        assert abs(slope - expected) <= 2e-12 * (abs(expected) + abs(y)), z


def test_derivative_by_order_in_closed_form():
    """``∂J_v/∂v = π/2 Y_0`` at ``v = 0``, ``∂K_v/∂v = 0``; https://dlmf.nist.gov/10.15."""
    assert grad(special.jv)(0.0, 1.3) == pytest.approx(np.pi / 2 * special.y0(1.3), rel=1e-13)
    assert grad(special.kv)(0.0, 1.3) == pytest.approx(0.0, abs=1e-14)
    assert grad(special.iv)(0.0, 1.3) == pytest.approx(-special.k0(1.3), rel=1e-13)


def test_second_derivative_by_order():
    """Also of both arguments, against mpmath."""
    for places, n in (((0, 0), (2, 0)), ((0, 1), (1, 1)), ((1, 0), (1, 1))):
        actual = grad(grad(special.jv, places[0]), places[1])(1.3, 2.1)
        with mpmath.workdps(40):
            expected = float(mpmath.diff(mpmath.besselj, (mpmath.mpf(1.3), mpmath.mpf(2.1)), n))
        assert actual == pytest.approx(expected, rel=1e-12)


def test_derivative_by_order_in_single_precision():
    """It is computed in double precision, and given in single precision."""
    slope = unthunk(rrule(special.jv, np.float32(0.5), np.float32(2.0))[1](np.float32(1.0))[1])
    assert slope.dtype == np.float32
    assert slope == pytest.approx(grad(special.jv)(0.5, 2.0), rel=1e-6)


def test_at_zero():
    """Power series begin there: the derivative is a limit, or infinite."""
    by_argument = {
        (special.jv, 0): 0.0,
        (special.jv, 1): 0.5,
        (special.jv, 0.5): np.inf,
        (special.jv, 3): 0.0,
        (special.iv, 1): 0.5,
        (special.ive, 0): 0.0,  # the mean of both slopes of its kink
        (special.ive, 1): 0.5,
        (special.yv, 0): np.inf,
        (special.kv, 1): -np.inf,
    }
    for (f, order), expected in by_argument.items():
        assert unthunk(rrule(f, order, 0.0)[1](1.0)[2]) == expected


@pytest.mark.parametrize("f", SCALED)
@pytest.mark.parametrize("v", [0.0, 3.5])
def test_scaled_functions_far_out(f, v):
    """The derivative is small beside the function, and loses no digits."""
    for z in (31.0, 1e6):
        with mpmath.workdps(40):
            expected = complex(mpmath.diff(lambda z, f=f: REFERENCES[f](v, z), mpmath.mpf(z)))
        _, slope = frule((NoTangent(), ZeroTangent(), 1.0), f, v, z)
        assert abs(slope - expected) <= 1e-13 * abs(expected)


def test_scaled_functions_do_not_overflow():
    """Where the functions that are not scaled are out of range."""
    for f in SCALED:
        assert np.isfinite(unthunk(rrule(f, 1, 1e4)[1](1.0)[2]))
    assert grad(special.ive, 1)(1, -1e4) == pytest.approx(-grad(special.ive, 1)(1, 1e4) * -1)


def test_scaled_functions_have_no_seam():
    """Second derivatives agree where the expansion begins."""
    for f in (special.ive, special.kve):
        below, above = (grad(grad(f, 1), 1)(0.5, z) for z in (30.0 - 1e-9, 30.0 + 1e-9))
        assert below == pytest.approx(above, rel=1e-9)


def test_orders_out_of_range_are_nan():
    """A function that is infinite has no derivative by the order; a strong zero keeps that apart."""
    assert np.isnan(unthunk(rrule(special.yv, 150.5, 1e-3)[1](1.0)[1]))
    assert unthunk(rrule(special.yv, 150.5, 1e-3)[1](0.0)[1]) == 0.0
    v, z = np.array([150.5, 1.5]), np.array([1e-3, 2.0])
    bars = grad(lambda v: np.sum(np.where(z > 1.0, special.yv(v, z), 0.0)))(v)
    assert bars[0] == 0.0
    assert np.isfinite(bars[1])


def test_inside_plain_code():
    """Ufuncs are called by traced values."""
    x = np.array([1.0, 2.0])
    np.testing.assert_allclose(
        grad(lambda x: np.sum(special.jn(2, x) * x))(x), x * special.jv(1, x) - special.jv(2, x)
    )


def test_results_in_memory_of_others_are_refused():
    """The array would be changed, and nobody would learn of that."""
    with pytest.raises(TypeError, match=r"jv.*out"):
        rrule(special.jv, 1.0, REALS, np.zeros(3))


# --- Wright's function and Lambda functions ----------------------------------------------------------------


def wright(a, b, x):
    """Wright's function by its series."""
    return mpmath.nsum(lambda k: x**k / mpmath.factorial(k) * mpmath.rgamma(a * k + b), [0, 100])


@pytest.mark.parametrize("f", [special.wright_bessel, special.log_wright_bessel])
def test_wright_bessel(f):
    """By all three arguments, in all kinds of number and array."""
    a, b, x = np.array([0.5, 1.2]), np.array([1.5, 0.8]), np.array([0.6, 2.0])
    check_rule(f, a, b, x)
    test_rrule(f, 1, 2, x)
    test_frule(f, np.float32(0.5), np.float32(1.5), np.float32(0.7))


@pytest.mark.parametrize("parameters", [(0.05, 0.1, 3.0), (0.3, 2.0, 20.0), (2.5, 10.0, 0.01)])
def test_wright_bessel_by_parameters(parameters):
    """As accurate as is said."""
    with mpmath.workdps(40):
        exact = [mpmath.mpf(p) for p in parameters]
        value = wright(*exact)
        slopes = [mpmath.diff(wright, exact, n) for n in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    for place, slope in enumerate(slopes):
        assert grad(special.wright_bessel, place)(*parameters) == pytest.approx(float(slope), rel=1e-11)
        of_log = grad(special.log_wright_bessel, place)(*parameters)
        assert of_log == pytest.approx(float(slope / value), rel=1e-11)


def test_log_wright_bessel_does_not_overflow():
    """Where the function itself does."""
    assert np.isinf(special.wright_bessel(0.5, 1.0, 1e5))
    assert np.all(np.isfinite(grad(special.log_wright_bessel, (0, 1, 2))(0.5, 1.0, 1e5)))


@pytest.mark.parametrize("v", [0, 1, 3])
def test_lmbda(v):
    """By the argument, of all orders up to one."""
    test_frule(special.lmbda, v, 1.2)
    test_rrule(special.lmbda, v, 1.2)
    assert rrule(special.lmbda, v, 1.2)[1]((np.ones(v + 1), np.ones(v + 1)))[1] == NoTangent()


@pytest.mark.parametrize("v", [0, 2, 2.5])
def test_lmbda_at_zero(v):
    """``Λ' = 0`` and ``Λ'' = -1 / (2 (v + 1))``."""
    _, (slopes, curvatures) = frule((NoTangent(), ZeroTangent(), 1.0), special.lmbda, v, 0.0)
    orders = v - int(v) + np.arange(int(v) + 1)
    np.testing.assert_array_equal(slopes, np.zeros_like(orders))
    np.testing.assert_allclose(curvatures, -0.5 / (orders + 1))


def test_lmbda_by_order():
    """A message says what to write instead."""
    with pytest.raises(DerivativeNotImplementedError, match=r"gamma\(v \+ 1\) \* jv"):
        grad(lambda v: np.sum(special.lmbda(v, 1.0)[0]))(2.5)


@pytest.mark.parametrize("v", [0.0, 1.0, 0.3])
@pytest.mark.parametrize("z", [-40.0, -40.0 + 0.0j, -40.0 + 1e-3j, -40.0 - 1e-3j])
def test_scaled_hankel_functions_beside_the_branch_cut(v, z):
    """On the cut, where the expansion of the second kind does not hold, and on both sides of it."""
    for f in (special.hankel1e, special.hankel2e):
        slope = frule((NoTangent(), ZeroTangent(), 1.0), f, v, z)[1]
        difference = (f(v, z + 1e-4) - f(v, z - 1e-4)) / 2e-4
        np.testing.assert_allclose(slope, difference, rtol=1e-6)


@pytest.mark.filterwarnings("ignore:floating point number truncated:RuntimeWarning")  # SciPy's, of the order
@pytest.mark.parametrize("f", [special.kn, special.yn])
def test_orders_that_are_truncated(f):
    """The derivative is that of the function that SciPy computes."""
    assert grad(lambda x: f(1.7, x))(2.0) == grad(lambda x: f(1, x))(2.0)


@pytest.mark.parametrize("f", [special.jve, special.yve])
def test_scaled_functions_on_the_real_line(f):
    """The derivative of a complex argument is finite there: the kink of the scale counts for nothing."""
    _, pullback = rrule(f, 1.5, 2.0 + 0.0j)
    assert unthunk(pullback(1.0 + 0.0j)[2]) == pytest.approx(grad(f, 1)(1.5, 2.0))


@pytest.mark.parametrize("f", [special.jv, special.iv, special.jve, special.ive], ids=lambda f: f.__name__)
def test_order_at_zero(f):
    """Powers of positive exponents are 0 at 0 whatever the order; mixed derivatives are not guessed."""
    np.testing.assert_array_equal(
        grad(lambda v: np.sum(f(v, np.array([0.0, 0.0]))))(np.array([0.7, 2.0])), 0.0
    )
    by_order = grad(f)
    assert grad(lambda z: by_order(2.5, z))(0.0) == 0.0
    assert grad(lambda z: by_order(1.0, z))(0.0) == -np.inf
    assert by_order(2.0, 0.0) == pytest.approx(by_order(2.0, 1e-9), abs=1e-15)
