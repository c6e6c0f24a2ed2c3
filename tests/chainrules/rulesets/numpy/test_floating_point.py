"""The rules of floating point routines, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import anywhere, check_elementwise, check_rule, normal, off


def test_copysign():
    """On numbers of both signs; the second argument has no influence but its sign."""
    check_elementwise(np.copysign, off(0.0), off(0.0))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_copysign_at_zero(sign):
    """The magnitude has a kink there, and the slope 0 as `absolute` has."""
    assert rrule(np.copysign, 0.0, sign)[1](1.0)[1] == 0.0
    np.testing.assert_array_equal(rrule(np.copysign, np.zeros(2), sign)[1](np.ones(2))[1], np.zeros(2))


def test_nextafter():
    """The next number moves with the number, wherever it is searched for."""
    check_elementwise(np.nextafter, anywhere, anywhere)


@pytest.mark.parametrize(
    ("x", "exponent"),
    [
        (1.5, 3),
        (np.float32(1.5), -3),
        (normal(3, 1), np.array([-1, 0, 2, 5])),
        (np.array(1.5), np.array(2)),
        (2.5, np.arange(3)),
        (normal(0), 2),
        (normal(3, dtype=np.float32), 2),
    ],
)
def test_ldexp(x, exponent):
    """Numbers times powers of two; the exponents are integers."""
    check_rule(np.ldexp, x, exponent)


@pytest.mark.parametrize(("x", "exponent"), [(1e-300, 1100), (1e300, -1100), (np.array([1e-300]), [1100])])
def test_powers_of_two_beyond_all_numbers(x, exponent):
    """Tangents and cotangents are multiplied as the number is, and neither overflow nor vanish."""
    y, y_dot = frule((NoTangent(), x, NoTangent()), np.ldexp, x, np.asarray(exponent))
    np.testing.assert_array_equal(y_dot, y)
    _, pullback = rrule(np.ldexp, x, np.asarray(exponent))
    np.testing.assert_array_equal(pullback(x)[1], y)


@pytest.mark.parametrize("x", [0.7, np.float32(-5.0), normal(3), np.array(-3.3), normal(0)])
def test_frexp(x):
    """The mantissa of numbers between powers of two; the exponent is an integer."""
    test_frule(np.frexp, x)
    test_rrule(np.frexp, x)


def test_parts_of_a_number_that_no_tangent_goes_through():
    """The exponent's cotangent is left out, or is zero; then nothing remains."""
    _, pullback = rrule(np.frexp, 5.0)

    assert pullback((ZeroTangent(), NoTangent()))[1] == ZeroTangent()
    assert pullback((1.0, ZeroTangent()))[1] == 0.125


@pytest.mark.parametrize("f", [np.signbit, np.spacing], ids=lambda f: f.__name__)
def test_not_differentiable(f):
    """On numbers between powers of two."""
    test_frule(f, np.array([0.7, -1.3]))
    test_rrule(f, np.array([0.7, -1.3]))
