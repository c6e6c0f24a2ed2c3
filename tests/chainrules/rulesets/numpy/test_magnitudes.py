"""The rules of magnitudes and signs, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_elementwise, check_rule, check_zeros_are_strong, normal, off


def test_absolute():
    """On real numbers away from 0, and on complex numbers."""
    check_elementwise(np.absolute, off(0.0), complex_numbers=True)


def test_fabs():
    """On real numbers away from 0."""
    check_elementwise(np.fabs, off(0.0))


def test_sign():
    """On real numbers, where it is constant, and on complex ones, where it is the direction."""
    check_elementwise(np.sign, off(0.0))
    check_rule(np.sign, normal(3, dtype=complex))
    check_rule(np.sign, 3 + 4j)


REAL_ZEROS = [0.0, -0.0, 0, np.float64(0.0), np.zeros(2)]
COMPLEX_ZEROS = [0j, np.zeros(2, dtype=complex)]


@pytest.mark.parametrize(
    ("f", "x"),
    [
        *((f, x) for f in (np.absolute, np.sign) for x in REAL_ZEROS + COMPLEX_ZEROS),
        *((np.fabs, x) for x in REAL_ZEROS),
    ],
)
def test_zero(f, x):
    """At its minimum a magnitude has the derivative 0, and so has the sign where it jumps."""
    ones = np.ones(np.shape(x))[()]

    assert not np.any(rrule(f, x)[1](ones)[1])
    y_dot = frule((NoTangent(), ones), f, x)[1]
    assert y_dot == ZeroTangent() or not np.any(y_dot)


def test_gradient_of_the_squared_magnitude():
    """By the convention of this package it is ``2 z``, not its conjugate."""
    assert grad(lambda z: np.absolute(z) ** 2)(1 + 2j) == pytest.approx(2 + 4j)


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_magnitude_of_any_scale(scale):
    """Nothing overflows or underflows on the way to the direction."""
    assert rrule(np.absolute, complex(3 * scale, 4 * scale))[1](1.0)[1] == pytest.approx(0.6 + 0.8j)


@pytest.mark.parametrize("at_zero", [0.5, np.array([0.5, 1.0])])
@pytest.mark.parametrize("x", [1.5, np.array([-1.5, 2.5])])
def test_heaviside(x, at_zero):
    """Away from 0 it is constant."""
    test_frule(np.heaviside, x, at_zero)
    test_rrule(np.heaviside, x, at_zero)


def test_heaviside_at_zero():
    """There it is what its second argument says."""
    _, x_bar, h_bar = rrule(np.heaviside, np.array([0.0, 1.0, 0.0]), 0.5)[1](np.array([1.0, 10.0, 100.0]))

    assert not np.any(x_bar)
    assert h_bar == 101.0
    assert frule((NoTangent(), 1.0, 3.0), np.heaviside, 0.0, 0.5)[1] == 3.0


@pytest.mark.parametrize("f", [np.absolute, np.fabs, np.sign])
@pytest.mark.parametrize("dtype", [float, complex])
def test_undefined_elements_that_nothing_depends_on(f, dtype):
    """Their zero cotangents are strong."""
    x = np.array([1.0, np.nan, -2.0, np.inf], dtype=dtype)
    if not (f is np.fabs and dtype is complex):
        check_zeros_are_strong(f, x)
