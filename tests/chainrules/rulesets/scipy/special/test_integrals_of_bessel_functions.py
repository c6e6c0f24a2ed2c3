"""The rules of integrals of Bessel functions, against finite differences and mpmath."""

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule

INTEGRALS = [special.itj0y0, special.it2j0y0, special.iti0k0, special.it2i0k0]


@pytest.mark.parametrize("f", INTEGRALS)
@pytest.mark.parametrize(
    "x",
    [
        np.array([[0.3, 1.7], [2.4, 5.0]]),
        np.array([0.3, 1.7], dtype=np.float32),
        np.zeros((0, 2)),
        1.5,
        np.float32(2.0),
    ],
)
def test_integrals(f, x):
    """Two results each, in all kinds of number and array."""
    test_frule(f, x)
    test_rrule(f, x)


@pytest.mark.parametrize("f", INTEGRALS)
def test_second_derivatives(f):
    """Those of both results, forwards in reverse."""
    for part in (0, 1):
        slope = grad(lambda x, part=part: f(x)[part])
        h, x = 1e-4, 1.3
        assert grad(slope)(x) == pytest.approx((slope(x + h) - slope(x - h)) / (2 * h), rel=1e-6)


@pytest.mark.parametrize(("f", "sign"), [(special.it2j0y0, -1), (special.it2i0k0, 1)])
def test_near_zero(f, sign):
    """``(1 - J₀(x)) / x`` and its like lose no digits, and have all derivatives at 0."""
    slope = grad(lambda x: f(x)[0])
    for x in (1e-8, 1e-3, 0.3, 0.999999, 1.000001):
        reference = mpmath.besselj if sign < 0 else mpmath.besseli
        with mpmath.workdps(40):
            expected = float(abs(reference(0, mpmath.mpf(x)) - 1) / mpmath.mpf(x))
        assert slope(x) == pytest.approx(expected, rel=1e-14)
    assert slope(0.0) == 0.0
    assert grad(slope)(0.0) == 0.25
    third = grad(grad(grad(slope)))(0.0)
    assert third == pytest.approx(sign * 6 / 64)


def test_besselpoly():
    """By the factor of the argument, the power and the order, in both precisions, with broadcasting."""
    check_rule(special.besselpoly, np.array([[0.5], [2.0]]), 1.2, np.array([0.3, 1.0]))
    test_rrule(special.besselpoly, np.array([0.5, 2.0]), 1, 0)
    test_frule(special.besselpoly, np.array([0.5, 2.0]), 1, 0)
    assert rrule(special.besselpoly, 0.5, 1, 0)[1](1.0)[2:] == (NoTangent(), NoTangent())


@pytest.mark.parametrize("args", [(0.5, 1.2, 0.3), (3.0, -0.5, 0.2), (2.0, 0.0, 2.5)])
def test_besselpoly_by_parameters(args):
    """As the integral of mpmath's."""

    def integral(a, power, order):
        return mpmath.quad(lambda x: x**power * mpmath.besselj(order, 2 * a * x), [0, 0.25, 0.5, 1])

    for place in range(3):
        with mpmath.workdps(25):
            h = mpmath.mpf(10) ** -8
            ends = [[x + step * (i == place) for i, x in enumerate(args)] for step in (h, -h)]
            expected = float((integral(*ends[0]) - integral(*ends[1])) / (2 * h))
        dots = [1.0 if i == place else ZeroTangent() for i in range(3)]
        _, slope = frule((NoTangent(), *dots), special.besselpoly, *args)
        assert slope == pytest.approx(expected, rel=1e-10)


def test_besselpoly_of_nothing():
    """The derivative by the factor holds at 0."""
    with np.errstate(all="ignore"):
        assert grad(special.besselpoly)(0.0, 1, 1) == pytest.approx(1 / 3)
