"""The rules of Bessel functions of the orders 0 and 1, against finite differences and those of all orders."""

import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from tests.chainrules.rule_checks import check_elementwise, within

ON_BOTH_SIDES = {
    special.j0: (special.jv, 0),
    special.j1: (special.jv, 1),
    special.i0: (special.iv, 0),
    special.i1: (special.iv, 1),
}
ON_ONE_SIDE = {
    special.y0: (special.yv, 0),
    special.y1: (special.yv, 1),
    special.k0: (special.kv, 0),
    special.k1: (special.kv, 1),
    special.k0e: (special.kve, 0),
    special.k1e: (special.kve, 1),
}
SCALED = {special.i0e: (special.ive, 0), special.i1e: (special.ive, 1)}


@pytest.mark.parametrize("f", ON_BOTH_SIDES)
def test_functions_of_all_numbers(f):
    """In all kinds of number and array."""
    check_elementwise(f, within(-4.0, 4.0))


@pytest.mark.parametrize("f", [*ON_ONE_SIDE, *SCALED])
def test_functions_of_positive_numbers(f):
    """In all kinds of number and array; those that are scaled have a kink at 0."""
    check_elementwise(f, within(0.4, 4.0))


@pytest.mark.parametrize("f", SCALED)
def test_scaled_functions_of_negative_numbers(f):
    """They are even or odd."""
    check_elementwise(f, within(-4.0, -0.4))


@pytest.mark.parametrize("family", [ON_BOTH_SIDES, ON_ONE_SIDE, SCALED])
def test_as_of_all_orders(family):
    """The derivatives are those of the functions of any order, near 0 and far out."""
    for f, (of_order, order) in family.items():
        for x in (1e-3, 0.7, 29.0, 31.0, 500.0):
            expected = grad(of_order, 1)(order, x)
            assert grad(f)(x) == pytest.approx(expected, rel=1e-12, abs=1e-15, nan_ok=True)


def test_at_zero():
    """The limits of power series, the mean of both slopes of a kink, and infinities."""
    slopes = {special.j0: 0.0, special.j1: 0.5, special.i0: 0.0, special.i1: 0.5}
    slopes |= {special.i0e: 0.0, special.i1e: 0.5}
    slopes |= {special.y0: np.inf, special.k0: -np.inf, special.k1: -np.inf}
    for f, expected in slopes.items():
        assert grad(f)(0.0) == expected, f
    assert grad(grad(special.j0))(0.0) == -0.5
    assert grad(grad(special.i0))(0.0) == 0.5


@pytest.mark.parametrize("f", SCALED)
def test_scaled_functions_far_on_the_left(f):
    """As on the right, but for signs; the derivative is small beside the function."""
    parity = 1.0 if f is special.i0e else -1.0
    assert grad(f)(-1e6) == pytest.approx(-parity * grad(f)(1e6), rel=1e-14)
    assert grad(f)(1e6) == pytest.approx(-0.5 * f(1e6) / 1e6, rel=1e-5)


@pytest.mark.parametrize("f", [special.i0e, special.k0e, special.j0])
def test_single_precision(f):
    """It stays."""
    x = np.array([0.5, 40.0], dtype=np.float32)
    assert grad(lambda x: np.sum(f(x)))(x).dtype == np.float32
    assert grad(lambda x: np.sum(grad(lambda x: np.sum(f(x)))(x)))(x).dtype == np.float32
