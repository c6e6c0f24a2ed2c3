"""The partial derivatives of powers where the textbook's formulas fail; the rules are tested as rules."""

import math
import operator

import numpy as np
import pytest

from chainrules.ad import grad, jacobian
from chainrules.formulas.numbers import powers
from chainrules_testutils import grad as grad_by_differences


@pytest.mark.parametrize(("x", "p"), [(1.5, 2.5), (1.5, 2), (0.5, -1.5), (2.0, 0.0), (-1.5, 3), (-1.5, -2)])
def test_by_base(x, p):
    """As finite differences say, also of negative bases to integral exponents."""
    expected = grad_by_differences(None, lambda x: x**p, x)[0]

    assert powers.by_base(x**p, x, p) == pytest.approx(expected, rel=1e-8, abs=1e-10)


@pytest.mark.parametrize(("x", "p"), [(1.5, 2.5), (0.5, -1.5), (2.0, 0.0)])
def test_by_exponent(x, p):
    """As finite differences say, for positive bases."""
    expected = grad_by_differences(None, lambda p: x**p, p)[0]

    assert float(powers.by_exponent(x**p, x, p)) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("x", [0, 0.0, np.float64(0.0), np.zeros(2)])
def test_slope_at_zero_is_infinite_not_an_error(x):
    """Python's own numbers raise ZeroDivisionError for negative powers of zero."""
    with np.errstate(divide="ignore"):
        assert np.all(powers.by_base(x**0.5, x, 0.5) == np.inf)


def test_single_precision_is_kept():
    """What is masked is masked in the precision of the operands."""
    x = np.array([0.0, 2.0], dtype=np.float32)

    assert powers.by_exponent(x**2, x, 2).dtype == np.float32


@pytest.mark.parametrize("x", [2.0 - 1.5j, -2.0 + 0.5j, -2.0 + 0j])
@pytest.mark.parametrize("p", [2.5, -1.0, 0.5 + 1j])
def test_complex_powers(x, p):
    """On the principal branch, which complex differences stay on."""
    y, h = np.power(x, p), 1e-6
    by_x, by_p = powers.by_base(y, x, p), powers.by_exponent(y, x, p)

    assert complex(by_p) == pytest.approx((x ** (p + h) - x ** (p - h)) / (2 * h), rel=1e-8)
    assert complex(by_x) == pytest.approx(((x + h) ** p - (x - h) ** p) / (2 * h), rel=1e-8)


def test_by_exponent_of_a_negative_base():
    """The derivative of the real part: that of ``|x| ** p`` times the sign."""
    y, p = np.power(np.array([-2.0, 2.0, -3.0]), 3.0), 3.0

    np.testing.assert_allclose(
        powers.by_exponent(y, np.array([-2.0, 2.0, -3.0]), p), y * np.log([2.0, 2.0, 3.0])
    )


def test_conventions_at_zero():
    """``0 ** p`` is constant for positive exponents, and has no derivative by others."""
    x, p = np.array([0.0, 0.0, 0.0, 2.0]), np.array([1.5, 0.0, -1.0, 0.5])
    with np.errstate(divide="ignore", invalid="ignore"):
        y = x**p
        np.testing.assert_allclose(
            powers.by_exponent(y, x, p), [0.0, np.nan, np.nan, math.sqrt(2) * math.log(2)]
        )
        slopes = jacobian(lambda p: powers.by_base(x**p, x, p))(p)
    assert slopes[0, 0] == 0.0
    assert slopes[3, 3] == pytest.approx(2**-0.5 * (1 + 0.5 * math.log(2)))


def test_slope_of_a_square():
    """In the dtype of the base, without a product."""
    assert powers.by_base(9, 3, 2) == 6
    assert powers.by_base(np.float32(9), np.float32(3), 2.0).dtype == np.float32


POWERS = [operator.pow, pow, np.power, np.float_power, np.emath.power]
MODES = ["forward", "reverse"]


def hessian_of_power(x, p):
    """The second derivatives of a power of a positive base, from the first of ``exp(p log x)``."""
    y, log = x**p, math.log(x)
    mixed = x ** (p - 1) * (1 + p * log)
    return [[p * (p - 1) * x ** (p - 2), mixed], [mixed, y * log**2]]


@pytest.mark.parametrize("power", POWERS)
@pytest.mark.parametrize("outer", MODES)
@pytest.mark.parametrize("inner", MODES)
@pytest.mark.parametrize("x", [1.0, 2.0])
@pytest.mark.parametrize("p", [-1.0, 0.0, 1.0, 2.0, 3.0])
def test_second_derivatives_at_whole_exponents(power, outer, inner, x, p):
    """A formula for one exponent must not hide the derivatives by neighbouring exponents."""
    gradient = jacobian(lambda v: power(v[0], v[1]), mode=inner)

    np.testing.assert_allclose(jacobian(gradient, mode=outer)(np.array([x, p])), hessian_of_power(x, p))


@pytest.mark.parametrize("p", [0.0, 1.0, 2.0, 3.0])
def test_third_derivatives_at_whole_exponents(p):
    """Third derivatives agree with those of ``exp(p log x)``, which has no special exponent."""
    third, expected = (
        jacobian(jacobian(jacobian(f)))(np.array([2.0, p]))
        for f in (lambda v: v[0] ** v[1], lambda v: np.exp(v[1] * np.log(v[0])))
    )

    np.testing.assert_allclose(third, expected, atol=1e-12)


def test_arrays_of_exponents_some_of_which_are_zero():
    """Each element by itself, with a base that is zero too, where the slope rises at an infinite rate."""
    x, p = np.array([2.0, 0.0, 3.0]), np.array([0.0, 0.0, 2.0])

    mixed = jacobian(lambda p: grad(lambda x: np.sum(x**p))(x))(p)

    expected = [0.5, np.inf, 3 + 6 * math.log(3)]
    np.testing.assert_allclose(np.diagonal(mixed), expected)
    np.testing.assert_array_equal(grad(lambda x: np.sum(x**p))(x), [0, 0, 6])


@pytest.mark.parametrize(("p", "expected"), [(1.0, -np.inf), (2.0, 0.0), (3.0, 0.0)])
def test_slope_by_the_exponent_at_a_base_of_zero(p, expected):
    """The derivative of ``x ** p log x`` at zero, which is infinite for the exponent 1."""
    with np.errstate(divide="ignore"):
        assert grad(lambda x: grad(lambda p: x**p)(p))(0.0) == expected
