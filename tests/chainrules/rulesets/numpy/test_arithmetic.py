"""The rules of arithmetic operations, against finite differences."""

import operator
import os

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules_core import AbstractThunk, NoTangent, ZeroTangent, frule, rrule, unthunk
from chainrules_testutils import grad as grad_by_differences
from chainrules_testutils import positive as positive_numbers
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import (
    anywhere,
    check_elementwise,
    check_rule,
    normal,
    off,
    positive,
    read_only,
    within,
)

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


@pytest.mark.parametrize("f", [np.negative, np.positive, np.square], ids=lambda f: f.__name__)
def test_unary(f):
    """Negatives and squares of all numbers."""
    check_elementwise(f, anywhere, complex_numbers=True)


def test_reciprocal():
    """Of numbers of both signs, and of complex ones."""
    check_elementwise(np.reciprocal, off(0.0), complex_numbers=True)


@pytest.mark.parametrize("x", [np.int8(100), np.array([100], dtype=np.int8)])
def test_small_integers_do_not_overflow(x):
    """Twice the number is more than its type can hold, but its derivative is a float."""
    assert rrule(np.square, np.array([x]).ravel())[1](np.ones(1))[1] == 200.0


def test_quotient_of_tiny_numbers():
    """The derivative by the divisor is found where its square underflows: ``-(x / y) / y``."""
    _, pullback = rrule(np.divide, 1e-100, 1e-170)

    _, x_bar, y_bar = pullback(1.0)

    assert x_bar == pytest.approx(1e170)
    assert y_bar == pytest.approx(-1e240)


@pytest.mark.parametrize("f", BINARY, ids=lambda f: f.__name__)
def test_cotangents_of_arrays_are_computed_on_demand(f):
    """The cotangent of a constant operand costs nothing: it is a thunk, or that of the result itself."""
    _, pullback = rrule(f, normal(2000), 2.0)
    y_bar = normal(2000, seed=1)

    self_bar, array_bar, number_bar = pullback(y_bar)

    assert self_bar is NoTangent()
    assert array_bar is y_bar or isinstance(array_bar, AbstractThunk)
    assert isinstance(number_bar, AbstractThunk)


@pytest.mark.skipif(os.environ.get("CHAINRULES_SHORTCUTS") == "0", reason="this is a shortcut")
@pytest.mark.parametrize("f", BINARY, ids=lambda f: f.__name__)
def test_cotangents_of_few_numbers_are_computed_at_once(f):
    """As long as that takes no longer than thunks; the number's is a sum, and stays one."""
    _, array_bar, number_bar = rrule(f, normal(3), 2.0)[1](normal(3, seed=1))

    assert isinstance(array_bar, np.ndarray)
    assert isinstance(number_bar, AbstractThunk)


def test_quotient_by_zero():
    """By one of Python's numbers, which raise errors there, the derivatives are as by NumPy's."""
    x, y_bar = normal(3), normal(3, seed=1)
    with np.errstate(divide="ignore"):
        (_, *bars), (_, *numpy_bars) = (rrule(np.divide, x, y)[1](y_bar) for y in (0.0, np.float64(0.0)))

    for bar, numpy_bar in zip(bars, numpy_bars, strict=True):
        np.testing.assert_array_equal(unthunk(bar), unthunk(numpy_bar))


# --- Quotients that are whole numbers, and what is left ---------------------------------------------------

# Dividends and divisors whose quotients are away from integers.
QUOTIENTS = [
    (within(1.2, 1.4), within(0.45, 0.55)),
    (within(-1.4, -1.2), within(0.45, 0.55)),
    (within(1.2, 1.4), within(-0.55, -0.45)),
]


@pytest.mark.parametrize("domains", QUOTIENTS)
@pytest.mark.parametrize("f", [np.remainder, np.fmod, np.floor_divide], ids=lambda f: f.__name__)
def test_division_with_remainder(f, domains):
    """Quotients of both signs, between integers."""
    check_elementwise(f, *domains)


@pytest.mark.parametrize(
    ("x", "y"), [(1.3, 0.5), (-(normal(3, 1) ** 2) - 0.1, positive(4)), (5.5, positive(0))]
)
def test_divmod(x, y):
    """Both results at once."""
    test_frule(np.divmod, x, y)
    test_rrule(np.divmod, x, y)


@pytest.mark.parametrize("x", [1.3, np.float32(-1.3), np.array([[1.3, -2.7]]), np.array(0.4), np.zeros(0)])
def test_modf(x):
    """Numbers between integers; the integral part is constant."""
    test_frule(np.modf, x)
    test_rrule(np.modf, x)


@pytest.mark.parametrize("f", [np.remainder, np.fmod], ids=lambda f: f.__name__)
@pytest.mark.parametrize(("x", "y", "quotient"), [(6.0, 2.0, 3.0), (-6.0, 2.0, -3.0), (0.0, 2.0, 0.0)])
def test_integral_quotients(f, x, y, quotient):
    """Where the quotient jumps the derivatives are those of one side: 1 and the quotient, not NaN."""
    assert tuple(rrule(f, x, y)[1](1.0)[1:]) == (1.0, -quotient)
    x_bar, y_bar = rrule(f, np.array([x]), np.array([y]))[1](np.ones(1))[1:]
    assert (float(x_bar[0]), float(y_bar[0])) == (1.0, -quotient)
    assert rrule(np.divmod, x, y)[1]((0.0, 1.0))[1:] == (1.0, -quotient)


def test_quotient_is_the_one_that_the_remainder_is_of():
    """Not that of a division whose rounding reaches the next integer."""
    y = 0.1
    x = np.nextafter(3 * y, 0.0)
    below = round((x - np.fmod(x, y)) / y)

    assert rrule(np.fmod, x, y)[1](1.0)[2] == -below


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


@pytest.mark.parametrize("f", [np.power, np.float_power], ids=lambda f: f.__name__)
def test_powers_of_all_kinds(f):
    """Positive bases, and complex ones with positive real part."""
    check_elementwise(f, positive_numbers, anywhere, complex_numbers=True)


@pytest.mark.parametrize(
    ("x", "p"),
    [
        (positive(3, dtype=np.float32), 2.5),
        (np.array([1, 2, 3]), np.array([-2, 0, 1])),
        (2, positive(3)),
        (2, -1.5),
    ],
)
def test_float_power(x, p):
    """The result is in double precision, whatever the operands; integers have negative powers."""
    check_rule(np.float_power, x, p)


@pytest.mark.parametrize("power", [np.power, np.float_power, operator.pow], ids=lambda f: f.__name__)
@pytest.mark.parametrize(
    ("x", "p"),
    [
        (np.int8(2), positive(3)),
        (np.array([3, 100], dtype=np.int8), positive(2)),
        (np.array([True, True]), positive(2)),
        (positive(2), np.array([-128, 127], dtype=np.int8)),
        (positive(2), np.array([0, 255], dtype=np.uint8)),
    ],
)
def test_power_of_or_to_small_integers(power, x, p):
    """Derivatives are as precise as the result, and the exponent less 1 does not overflow."""
    test_rrule(power, x, p)
    test_frule(power, x, p)


def test_real_base_to_a_complex_power():
    """The tangent of the result has an imaginary part in forward mode, too."""
    assert np.iscomplexobj(frule((NoTangent(), 1.0, 0.0), np.power, 2.0, 1 + 2j)[1])
    check_rule(np.power, 2.0, 1 + 2j)


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


def test_power_of_negative_base_to_a_fraction():
    """The result of `numpy.power` is NaN, as its derivative is; Python's is complex, and has a derivative."""
    assert np.isnan(power_bars(-2.0, 0.5)[0])
    x_bar = rrule(operator.pow, -2.0, 0.5)[1](1j)[1]
    assert x_bar == pytest.approx(np.real(np.conj(0.5 * (-2.0 + 0j) ** -0.5) * 1j))


def test_powers_too_large_for_a_number():
    """Infinite in both modes, as the result is."""
    assert power_bars(1e200, 3.0) == (np.inf, np.inf)
    with np.errstate(over="ignore"):  # the primal's own warning
        assert frule((NoTangent(), 1.0, 0.0), np.power, 1e200, 3.0)[1] == np.inf


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


@pytest.mark.parametrize("power", [np.power, np.float_power], ids=lambda f: f.__name__)
def test_power_of_negative_base_to_an_integer(power):
    """An integral power of negative numbers is differentiable by them."""
    x = -positive(3, 4)

    def f(x):
        return np.sum(power(x, 3))

    np.testing.assert_allclose(grad(f)(x), grad_by_differences(None, f, x)[0], rtol=1e-9)


def test_a_square_has_one_cotangent_twice():
    """It is computed once, since the factors may be exchanged."""
    x = normal(3)

    _, first, second = rrule(np.multiply, x, x)[1](x)
    assert first is second
