"""The rules of `cmath`, against finite differences, on branch cuts and at 0."""

import cmath
import math

import pytest

from chainrules_core import NoTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.container_checks import check_both_modes

HOLOMORPHIC = [
    *(cmath.exp, cmath.log, cmath.log10, cmath.sqrt),
    *(cmath.sin, cmath.cos, cmath.tan, cmath.asin, cmath.acos, cmath.atan),
    *(cmath.sinh, cmath.cosh, cmath.tanh, cmath.asinh, cmath.acosh, cmath.atanh),
]


@pytest.mark.parametrize("z", [0.3 + 0.4j, -1.5 - 0.7j, -0.2 + 2.5j, 0.5, -2.0, 2.0, -0.4])
@pytest.mark.parametrize("f", HOLOMORPHIC)
def test_holomorphic_functions(f, z):
    """In all quadrants, and of real numbers, whose results may be complex."""
    check_both_modes(f, z)


@pytest.mark.parametrize("z", [0.3 + 0.4j, -1.5 - 0.7j, -0.2 + 2.5j, 2.0, -2.0])
@pytest.mark.parametrize("f", [cmath.phase, cmath.polar])
def test_polar_coordinates(f, z):
    """Modulus and phase, which are not holomorphic, have right rules."""
    check_both_modes(f, z)


@pytest.mark.parametrize(("r", "phi"), [(1.2, 0.4), (2.0, -3.0)])
def test_rect(r, phi):
    """A real radius and angle give a complex number."""
    check_both_modes(cmath.rect, r, phi)


def test_log_to_a_base():
    """By the number and by the base."""
    check_both_modes(cmath.log, 1 + 2j, 2.5)
    check_both_modes(cmath.log, 2.5, 1 + 2j)


@pytest.mark.parametrize("f", [cmath.isfinite, cmath.isinf, cmath.isnan])
def test_no_derivative(f):
    """Truth values have no derivative."""
    test_frule(f, 1 + 2j)
    test_rrule(f, 1 + 2j)
    test_frule(cmath.isclose, 1 + 2j, 1 + 3j)
    test_rrule(cmath.isclose, 1 + 2j, 1 + 3j)


@pytest.mark.parametrize("side", [0.0, -0.0])
@pytest.mark.parametrize(
    ("f", "x", "y"),
    [
        *((f, x, None) for f in (cmath.asin, cmath.acos) for x in (2.0, -2.0)),
        *((f, x, None) for f in (cmath.acosh, cmath.log, cmath.sqrt) for x in (-2.0, -0.5)),
        *((cmath.asinh, None, y) for y in (2.0, -2.0)),
    ],
)
def test_the_side_of_a_branch_cut(f, x, y, side):
    """The sign of a zero part says on which side the number is; the derivative is that of this side."""
    on, step = (complex(x, side), 1e-9j) if y is None else (complex(side, y), 1e-9)
    beside = on + math.copysign(1.0, side) * step
    assert frule((NoTangent(), 1.0), f, on)[1] == pytest.approx(frule((NoTangent(), 1.0), f, beside)[1])


def test_zero():
    """0 has no phase, and its modulus has a kink; a root is infinitely steep."""
    assert rrule(cmath.phase, 0j)[1](1.0)[1] == 0
    assert rrule(cmath.polar, 0j)[1](rrule(cmath.polar, 1 + 1j)[0])[1] == 0
    assert rrule(cmath.sqrt, 0.0)[1](1.0)[1] == math.inf
