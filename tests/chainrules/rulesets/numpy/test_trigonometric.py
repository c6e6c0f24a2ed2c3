"""The rules of trigonometric functions, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad, wirtinger
from chainrules_core import NoTangent, frule, rrule
from tests.chainrules.rule_checks import anywhere, check_elementwise, check_rule, normal, off, within

HOLOMORPHIC = {
    np.sin: anywhere,
    np.cos: anywhere,
    np.tan: within(-1.2, 1.2),
    np.arcsin: within(-0.9, 0.9),
    np.arccos: within(-0.9, 0.9),
    np.arctan: anywhere,
}


@pytest.mark.parametrize("f", HOLOMORPHIC, ids=lambda f: f.__name__)
def test_holomorphic(f):
    """On real and complex numbers and arrays, away from poles."""
    check_elementwise(f, HOLOMORPHIC[f], complex_numbers=True)


@pytest.mark.parametrize("f", [np.deg2rad, np.rad2deg, np.radians, np.degrees], ids=lambda f: f.__name__)
def test_units(f):
    """On real numbers and arrays."""
    check_elementwise(f, anywhere)


@pytest.mark.parametrize("f", [np.hypot, np.arctan2], ids=lambda f: f.__name__)
def test_polar_coordinates(f):
    """On pairs of real numbers and arrays, away from the origin and from where the angle jumps."""
    check_elementwise(f, off(0.0), within(0.2, 2.0))


@pytest.mark.parametrize("f", [np.arcsin, np.arccos], ids=lambda f: f.__name__)
def test_inverse_outside_of_the_interval(f):
    """At complex numbers on either side of the branch cuts."""
    check_rule(f, np.array([2 + 0.5j, 2 - 0.5j, -2 + 0.5j, -2 - 0.5j]))


@pytest.mark.parametrize("f", [np.arcsin, np.arccos], ids=lambda f: f.__name__)
@pytest.mark.parametrize("z", [2.0 + 0.0j, complex(2.0, -0.0), -2.0 + 0.0j, complex(-2.0, -0.0)])
def test_slope_on_a_branch_cut_is_that_of_its_side(f, z):
    """The sign of a zero imaginary part says which; the slope is the limit from there."""
    beside = complex(z.real, np.copysign(1e-12, z.imag))

    assert rrule(f, z)[1](1.0)[1] == pytest.approx(rrule(f, beside)[1](1.0)[1], rel=1e-10)


@pytest.mark.parametrize("f", [np.arcsin, np.arccos], ids=lambda f: f.__name__)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_slope_at_branch_points(f, sign):
    """All digits beside them, as at real numbers; NaN in them, whose slope has no direction."""
    beside = sign * (1.0 - 1e-12)
    assert wirtinger(f, beside + 0.0j)[0] == pytest.approx(grad(f)(beside), rel=1e-14)
    assert np.isnan(wirtinger(f, np.array([sign + 0.0j]))[0]).all()
    assert np.isnan(wirtinger(f, complex(sign))[0])


@pytest.mark.parametrize(("f", "slope"), [(np.arcsin, np.inf), (np.arccos, -np.inf)])
@pytest.mark.parametrize("x", [1.0, -1.0, np.float64(1.0), np.array([1.0])])
def test_inverse_at_the_ends_of_the_interval(f, slope, x):
    """The slope is infinite, which is neither an error nor a warning; a zero tangent stays zero."""
    assert rrule(f, x)[1](np.ones_like(x)[()])[1] == slope
    assert frule((NoTangent(), np.ones_like(x)[()]), f, x)[1] == slope
    assert frule((NoTangent(), np.zeros_like(x)), f, x)[1] == 0


def test_integers_are_squared_without_overflow():
    """As floats, whose squares do not wrap around."""
    x = np.array([10**10])

    assert rrule(np.arctan, x)[1](np.ones(1))[1] == pytest.approx(1e-20)


@pytest.mark.parametrize("kind", [float, np.float64, np.array, lambda x: np.full(2, x)])
def test_polar_coordinates_of_the_origin(kind):
    """Neither has a derivative there, and both are taken to be 0."""
    for f in (np.hypot, np.arctan2):
        x = kind(0.0)
        r, pullback = rrule(f, x, x)
        assert not np.any([np.asarray(bar) for bar in pullback(np.ones_like(r)[()])[1:]])
        assert not np.any(frule((NoTangent(), np.ones_like(x), np.ones_like(x)), f, x, x)[1])


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_polar_coordinates_of_any_scale(scale):
    """Nothing overflows or underflows on the way to ``(x, -y) / r²``."""
    for kind in (float, lambda x: np.full(2, x)):
        y, x = kind(3.0 * scale), kind(4.0 * scale)
        _, y_bar, x_bar = rrule(np.arctan2, y, x)[1](kind(1.0))
        np.testing.assert_allclose(y_bar, 0.16 / scale, rtol=1e-14)
        np.testing.assert_allclose(x_bar, -0.12 / scale, rtol=1e-14)
        _, x_bar, y_bar = rrule(np.hypot, x, y)[1](kind(1.0))
        np.testing.assert_allclose(x_bar, 0.8, rtol=1e-14)
        np.testing.assert_allclose(y_bar, 0.6, rtol=1e-14)


@pytest.mark.parametrize("point", [(np.inf, 3.0), (3.0, -np.inf), (np.inf, np.inf)])
def test_angle_of_what_is_infinitely_far(point):
    """It does not move."""
    assert not any(rrule(np.arctan2, *point)[1](1.0)[1:])
    assert not np.any([np.asarray(bar) for bar in rrule(np.arctan2, *map(np.array, point))[1](1.0)[1:]])


def test_angle_of_two_arrays_is_that_of_the_complex_number():
    """``arctan2(y, x)`` has the derivative of ``angle(x + 1j y)``, in all quadrants."""
    x, y, theta_bar = normal(20), normal(20, seed=1), normal(20, seed=2)

    _, y_bar, x_bar = rrule(np.arctan2, y, x)[1](theta_bar)
    z_bar = rrule(np.angle, x + 1j * y)[1](theta_bar)[1]

    np.testing.assert_allclose(x_bar + 1j * y_bar, z_bar)
