"""The rules of parabolic cylinder functions, against finite differences and, by the order, against mpmath."""

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import DerivativeNotImplementedError, NoTangent, ZeroTangent, frule, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule

FUNCTIONS = {
    special.pbdv: mpmath.pcfd,
    special.pbvv: lambda v, x: mpmath.re(mpmath.pcfv(-v - mpmath.mpf(1) / 2, x)),
    special.pbwa: lambda a, x: mpmath.re(mpmath.pcfw(a, x)),
}
REALS = np.array([0.3, -1.2, 2.0])


@pytest.mark.parametrize("f", FUNCTIONS)
@pytest.mark.parametrize(
    "args",
    [
        (0.4, REALS),
        (np.array([[0.4], [-1.3]]), REALS),
        (1, REALS),
        (1.5, 0.8),
        (np.float32(0.5), np.float32(0.8)),
        (np.array([0.5, 1.5], dtype=np.float32), REALS[:2].astype(np.float32)),
        (0.5, np.zeros((0, 2))),
    ],
)
def test_functions(f, args):
    """Both results by the order and the argument, in all kinds of number and array."""
    # SciPy's values of W jump by 1e-10, which finite differences divide by their steps.
    is_rough = f is special.pbwa and np.asarray(args[1]).dtype == np.float64
    tolerance = {"rtol": 1e-7, "atol": 1e-7} if is_rough else {}
    test_frule(f, *args, **tolerance)
    test_rrule(f, *args, **tolerance)


@pytest.mark.parametrize("f", FUNCTIONS)
def test_integer_orders(f):
    """They have no tangent."""
    assert rrule(f, 2, 0.5)[1]((1.0, 1.0))[1] == NoTangent()


# SciPy's W is off by 1e-10 between its tables.
@pytest.mark.parametrize(
    ("f", "tolerance"), [(special.pbdv, 1e-10), (special.pbvv, 1e-10), (special.pbwa, 1e-7)]
)
@pytest.mark.parametrize("v", [0.3, 1.0, 2.5, -1.2])
def test_derivative_by_order(f, tolerance, v):
    """As mpmath's, relative to the sizes of the function and its derivative."""
    for x in (0.2, 1.5, 4.0, -1.5):
        y, slope = frule((NoTangent(), 1.0, ZeroTangent()), f, v, x)
        with mpmath.workdps(40):
            expected = float(mpmath.diff(lambda v, x=x: FUNCTIONS[f](v, mpmath.mpf(x)), mpmath.mpf(v)))
        assert abs(slope[0] - expected) <= tolerance * (abs(expected) + abs(y[0]))


@pytest.mark.parametrize(("a", "tolerance"), [(4.6, 1e-8), (-4.7, 1e-8), (4.9, 1e-7), (4.99, 1e-6)])
def test_near_the_largest_order(a, tolerance):
    """SciPy has W up to 5: the values that a derivative is computed from stay below that."""
    for x in (1.0, 2.5):
        _, slope = frule((NoTangent(), 1.0, ZeroTangent()), special.pbwa, a, x)
        with mpmath.workdps(40):
            expected = float(
                mpmath.diff(lambda a, x=x: FUNCTIONS[special.pbwa](a, mpmath.mpf(x)), mpmath.mpf(a))
            )
        assert slope[0] == pytest.approx(expected, rel=tolerance)


def test_beyond_the_largest_order():
    """Where there is no value beside there is no derivative."""
    for a in (5.0, -5.0):
        _, slope = frule((NoTangent(), 1.0, ZeroTangent()), special.pbwa, a, 1.0)
        assert np.isnan(slope[0])


def test_where_values_are_wrong():
    """SciPy's V of order 2 is 1e260 there: beside it no derivative is better than a wrong one."""
    assert abs(special.pbvv(2.0, -9.0)[0]) > 1e100
    assert np.isnan(unthunk(rrule(special.pbvv, 2.5, -9.0)[1]((1.0, 0.0))[1]))


@pytest.mark.parametrize("f", FUNCTIONS)
def test_second_derivatives(f):
    """By both arguments, against differences."""
    for place in (0, 1):

        def product(v, x):
            value, slope = f(v, x)
            return value * slope

        gradient = grad(product, place)
        h = 1e-4
        expected = (gradient(0.5, 0.8 + h) - gradient(0.5, 0.8 - h)) / (2 * h)
        assert grad(gradient, 1)(0.5, 0.8) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("f", [special.pbdv_seq, special.pbvv_seq])
@pytest.mark.parametrize("v", [0, 1, 3, -2])
def test_sequences(f, v):
    """By the argument; of negative orders SciPy returns the first two."""
    test_frule(f, v, 0.7)
    test_rrule(f, v, 0.7)
    assert rrule(f, v, 0.7)[1](f(v, 0.7))[1] == NoTangent()


@pytest.mark.parametrize(
    ("of_all", "of_one"), [(special.pbdv_seq, special.pbdv), (special.pbvv_seq, special.pbvv)]
)
@pytest.mark.parametrize("v", [2.3, 0.4, -1.5])
def test_sequences_of_real_orders(of_all, of_one, v):
    """Each is the function of one order; by the order, a message says what to write instead."""
    (values, _), (slopes, curvatures) = frule((NoTangent(), ZeroTangent(), 1.0), of_all, v, 0.7)
    first = v % 1.0
    orders = first + np.arange(len(values))
    np.testing.assert_allclose(values, of_one(orders, 0.7)[0])
    expected = frule((NoTangent(), ZeroTangent(), np.float64(1.0)), of_one, orders, 0.7)[1]
    np.testing.assert_allclose(slopes, expected[0])
    np.testing.assert_allclose(curvatures, expected[1])
    with pytest.raises(DerivativeNotImplementedError, match=f"write `{of_one.__name__}`"):
        grad(lambda v: np.sum(of_all(v, 0.7)[0]))(v)


@pytest.mark.parametrize("n", [1, 3, -3])
def test_sequences_of_integer_orders(n):
    """On the real axis; off it SciPy's values are wrong, and a message says so."""
    x = 0.7
    values, (slopes, curvatures) = frule((NoTangent(), NoTangent(), 1.0), special.pbdn_seq, n, x)
    np.testing.assert_allclose(slopes, values[1])
    h = 1e-5
    above, below = special.pbdn_seq(n, x + h)[1], special.pbdn_seq(n, x - h)[1]
    np.testing.assert_allclose(curvatures, (above - below) / (2 * h), rtol=1e-8)
    assert rrule(special.pbdn_seq, n, x)[1](values)[1] == NoTangent()
    test_frule(special.pbdn_seq, n, x)
    test_rrule(special.pbdn_seq, n, x)
    with pytest.raises(DerivativeNotImplementedError, match="complex number"):
        grad(lambda x: np.sum(np.abs(special.pbdn_seq(n, x + 1.0j)[0])))(x)
