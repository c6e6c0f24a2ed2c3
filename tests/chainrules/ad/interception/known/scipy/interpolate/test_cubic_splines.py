"""Splines of cubic pieces, by values, points, slopes and conditions at the ends."""

import numpy as np
import pytest
import scipy
from scipy.interpolate import Akima1DInterpolator, CubicHermiteSpline, CubicSpline, PchipInterpolator

from chainrules.ad import grad, jvp
from tests.chainrules.program_checks import check_along, check_program, check_slope

X = np.array([0.0, 0.7, 1.9, 2.4, 3.6, 4.1])
Y = np.array([0.4, -0.3, 1.2, 0.7, 0.9, 2.1])
OLD = np.lib.NumpyVersion(scipy.__version__) < "1.16.0"
AT = np.array([-0.2, 0.3, 1.7, 2.9, 4.3])


def _values(make):
    return lambda x, y: make(x, y)(AT)


CONDITIONS = {
    "not-a-knot": "not-a-knot",
    "natural": "natural",
    "clamped": "clamped",
    "slope and bend": ((1, 0.3), (2, -0.7)),
    "bend and not-a-knot": ((2, 0.4), "not-a-knot"),
    "not-a-knot and slope": ("not-a-knot", (1, 0.2)),
}
MADE = {
    **{name: lambda x, y, bc=bc: CubicSpline(x, y, bc_type=bc) for name, bc in CONDITIONS.items()},
    "monotone": lambda x, y: PchipInterpolator(x, y, extrapolate=True),
    "Akima": lambda x, y: Akima1DInterpolator(x, y, extrapolate=True),
    "modified Akima": lambda x, y: Akima1DInterpolator(x, y, method="makima", extrapolate=True),
    "slopes": lambda x, y: CubicHermiteSpline(x, y, y**2 - x),
}


@pytest.mark.every_case
@pytest.mark.parametrize("count", [2, 3, 4, 6])
@pytest.mark.parametrize("name", MADE)
def test_splines(name, count):
    """Through few points and many, by points and values."""
    if "Akima" in name and count == 2 and OLD:
        pytest.skip("SciPy 1.15 reads numbers of nobody where there are two points")
    check_slope(_values(MADE[name]), X[:count], Y[:count])


@pytest.mark.every_case
@pytest.mark.parametrize("name", ["bend and not-a-knot", "monotone", "modified Akima", "slopes"])
def test_second_derivatives(name):
    """Pullbacks are differentiated."""
    check_along(
        lambda v: np.sum(np.cos(MADE[name](v[:6], v[6:])(AT))), np.append(X, Y), np.cos(np.arange(12))
    )


@pytest.mark.every_case
@pytest.mark.parametrize("name", ["clamped", "monotone", "Akima", "modified Akima"])
def test_second_derivatives_by_values(name):
    """Pullbacks of splines through plain points are differentiated."""
    check_along(lambda y: np.sum(np.cos(MADE[name](X, y)(AT))), Y, np.cos(np.arange(6)))


@pytest.mark.every_case
@pytest.mark.parametrize("count", [2, 3, 4, 6])
def test_periodic(count):
    """The last value is the first."""
    check_slope(
        lambda x, y: CubicSpline(x, np.concatenate([y, y[:1]]), bc_type="periodic")(AT),
        X[:count],
        Y[: count - 1],
    )


@pytest.mark.every_case
@pytest.mark.parametrize("name", ["slope and bend", "slopes"])
def test_complex_values(name):
    """Of several splines at once, along another axis."""

    def program(x, y, z):
        several = np.stack([y + 1j * z, z - 2j * y])
        if name == "slopes":
            spline = CubicHermiteSpline(x, several, several * y, axis=1)
        else:
            spline = CubicSpline(x, several, axis=1, bc_type=((1, [0.1, 1j]), (2, [0.2, 0.3])))
        return np.abs(spline(AT)) ** 2

    check_slope(program, X, Y, np.cos(Y))


def test_conditions_that_depend_on_arguments():
    """Slopes and bends at the ends, beside plain points and values."""
    check_program(lambda v: CubicSpline(X, Y, bc_type=((1, v[0]), (2, v[1])))(AT), np.array([0.3, -0.7]))


def test_slopes_that_do_not_follow():
    """Where differences change their sign, vanish, or are the same on both sides; at steep ends too."""
    for y in (np.array([0.0, 0.1, 3.0, 1.0, 1.0, 1.1]), np.array([0.0, -0.1, 3.0, 1.0, 2.0, -7.0])):
        check_slope(lambda x, y=y: PchipInterpolator(x, y)(AT[1:4]), X)
    steep = np.array([0.0, 0.3, -3.0, -3.1, -6.0, -5.9])
    check_slope(_values(MADE["monotone"]), X, steep)
    straight = np.array([0.0, 1.0, 2.0, 3.0, 3.0, 3.0, 3.0, 3.5])
    weights = np.cos(np.arange(8))
    slopes = grad(lambda y: np.sum(Akima1DInterpolator(np.arange(8.0), y).c[2] * weights[:7]))(straight)
    assert np.isfinite(slopes).all()


@pytest.mark.parametrize("dtype", [np.float32, np.int64])
def test_other_dtypes(dtype):
    """SciPy computes in double precision, and the gradient is of the values' precision."""
    y = np.array([1, 2, 0, 4]).astype(dtype)
    by_x = grad(lambda x: np.sum(CubicSpline(x, y)(AT)))(X[:4])
    np.testing.assert_allclose(by_x, grad(lambda x: np.sum(CubicSpline(x, y.astype(float))(AT)))(X[:4]))
    if dtype is np.float32:
        y_bar = grad(lambda y: np.sum(PchipInterpolator(X[:4], y)(AT)))(y)
        assert y_bar.dtype == dtype


def test_nothing_to_interpolate():
    """A spline of no curves has no coefficients."""
    x_bar = grad(lambda x: np.sum(CubicSpline(x, np.zeros((4, 0)))(AT)) + np.sum(x))(X[:4])
    np.testing.assert_array_equal(x_bar, 1.0)


def test_objects():
    """They are SciPy's, those of a class of the user's too, and hold what follows from the arguments."""

    class Mine(CubicSpline):
        def __init__(self, y):
            super().__init__(X, y, bc_type="natural")

    def program(y):
        spline = Mine(y)
        assert isinstance(spline, CubicSpline)
        assert spline.axis == 0
        return (
            np.sum(spline.c * np.cos(spline.c)) + np.sum(spline.derivative().x) + spline.integrate(0.1, 2.3)
        )

    check_program(program, Y, order=1)


def test_errors():
    """They are SciPy's."""
    with pytest.raises(ValueError, match="strictly increasing"):
        grad(lambda y: np.sum(CubicSpline(X[::-1], y)(AT)))(Y)
    with pytest.raises(ValueError, match="real values"):
        jvp(lambda y: PchipInterpolator(X, y + 1j)(AT), (Y,), (Y,))


def test_writing_into_points():
    """A spline keeps the points that it was made of, and coefficients may be written."""

    def program(x, y):
        points = x * 1.0
        spline = CubicSpline(points, y)
        points[:] = 0.0
        spline.c[0] *= y[0]
        return spline(AT)

    check_slope(program, X, Y)
