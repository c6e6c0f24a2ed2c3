"""The rules of hyperbolic functions, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import wirtinger
from chainrules_core import NoTangent, frule, rrule
from tests.chainrules.rule_checks import anywhere, check_elementwise, check_rule, within

HOLOMORPHIC = {
    np.sinh: anywhere,
    np.cosh: anywhere,
    np.tanh: anywhere,
    np.arcsinh: anywhere,
    np.arccosh: within(1.2, 3.0),
    np.arctanh: within(-0.9, 0.9),
}


@pytest.mark.parametrize("f", HOLOMORPHIC, ids=lambda f: f.__name__)
def test_holomorphic(f):
    """On real and complex numbers and arrays, away from poles."""
    check_elementwise(f, HOLOMORPHIC[f], complex_numbers=True)


def test_sign_of_the_inverse_cosine_left_of_the_axis():
    """The slope at complex numbers in all quadrants is the one with ``sqrt(z - 1) sqrt(z + 1)``."""
    check_rule(np.arccosh, np.array([1 + 2j, -1 + 2j, -1 - 2j, 1 - 2j]))


@pytest.mark.parametrize(
    ("f", "z"),
    [
        (np.arccosh, -2.0 + 0.0j),
        (np.arccosh, complex(-2.0, -0.0)),
        (np.arccosh, 0.5 + 0.0j),
        (np.arcsinh, 0.0 + 2.0j),
        (np.arcsinh, complex(-0.0, 2.0)),
        (np.arcsinh, complex(-0.0, -2.0)),
    ],
)
def test_slope_on_a_branch_cut_is_that_of_its_side(f, z):
    """The sign of a zero part says which; the slope is the limit from there."""
    beside = complex(z.real or np.copysign(1e-12, z.real), z.imag or np.copysign(1e-12, z.imag))

    assert rrule(f, z)[1](1.0)[1] == pytest.approx(rrule(f, beside)[1](1.0)[1], rel=1e-10)


@pytest.mark.parametrize(
    ("f", "z", "turn"),
    [(np.arccosh, 1.0, 1.0), (np.arccosh, -1.0, 1.0), (np.arcsinh, 1j, 1j), (np.arcsinh, -1j, 1j)],
)
def test_slope_at_branch_points(f, z, turn):
    """All digits beside them, as those of `arcsin`; NaN in them, whose slope has no direction."""
    beside = z * (1.0 - 1e-12) + 0.0j
    of_arcsin = wirtinger(np.arcsin, beside / turn)[0]
    assert abs(wirtinger(f, beside)[0]) == pytest.approx(abs(of_arcsin), rel=1e-14)
    assert np.isnan(wirtinger(f, complex(z))[0])


@pytest.mark.parametrize(("f", "x"), [(np.arccosh, 1.0), (np.arctanh, 1.0), (np.arctanh, -1.0)])
@pytest.mark.parametrize("kind", [float, np.float64, np.array])
def test_infinite_slopes(f, x, kind):
    """At the ends of the domain; a zero tangent stays zero there."""
    with np.errstate(divide="ignore"):  # the primal's own warning
        assert rrule(f, kind(x))[1](1.0)[1] == np.inf
        assert frule((NoTangent(), 0.0), f, kind(x))[1] == 0.0


def test_large_arguments():
    """``1 / sqrt(1 + x²)`` where the square overflows, and a tanh that is 1."""
    assert rrule(np.arcsinh, 1e200)[1](1.0)[1] == pytest.approx(1e-200)
    assert rrule(np.tanh, 400.0)[1](1.0)[1] == 0.0
