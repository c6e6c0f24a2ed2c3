"""The rules of the parts of complex numbers and of their angle, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import anywhere, check_elementwise, check_rule, normal, off
from tests.chainrules.structured_checks import check_symmetric


@pytest.mark.parametrize("f", [np.real, np.imag, np.conjugate], ids=lambda f: f.__name__)
def test_parts(f):
    """On real and complex numbers and arrays."""
    check_elementwise(f, anywhere, complex_numbers=True)


def test_angle():
    """On complex numbers, and on real ones, whose angle is constant."""
    check_elementwise(np.angle, off(0.0), complex_numbers=True)


@pytest.mark.parametrize(("options", "named"), [((True,), {}), ((), {"deg": True}), ((False,), {})])
def test_angle_in_degrees(options, named):
    """By position and by keyword."""
    check_rule(np.angle, normal(3, dtype=complex), *options, **named)


@pytest.mark.parametrize("z", [0j, 0.0, np.zeros(2, dtype=complex)])
def test_angle_of_zero(z):
    """It has no derivative, and 0 is taken."""
    theta = np.angle(z)

    np.testing.assert_array_equal(rrule(np.angle, z)[1](0.0 * theta + 1.0)[1], 1j * np.ones(np.shape(z)) * 0)
    assert not np.any(frule((NoTangent(), z), np.angle, z)[1])


@pytest.mark.parametrize("x", [1.5, normal(3), 1.5 + 2.5j, normal(3, dtype=complex), normal(0)])
def test_real_if_close(x):
    """Real numbers, and complex ones that are far from real."""
    test_frule(np.real_if_close, x)
    test_rrule(np.real_if_close, x)


@pytest.mark.parametrize("options", [(), (1000,)])
def test_real_if_close_of_what_is_close(options):
    """Then it is the real part, and imaginary parts of tangents are lost as that of the number is."""
    x = np.array([1.0 + 1e-15j, 2.0])

    y, pullback = rrule(np.real_if_close, x, *options)
    x_bar = pullback(np.array([1.0 + 5.0j, 2.0]))[1]

    assert y.dtype == float
    np.testing.assert_array_equal(x_bar, [1.0, 2.0])
    dots = (NoTangent(), np.array([1.0 + 5.0j, 2.0]), *(NoTangent() for _ in options))
    np.testing.assert_array_equal(frule(dots, np.real_if_close, x, *options)[1], [1.0, 2.0])


@pytest.mark.parametrize(
    "f", [np.real, np.imag, np.conjugate, np.angle, np.real_if_close], ids=lambda f: f.__name__
)
def test_symmetric_matrices(f):
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_symmetric(f)
