"""B-splines, whose values are computed by functions in C: by knots, coefficients and places."""

import numpy as np
import pytest
from scipy import interpolate

from chainrules.ad import grad, jvp
from tests.chainrules.program_checks import check_along, check_slope

KNOTS = np.array([0.0, 0.1, 0.3, 0.7, 1.4, 2.0, 2.1, 2.3])
C = np.array([0.4, -0.3, 1.2, 0.7, 0.1])
AT = np.array([0.35, 0.9, 1.6])
PADDED = np.zeros(3)
UNSURE = np.array([0.0, 0.0, 0.0, 0.0, 1.1, 2.0, 3.3, 4.0, 4.0, 4.0, 4.0])
CROSSING = np.array([1.0, -4.0, 4.0, -4.0, 4.0, -4.0, 4.0])


def _joined(tck):
    t, c, k = tck
    return np.concatenate((t, c[: len(t) - k - 1]))  # behind these FITPACK leaves whatever was in memory


PROGRAMS = {
    "values": lambda t, c, x: interpolate.BSpline(t, c, 2)(x),
    "a derivative": lambda t, c, x: interpolate.BSpline(t, c, 2)(x, 1),
    "beyond": lambda t, c, x: interpolate.BSpline(t, c, 2)(2.0 * x - 0.5),
    "nothing beyond": lambda t, c, x: interpolate.BSpline(t, c, 2, extrapolate=False)(x),
    "periodic": lambda t, c, x: interpolate.BSpline(t, c, 2, extrapolate="periodic")(x + 3.0),
    "several": lambda t, c, x: interpolate.BSpline(t, np.stack([c, c**2], 1), 2)(x),
    "the object of a derivative": lambda t, c, x: interpolate.BSpline(t, c, 2).derivative()(x),
    "the object of an antiderivative": lambda t, c, x: interpolate.BSpline(t, c, 2).antiderivative()(x),
    "an integral": lambda t, c, x: interpolate.BSpline(t, c, 2).integrate(x[0], x[1]),
    "an inserted knot": lambda t, c, x: interpolate.BSpline(t, c, 2).insert_knot(1.1)(x),
    "polynomials": lambda t, c, x: interpolate.PPoly.from_spline(interpolate.BSpline(t, c, 2))(x),
    "of one B-spline": lambda t, c, x: interpolate.BSpline.basis_element(t[:5])(x) * c[:3],
    "a matrix": lambda t, c, x: interpolate.BSpline.design_matrix(x, t, 2).toarray() @ c,
    "a periodic matrix": lambda t, c, x: (
        interpolate.BSpline.design_matrix(x + 3.0, t, 2, extrapolate="periodic").toarray() @ c
    ),
    "a tuple": lambda t, c, x: interpolate.splev(x, (t, np.concatenate((c, PADDED)), 2)),
    "a tuple's derivative": lambda t, c, x: interpolate.splev(x, (t, c, 2), der=1),
    "a tuple with nothing beyond": lambda t, c, x: interpolate.splev(x + 0.7, (t, c, 2), ext=1),
    "a tuple with its ends beyond": lambda t, c, x: interpolate.splev(2.0 * x - 0.6, (t, c, 2), ext=3),
    "a tuple's derivative beyond its ends": lambda t, c, x: interpolate.splev(
        2.0 * x - 0.6, (t, c, 2), der=1, ext=3
    ),
    "lists": lambda t, c, x: interpolate.splev([x[0], x[1]], (list(t), list(c), 2)),
    "a curve of lists": lambda t, c, x: np.stack(interpolate.splev(x, (t, [list(c), list(c**2)], 2))),
    "the integral of lists": lambda t, c, x: interpolate.splint(x[0], x[1], (list(t), list(c), 2)),
    "all derivatives of lists": lambda t, c, x: np.stack(interpolate.spalde([x[0]] * 2, (t, list(c), 2))),
    "a tuple with nothing to refuse": lambda t, c, x: interpolate.splev(x, (t, c, 2), ext=2),
    "a curve": lambda t, c, x: np.stack(interpolate.splev(x, (t, [c, c**2], 2))),
    "the integral of a tuple": lambda t, c, x: interpolate.splint(x[0], x[1] + 4.0, (t, c, 2)),
    "the integral of a curve": lambda t, c, x: np.stack(interpolate.splint(x[0], x[1], (t, [c, c**2], 2))),
    "all derivatives": lambda t, c, x: np.stack(interpolate.spalde(x, (t, c, 2))),
    "all derivatives at a place": lambda t, c, x: interpolate.spalde(x[1], (t, c, 2)),
    "a knot": lambda t, c, x: _joined(interpolate.insert(x[1], (t, np.concatenate((c, PADDED)), 2))),
    "a double knot": lambda t, c, x: _joined(interpolate.insert(x[1], (t, c, 2), m=2)),
    "a knot of a curve": lambda t, c, x: np.stack(interpolate.insert(x[1], (t, [c, c**2], 2))[1])[:, :6],
    "the tuple of a derivative": lambda t, c, x: interpolate.splev(
        x, interpolate.splder((t, np.concatenate((c, PADDED)), 2))
    ),
    "the tuple of an antiderivative": lambda t, c, x: interpolate.splev(
        x, interpolate.splantider((t, np.concatenate((c, PADDED)), 2))
    ),
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", PROGRAMS)
def test_splines(name):
    """By knots, coefficients and places, and by coefficients and places alone."""
    check_slope(PROGRAMS[name], KNOTS, C, AT)
    check_slope(lambda c, x: PROGRAMS[name](KNOTS, c, x), C, AT)
    if "knot" not in name:
        check_slope(lambda c: PROGRAMS[name](KNOTS, c, AT), C)


@pytest.mark.parametrize("name", ["values", "several", "a derivative", "a tuple with its ends beyond"])
def test_second_derivatives(name):
    """What stands for the functions in C has rules of its own."""
    f, direction = PROGRAMS[name], np.cos(np.arange(5.0))
    check_along(
        lambda z: np.sum(f(KNOTS, C * z, AT + z[:3]) ** 2), np.linspace(0.9, 1.1, 5) - 1e-3, direction
    )
    check_along(lambda z: np.sum(f(KNOTS + 0.01 * z[0], C + z, AT) ** 2), np.zeros(5), direction)


def test_zeros():
    """By the spline's coefficients and knots, to second order."""

    def zeros(t, c):
        return interpolate.sproot((t, np.concatenate((c, np.zeros(4))), 3))

    knots = UNSURE + 0.2 * np.arange(11)
    assert len(zeros(knots, CROSSING)) == 5
    check_slope(zeros, knots, CROSSING)
    check_along(lambda z: np.sum(zeros(knots + z[0], CROSSING + z)), np.zeros(7), np.cos(np.arange(7.0)))
    assert grad(lambda c: np.sum(zeros(knots, c)))(CROSSING.astype(np.float32)).dtype == np.float32


def test_integrals_of_all():
    """Of the B-splines too, as SciPy had them before its version 1.18."""

    def f(t, c, x):
        y, parts = interpolate.splint(x[0], x[1], (t, c, 2), full_output=1)
        return y * (1.0 if parts is None else parts[:5])

    check_slope(f, KNOTS, C, AT)


def test_complex_coefficients():
    """The real and imaginary parts are two splines."""
    c = C + 1j * C[::-1]
    check_slope(lambda u, x: abs(interpolate.BSpline(KNOTS, u * c, 2)(x)) ** 2, np.array([1.3]), AT)


def test_places_that_are_no_numbers():
    """NaN stays NaN, and the gradient of the others is as it would be without it."""
    at = np.array([0.5, np.nan])
    gradient = grad(lambda c: np.nansum(interpolate.BSpline(KNOTS, c, 2)(at)))(C)
    np.testing.assert_allclose(gradient, grad(lambda c: interpolate.BSpline(KNOTS, c, 2)(0.5))(C))


def test_empty_places():
    """No place, no derivative."""
    y, y_dot = jvp(lambda c: interpolate.BSpline(KNOTS, c, 2)(np.empty(0)), (C,), (C,))
    assert y.shape == y_dot.shape == (0,)


def test_without_tangents():
    """SciPy's functions are called, where nothing is traced."""
    of_c = grad(
        lambda c: c[0] * interpolate.splev(0.5, (KNOTS, C, 2)) + c[1] * interpolate.BSpline(KNOTS, C, 2)(0.5)
    )
    value = interpolate.splev(0.5, (KNOTS, C, 2))
    np.testing.assert_allclose(of_c(C)[:2], value)


def test_periodic_knots_are_refused():
    """FITPACK moves knots at both ends."""
    with pytest.raises(NotImplementedError, match="without `per`"):
        grad(lambda c: np.sum(interpolate.insert(1.1, (KNOTS, c, 2), per=1)[1]))(C)


def test_places_beyond_are_refused():
    """As SciPy does."""
    with pytest.raises(ValueError, match="not in the domain"):
        grad(lambda c: interpolate.splev(9.0, (KNOTS, c, 2), ext=2))(C)
