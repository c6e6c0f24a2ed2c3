"""The rules of Kelvin functions, against finite differences and mpmath."""

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_declared, check_elementwise, within

OF_FIRST_KIND = [special.ber, special.bei, special.berp, special.beip]
OF_SECOND_KIND = [special.ker, special.kei, special.kerp, special.keip]


@pytest.mark.parametrize("f", OF_FIRST_KIND)
def test_functions_of_all_numbers(f):
    """In all kinds of number and array."""
    check_elementwise(f, within(-4.0, 4.0))


@pytest.mark.parametrize("f", OF_SECOND_KIND)
def test_functions_of_positive_numbers(f):
    """In all kinds of number and array."""
    check_elementwise(f, within(0.5, 4.0))


@pytest.mark.parametrize(
    "x", [np.array([0.5, 3.0]), np.array([0.5, 3.0], dtype=np.float32), np.zeros(0), 1.5]
)
def test_kelvin(x):
    """Four complex functions of a real number, whose cotangent is real."""
    test_frule(special.kelvin, x)
    test_rrule(special.kelvin, x)


def test_at_zero():
    """All derivatives are those of the power series, ``ber x = 1 - x⁴/64`` and ``bei x = x²/4``."""
    assert grad(special.berp)(0.0) == 0.0
    assert grad(special.beip)(0.0) == 0.5
    fourth = grad(grad(grad(grad(special.ber))))
    assert fourth(0.0) == pytest.approx(-24 / 64)


@pytest.mark.parametrize("f", [special.ber, special.bei, special.ker, special.kei])
@pytest.mark.parametrize("x", [1e-3, 0.3, 7.0])
def test_second_derivatives(f, x):
    """As mpmath's, to 1e-11 of the sizes of the function and its derivatives."""
    reference = getattr(mpmath, f.__name__)
    with mpmath.workdps(40):
        expected = float(mpmath.diff(lambda x: reference(0, x), mpmath.mpf(x), 2))
    size = abs(expected) + abs(f(x)) + abs(grad(f)(x))
    assert abs(grad(grad(f))(x) - expected) <= 1e-11 * size


@pytest.mark.parametrize("name", ["ber", "bei", "berp", "beip", "ker", "kei", "kerp", "keip", "kelvin"])
def test_zeros_are_constants(name):
    """They are found by how many."""
    check_declared(getattr(special, f"{name}_zeros"), 2)
