"""The rules of arithmetic operations, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules_core import AbstractThunk, NoTangent, ZeroTangent, frule, rrule
from chainrules_testutils import grad as grad_by_differences
from tests.chainrules.rule_checks import check_rule, normal, positive, read_only

BINARY = [np.add, np.subtract, np.multiply, np.divide]

# Second operands keep away from 0, where a quotient has no derivative.
OPERANDS = {
    "floats": (1.5, 2.5),
    "integer and float": (3, 2.5),
    "NumPy's float": (np.float64(1.5), 2.0),
    "complex numbers": (1 + 2j, 2.0),
    "arrays": (normal(3, 4), positive(3, 4)),
    "array and number": (normal(3, 4), 2.5),
    "array and integer": (normal(3, 4), 2),
    "number and array": (1.5, positive(3, 4)),
    "leading axes": (normal(3, 4), positive(4)),
    "stretched axes": (normal(2, 1, 4), positive(3, 1)),
    "without axes": (np.array(1.5), np.array(2.0)),
    "empty": (normal(0, 3), positive(3)),
    "single precision": (normal(3, 4, dtype=np.float32), positive(4, dtype=np.float32)),
    "complex": (normal(3, 4, dtype=complex), positive(4, dtype=complex)),
    "real and complex": (normal(3, 4), positive(4, dtype=complex)),
    "not contiguous": (normal(3, 8)[:, ::2], positive(8)[::-2]),
    "read-only": (read_only(normal(3)), read_only(positive(3))),
}


@pytest.mark.parametrize("operands", OPERANDS.values(), ids=OPERANDS)
@pytest.mark.parametrize("f", BINARY, ids=lambda f: f.__name__)
def test_binary(f, operands):
    """Sums, differences, products and quotients of whatever broadcasts; divisors from 0.5 to 2.5."""
    check_rule(f, *operands)


@pytest.mark.parametrize(
    "x", [1.5, normal(3, 4), normal(2, dtype=np.float32), normal(2, dtype=complex), normal(0)]
)
@pytest.mark.parametrize("f", [np.negative, np.positive, np.square], ids=lambda f: f.__name__)
def test_unary(f, x):
    """Negatives and squares of all numbers."""
    check_rule(f, x)


def test_quotient_of_tiny_numbers():
    """The derivative by the divisor is found where its square underflows: ``-(x / y) / y``."""
    _, pullback = rrule(np.divide, 1e-100, 1e-170)

    _, x_bar, y_bar = pullback(1.0)

    assert x_bar == pytest.approx(1e170)
    assert y_bar == pytest.approx(-1e240)


@pytest.mark.parametrize("f", BINARY, ids=lambda f: f.__name__)
def test_cotangents_of_arrays_are_computed_on_demand(f):
    """The cotangent of a constant operand costs nothing: both come as thunks."""
    _, pullback = rrule(f, normal(3), 2.0)

    self_bar, *x_bars = pullback(normal(3, seed=1))

    assert self_bar is NoTangent()
    assert all(isinstance(x_bar, AbstractThunk) for x_bar in x_bars)


# --- power -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "p"),
    [
        (1.5, 2.5),
        (1.5, 2),
        (2, 1.5),
        (np.float64(1.5), 2.0),
        (np.array(1.5), 2.0),
        (positive(3, 4), normal(4)),
        (positive(3, 1), normal(2, 1, 4)),
        (positive(3, 4), 2.0),
        (positive(3, 4), 3),
        (positive(3, 4), -1.5),
        (1.5, normal(3, 4)),
        (positive(4), np.array([1, 2, 3, 0])),
        (positive(3, 4, dtype=np.float32), np.float32(2.5)),
        (positive(3, dtype=complex), normal(3, dtype=complex)),
        (positive(3), normal(3, dtype=complex)),
        (positive(3, dtype=complex), 2.5),
        (positive(0), 2.0),
    ],
)
def test_power(x, p):
    """Powers of positive numbers, and of complex ones with positive real part."""
    check_rule(np.power, x, p)


def power_bars(x, p):
    """The cotangents of base and exponent for the cotangent 1."""
    with np.errstate(all="ignore"):  # the primal's own warnings
        _, x_bar, p_bar = rrule(np.power, x, p)[1](1.0)
        return float(x_bar), float(p_bar)


@pytest.mark.parametrize(("x", "slope"), [(0.0, 0.0), (2.0, 0.0)])
def test_power_zero_is_constant_in_the_base(x, slope):
    """``x**0`` is 1 for every base, 0 included."""
    assert power_bars(x, 0.0)[0] == slope
    assert power_bars(x, 0)[0] == slope


def test_power_of_zero():
    """``0**p`` is constant in ``p > 0``; by the base it has the slopes of ``p x**(p - 1)``."""
    assert power_bars(0.0, 2.0) == (0.0, 0.0)
    assert power_bars(0.0, 1.0) == (1.0, 0.0)
    assert power_bars(0.0, 0.5) == (np.inf, 0.0)
    assert np.isnan(power_bars(0.0, 0.0)[1])


def test_power_of_negative_base():
    """By the exponent the derivative is that of the real part, ``x**p log|x|``."""
    x_bar, p_bar = power_bars(-2.0, 3.0)

    assert x_bar == pytest.approx(12.0)
    assert p_bar == pytest.approx(-8.0 * np.log(2.0))


def test_power_conventions_hold_in_arrays():
    """Each element of an array has the derivative that the number has."""
    x, p = np.array([0.0, 0.0, 0.0, -2.0]), np.array([0.0, 2.0, 1.0, 3.0])

    _, x_bar, p_bar = rrule(np.power, x, p)[1](np.ones(4))

    np.testing.assert_allclose(x_bar, [0.0, 0.0, 1.0, 12.0])
    np.testing.assert_allclose(p_bar, [np.nan, 0.0, 0.0, -8.0 * np.log(2.0)])


def test_power_takes_strong_zeros():
    """A zero tangent contributes zero where the derivative is infinite or undefined."""
    assert frule((NoTangent(), 0.0, ZeroTangent()), np.power, 0.0, 0.5)[1] == 0.0
    assert frule((NoTangent(), ZeroTangent(), ZeroTangent()), np.power, 0.0, 0.5)[1] == ZeroTangent()
    _, x_bar, p_bar = rrule(np.power, np.zeros(2), np.array([0.5, 0.0]))[1](np.zeros(2))
    np.testing.assert_array_equal(x_bar, np.zeros(2))
    np.testing.assert_array_equal(p_bar, np.zeros(2))


def test_power_of_negative_base_to_an_integer():
    """An integral power of negative numbers is differentiable by them."""
    x = -positive(3, 4)

    def f(x):
        return np.sum(np.power(x, 3))

    np.testing.assert_allclose(grad(f)(x), grad_by_differences(None, f, x)[0], rtol=1e-9)
