"""Interpolation between scattered points: by points, values and places, while the triangles remain."""

import numpy as np
import pytest
from scipy import interpolate
from scipy.spatial import Delaunay

from chainrules.ad import grad
from tests.chainrules.program_checks import check_along, check_slope

POINTS = np.array(
    [[0.2, 0.3], [3.8, 0.1], [0.1, 3.7], [3.9, 3.9], [1.5, 1.2], [2.7, 2.2], [1.1, 2.9], [2.5, 0.8]]
)
VALUES = np.cos(POINTS[:, 0]) + 0.1 * POINTS[:, 1] ** 2
AT = np.array([[1.3, 1.7], [2.2, 2.6], [1.9, 1.1], [0.9, 0.35], [3.7, 2.0]])
Linear, Cubic, Nearest = (
    getattr(interpolate, f"{name}Interpolator") for name in ("LinearND", "CloughTocher2D", "NearestND")
)

PROGRAMS = {
    "linear": lambda p, v, at: Linear(p, v)(at),
    "linear, by coordinates": lambda p, v, at: Linear((p[:, 0], p[:, 1]), v)(at[:, 0], at[:, 1]),
    "linear, rescaled": lambda p, v, at: Linear(p, v, rescale=True)(at),
    "linear, several": lambda p, v, at: Linear(p, np.stack([v, v**2], 1))(at),
    "linear, complex": lambda p, v, at: abs(Linear(p, v * np.exp(1j * v))(at)),
    "linear, of lists": lambda p, v, at: Linear(list(p), list(v))(at[0]),
    "linear, in space": lambda p, v, at: Linear(
        np.concatenate((p, (p[:, :1] + p[:, 1:]) ** 2 % 3.1), axis=1), v
    )(np.concatenate((at[:1], at[:1, :1]), axis=1)),
    "cubic": lambda p, v, at: Cubic(p, v, tol=1e-10)(at),
    "cubic, rescaled": lambda p, v, at: Cubic(p, v, rescale=True, tol=1e-10)(at),
    "cubic, several": lambda p, v, at: Cubic(p, np.stack([v, v**2], 1), tol=1e-10)(at),
    "nearest": lambda p, v, at: Nearest(p, v)(at),
    "nearest, of a list": lambda p, v, at: Nearest(p, list(v))(at[:, 0], at[:, 1]),
    "griddata": lambda p, v, at: interpolate.griddata(p, v, at),
    "griddata, nearest": lambda p, v, at: interpolate.griddata(p, v, at, method="nearest"),
    "griddata, cubic": lambda p, v, at: interpolate.griddata(p, v, (at[:, 0], at[:, 1]), method="cubic"),
    "griddata, along a line": lambda p, v, at: interpolate.griddata(p[:, 0], v, at[:, 0], method="cubic"),
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", PROGRAMS)
def test_scattered(name):
    """By points, values and places."""
    rtol = 1e-4 if name == "griddata, cubic" else 1e-6  # SciPy's gradients at the points have six digits
    check_slope(PROGRAMS[name], POINTS, VALUES, AT, rtol=rtol)


def test_second_derivatives():
    """Along points, values and places."""

    def f(z):
        return np.sum(Cubic(POINTS * (1.0 + z[0]), VALUES * np.exp(z), tol=1e-12)(AT + z[1]) ** 2)

    check_along(f, np.linspace(-0.02, 0.02, 8), np.cos(np.arange(8.0)))


def test_triangulation():
    """Points that are triangles already are constants."""
    check_slope(lambda v, at: Linear(Delaunay(POINTS), v)(at), VALUES, AT)


def test_outside():
    """NaN, or what is asked for, stands outside of all triangles."""
    at = np.concatenate((AT, [[9.0, 9.0]]))
    y_bar = grad(lambda v: np.nansum(Linear(POINTS, v)(at)))(VALUES)
    np.testing.assert_allclose(
        y_bar,
        grad(lambda v: np.sum(Cubic(POINTS, v, fill_value=1.0)(at) * 0.0 + Linear(POINTS, v, 0.0)(at)))(
            VALUES
        ),
    )


def test_numbers_outside():
    """The number that stands beyond all triangles has a derivative."""
    at = np.array([[0.4, 0.5], [9.0, 9.0], [-7.0, 3.0]])
    values = np.arange(float(len(POINTS)))
    for make in (
        Linear,
        Cubic,
        lambda *args: lambda x: interpolate.griddata(*args[:2], x, fill_value=args[2]),
    ):
        assert grad(lambda v, make=make: np.sum(make(POINTS, values, v**2)(at)))(1.5) == 6.0


def test_of_one_that_is_made_before():
    """Only the places are traced, or nothing."""
    made = Cubic(POINTS, VALUES)
    check_slope(made, AT)
    assert grad(lambda x: x * made(1.3, 1.7))(1.0) == made(1.3, 1.7)
