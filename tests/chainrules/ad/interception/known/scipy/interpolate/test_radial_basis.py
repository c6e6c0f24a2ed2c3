"""Sums of radial functions: by points, values, places, width and smoothing."""

import numpy as np
import pytest
from scipy import interpolate

from chainrules.ad import grad, hessian
from tests.chainrules.program_checks import check_along, check_slope

POINTS = np.array(
    [[0.2, 0.3], [3.8, 0.1], [0.1, 3.7], [3.9, 3.9], [1.5, 1.2], [2.7, 2.2], [1.1, 2.9], [2.5, 0.8]]
)
VALUES = np.cos(POINTS[:, 0]) + 0.1 * POINTS[:, 1] ** 2
AT = np.array([[1.3, 1.7], [2.2, 2.6], [1.9, 1.1]])
KERNELS = (
    *("linear", "thin_plate_spline", "cubic", "quintic"),
    *("multiquadric", "inverse_multiquadric", "inverse_quadratic", "gaussian"),
)


@pytest.mark.every_case
@pytest.mark.parametrize("kernel", KERNELS)
def test_kernels(kernel):
    """By points, values, places, width and smoothing."""

    def f(points, values, at, u):
        return interpolate.RBFInterpolator(points, values, kernel=kernel, epsilon=u[0], smoothing=u[1])(at)

    check_slope(f, POINTS, VALUES, AT, np.array([0.8, 0.1]))


def test_options():
    """Without polynomials, of several values, and with a smoothing for each point."""
    check_slope(
        lambda v, at: interpolate.RBFInterpolator(POINTS, v, kernel="gaussian", epsilon=0.5, degree=-1)(at),
        VALUES,
        AT,
    )
    check_slope(lambda v, at: interpolate.RBFInterpolator(POINTS, np.stack([v, v**2], 1))(at), VALUES, AT)
    check_slope(
        lambda v, s: interpolate.RBFInterpolator(POINTS, v, smoothing=s)(AT), VALUES, np.linspace(0.1, 0.5, 8)
    )
    flat, linear = POINTS * np.array([1.0, 0.0]), {"kernel": "linear", "degree": 0, "smoothing": 0.1}
    check_slope(lambda v: interpolate.RBFInterpolator(flat, v, **linear)(AT), VALUES)


def test_neighbors():
    """Of the nearest points alone, which SciPy finds; of complex values too."""

    def f(points, values, at):
        return interpolate.RBFInterpolator(points, values, neighbors=5, smoothing=0.1, epsilon=1.0)(at)

    check_slope(f, POINTS, VALUES, AT)
    check_slope(
        lambda at: interpolate.RBFInterpolator(list(POINTS), list(VALUES), neighbors=1, kernel="linear")(at),
        AT,
    )
    check_slope(lambda v: interpolate.RBFInterpolator(POINTS, list(v), neighbors=5)(AT), VALUES)


def test_at_a_point():
    """Where the distance is zero the derivatives are those of the limits: of thin plates in both orders."""
    made = interpolate.RBFInterpolator(POINTS, VALUES, kernel="quintic")

    def f(x):
        return made(x[np.newaxis])[0]

    check_slope(f, POINTS[4])
    assert np.all(np.isfinite(hessian(f)(POINTS[4])))
    check_along(f, AT[0], np.array([0.3, -0.7]))


def test_of_one_that_is_made_before():
    """Only the places are traced."""
    made = interpolate.RBFInterpolator(POINTS, VALUES)
    assert np.all(grad(lambda x: np.sum(made(x)))(AT))


def test_complex_values_are_refused():
    """The error says what to write."""
    with pytest.raises(NotImplementedError, match=r"`d\.real`"):
        grad(lambda u: np.sum(abs(interpolate.RBFInterpolator(POINTS, u * VALUES * 1j)(AT))))(1.0)
