"""Interpolation on grids: by the axes, the values and the places."""

import numpy as np
import pytest
from scipy import interpolate
from scipy.sparse.linalg import spsolve

from chainrules.ad import grad
from tests.chainrules.program_checks import check_along, check_slope

RNG = np.random.default_rng(0)
A = np.array([0.0, 1.1, 2.0, 3.3, 4.0])
B = np.array([0.0, 0.9, 1.7, 2.9, 4.1, 5.0])
Z = RNG.normal(size=(5, 6))
AT = np.array([[0.4, 0.3], [1.7, 2.2], [3.1, 4.6]])
KNOTS = np.array([-0.3, -0.2, 0.0, 1.1, 2.3, 4.0, 4.2, 4.5])
C = RNG.normal(size=(5, 5))
Pieces = RNG.normal(size=(3, 2, 2, 3))
X, Y = np.array([0.0, 2.0, 4.0]), np.array([0.0, 1.0, 2.5, 5.0])


def _grid(method, **options):
    return lambda a, b, z, at: interpolate.RegularGridInterpolator((a, b), z, method=method, **options)(at)


ON_GRIDS = {
    "linear": _grid("linear"),
    "complex": lambda a, b, z, at: abs(interpolate.RegularGridInterpolator((a, b), z * np.exp(1j * z))(at)),
    "pchip": _grid("pchip"),
    "of degree 1": _grid("slinear", solver=spsolve),
    "cubic": _grid("cubic", solver=spsolve),
    "quintic": lambda a, b, z, at: interpolate.RegularGridInterpolator(
        (np.append(a, a[-1] + 1.0), b), np.concatenate((z, z[:1])), method="quintic", solver=spsolve
    )(at),
    "several": lambda a, b, z, at: interpolate.RegularGridInterpolator((a, b), np.stack([z, z**2], -1))(at),
    "cubic, several": lambda a, b, z, at: interpolate.RegularGridInterpolator(
        (a, b), np.stack([z, z**2], -1), method="cubic", solver=spsolve
    )(at),
    "a derivative": lambda a, b, z, at: interpolate.RegularGridInterpolator(
        (a, b), z, method="cubic", solver=spsolve
    )(at, nu=(1, 0)),
    "filled": lambda a, b, z, at: interpolate.RegularGridInterpolator(
        (a, b), z, bounds_error=False, fill_value=3.0
    )(at - 0.35),
    "as a function": lambda a, b, z, at: interpolate.interpn((a, b), z, at),
    "by coordinates": lambda a, b, z, at: interpolate.interpn((a, b), z, (at[:, 0], at[:, 1])),
    "by a list": lambda a, b, z, at: interpolate.interpn((a, b), z, [at[0], at[1]]),
    "at a place": lambda a, b, z, at: interpolate.interpn((a, b), z, at[1]),
    "by FITPACK": lambda a, b, z, at: interpolate.interpn((a, b), z, at, method="splinef2d"),
    "of one row": lambda a, b, z, at: interpolate.RegularGridInterpolator(
        (a[:1], b), z[:1], bounds_error=False, fill_value=None
    )(at * np.array([0.0, 1.0])),
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", ON_GRIDS)
def test_grids(name):
    """By axes, values and places."""
    check_slope(ON_GRIDS[name], A, B, Z, AT)


def test_nearest():
    """The value of the nearest point, which does not change with the place."""
    check_slope(_grid("nearest"), A, B, Z, AT)


def test_second_derivatives():
    """Along values and places."""
    f = ON_GRIDS["cubic"]
    check_along(
        lambda u: np.sum(f(A, B, Z * u[0], AT + 0.1 * u) ** 2), np.array([1.0, 0.1]), np.array([0.3, -0.2])
    )


def test_iterations_are_differentiated_as_their_limit():
    """SciPy's solver stops at six digits, and its steps have another derivative."""
    exact = grad(lambda z: np.sum(_grid("cubic", solver=spsolve)(A, B, z, AT)))(Z)
    np.testing.assert_allclose(
        grad(lambda z: np.sum(_grid("cubic")(A, B, z, AT)))(Z), exact, rtol=1e-9, atol=1e-12
    )


GRID_SPLINES = {
    "values": lambda t, c, x: interpolate.NdBSpline((t, t), c, 2)(x),
    "a derivative": lambda t, c, x: interpolate.NdBSpline((t, t), c, 2)(x, nu=(1, 0)),
    "two degrees": lambda t, c, x: interpolate.NdBSpline((t, t[:7]), c[:, :4], (2, 2))(x * 0.8),
    "several": lambda t, c, x: interpolate.NdBSpline((t, t), np.stack([c, c**2], -1), 2)(x),
    "complex": lambda t, c, x: abs(interpolate.NdBSpline((t, t), c * np.exp(1j * c), 2)(x)),
    "beyond": lambda t, c, x: interpolate.NdBSpline((t, t), c, 2)(x + 1.0),
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", GRID_SPLINES)
def test_splines_on_grids(name):
    """By knots, coefficients and places."""
    check_slope(GRID_SPLINES[name], KNOTS, C, AT * 0.9)
    check_slope(lambda c: GRID_SPLINES[name](KNOTS, c, AT), C)


def test_places_that_are_refused():
    """NaN beyond the grid, and where the place is NaN."""
    at = np.array([[1.0, 9.0], [np.nan, 1.0], [1.0, 1.0]])
    y_bar = grad(lambda c: np.nansum(interpolate.NdBSpline((KNOTS, KNOTS), c, 2, extrapolate=False)(at)))(C)
    np.testing.assert_allclose(y_bar, grad(lambda c: interpolate.NdBSpline((KNOTS, KNOTS), c, 2)(at[2]))(C))
    c_bar = grad(lambda c: np.nansum(interpolate.NdPPoly(c, (X, Y), extrapolate=False)(at)))(Pieces)
    np.testing.assert_allclose(c_bar, grad(lambda c: interpolate.NdPPoly(c, (X, Y))(at[2:])[0])(Pieces))


POLYNOMIALS = {
    "values": lambda c, x, y, at: interpolate.NdPPoly(c, (x, y))(at),
    "a derivative": lambda c, x, y, at: interpolate.NdPPoly(c, (x, y))(at, nu=(1, 1)),
    "the object of a derivative": lambda c, x, y, at: interpolate.NdPPoly(c, (x, y)).derivative((1, 0))(at),
    "an antiderivative": lambda c, x, y, at: interpolate.NdPPoly(c, (x, y)).antiderivative((1, 0))(at),
    "an integral": lambda c, x, y, at: (
        interpolate.NdPPoly(c, (x, y)).integrate(((0.2, 1.3), (0.4, 2.2))) * at
    ),
    "an integral along an axis": lambda c, x, y, at: interpolate.NdPPoly(c, (x, y)).integrate_1d(0.2, 1.3, 0)(
        at[:, 1:]
    ),
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", POLYNOMIALS)
def test_polynomials_on_grids(name):
    """By coefficients, breaks and places."""
    check_slope(POLYNOMIALS[name], Pieces, X, Y, AT)
