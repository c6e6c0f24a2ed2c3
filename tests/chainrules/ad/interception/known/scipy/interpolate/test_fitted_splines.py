"""Splines through points and near to them, by points, values, weights and places."""

import numpy as np
import pytest
from scipy import interpolate

from chainrules.ad import grad, jvp
from tests.chainrules.program_checks import check_along, check_slope

X = np.array([0.0, 0.9, 1.6, 2.7, 3.1, 4.3, 5.0, 6.2])
Y = np.array([0.1, 0.9, 1.1, 0.2, 0.4, -1.1, -0.7, 0.3])
W = np.array([1.0, 0.7, 1.2, 0.8, 1.1, 0.9, 1.3, 1.0])
AT = np.array([0.5, 1.35, 2.05, 3.65, 5.5])
INNER = np.array([1.3, 2.5, 3.9])
SPREAD = np.array([-0.4, -0.3, -0.2, -0.1, 1.3, 2.5, 3.9, 6.3, 6.4, 6.5, 6.6])


def _closed(y):
    return np.concatenate((y[:-1], y[:1]))


def _interp(**options):
    return lambda x, y, at: interpolate.make_interp_spline(x, y, **options)(at)


INTERPOLATING = {
    **{f"degree {k}": _interp(k=k) for k in (0, 1, 2, 3, 5)},
    "natural": _interp(bc_type="natural"),
    "clamped at one end": _interp(bc_type=("clamped", [(2, 0.5)])),
    "periodic": lambda x, y, at: interpolate.make_interp_spline(x, _closed(y), bc_type="periodic")(at),
    "periodic of even degree": lambda x, y, at: interpolate.make_interp_spline(
        x, _closed(y), 2, bc_type="periodic"
    )(at),
    "several": lambda x, y, at: interpolate.make_interp_spline(x, np.stack([y, y**2]), axis=1)(at),
    "given slopes": lambda x, y, at: interpolate.make_interp_spline(
        x, y, bc_type=([(1, y[0])], [(1, y[1] * x[2])])
    )(at),
    "quadratic": lambda x, y, at: interpolate.interp1d(x, y, kind="quadratic")(at),
    "cubic": lambda x, y, at: interpolate.interp1d(x, y, kind="cubic")(at),
    "by lists": lambda x, y, at: interpolate.make_interp_spline(list(x), list(y))(at),
    "its integral": lambda x, y, at: interpolate.make_interp_spline(x, y).integrate(at[0], at[2]),
    "without smoothing": lambda x, y, at: interpolate.make_splrep(x, y, s=0)(at),
    "a curve without smoothing": lambda x, y, at: interpolate.make_splprep([x, y], s=0)[0](at / 6.5),
    "smooth": lambda x, y, at: interpolate.make_smoothing_spline(x, y, lam=0.3)(at),
    "a tuple": lambda x, y, at: interpolate.splev(at, interpolate.splrep(x, y)),
    "a tuple of even degree": lambda x, y, at: interpolate.splev(at, interpolate.splrep(x, y, k=2)),
    "a periodic tuple": lambda x, y, at: interpolate.splev(at, interpolate.splrep(x, _closed(y), per=1)),
    "a curve": lambda x, y, at: np.stack(interpolate.splev(at / 6.5, interpolate.splprep([x, y], s=0)[0])),
    "an object": lambda x, y, at: interpolate.InterpolatedUnivariateSpline(x, y)(at),
    "an object between given ends": lambda x, y, at: interpolate.InterpolatedUnivariateSpline(
        x, y, bbox=[x[0] - 1.0, None]
    )(at),
    "its antiderivative": lambda x, y, at: interpolate.InterpolatedUnivariateSpline(x, y).antiderivative()(
        at
    ),
    "its roots": lambda x, y, at: interpolate.InterpolatedUnivariateSpline(x, y).roots() * at[0],
}
LEAST_SQUARES = {
    "a spline": lambda x, y, w, at: interpolate.make_lsq_spline(x, y, SPREAD, w=w)(at),
    "several": lambda x, y, w, at: interpolate.make_lsq_spline(x, np.stack([y, w], 1), SPREAD)(at),
    "a tuple": lambda x, y, w, at: interpolate.splev(at, interpolate.splrep(x, y, w, t=INNER)),
    "an object": lambda x, y, w, at: interpolate.LSQUnivariateSpline(x, y, INNER, w)(at),
    "a polynomial": lambda x, y, w, at: interpolate.UnivariateSpline(x, y, w, s=50.0)(at),
    "the sum of squares": lambda x, y, w, at: interpolate.splrep(x, y, w, t=INNER, full_output=1)[1] + at,
    "a curve": lambda x, y, w, at: np.stack(
        interpolate.splev(
            at / 6.5, interpolate.splprep([x, y], w, task=-1, t=np.append([0.0] * 4, [0.5, 1, 1, 1, 1]))[0]
        )
    ),
    "residual": lambda x, y, w, at: interpolate.LSQUnivariateSpline(x, y, INNER, w).get_residual() * at,
    "coefficients": lambda x, y, w, at: interpolate.LSQUnivariateSpline(x, y, INNER, w).get_coeffs(),
    "knots": lambda x, y, w, at: interpolate.LSQUnivariateSpline(x, y, INNER, w).get_knots() + at,
}
MANY = np.linspace(0.0, 6.0, 20) + 0.05 * np.cos(7.0 * np.arange(20))
NOISY = np.sin(MANY) + 0.1 * np.cos(5.0 * np.arange(20))


@pytest.mark.every_case
@pytest.mark.parametrize("name", INTERPOLATING)
def test_through_points(name):
    """By points, values and places."""
    check_slope(INTERPOLATING[name], X, Y, AT)


@pytest.mark.every_case
@pytest.mark.parametrize("name", LEAST_SQUARES)
def test_least_squares(name):
    """By points, values, weights and places."""
    check_slope(LEAST_SQUARES[name], X, Y, W, AT)


@pytest.mark.parametrize("name", ["degree 3", "natural", "a tuple"])
def test_second_derivatives(name):
    """The systems of equations are differentiated again, by points and values at once."""

    def f(z):
        return np.sum(INTERPOLATING[name](X[:5] + z, Y[:5] * np.cos(z), AT[:2]) ** 2)

    check_along(f, np.linspace(-0.1, 0.1, 5), np.cos(np.arange(5.0)))


def test_cross_validation():
    """SciPy searches for the smoothing that predicts left-out points best, to five digits."""
    check_slope(lambda x, y: interpolate.make_smoothing_spline(x, y)(AT), X, Y, rtol=1e-4)


def test_given_knots():
    """By the knots, which stand where the caller wants them."""
    x, y = np.linspace(0.1, 6.0, 7), Y[:7]
    check_slope(lambda x, y, t: interpolate.make_interp_spline(x, y, t=t)(AT), x, y, SPREAD)
    check_slope(lambda x, y, t: interpolate.make_lsq_spline(x, y, t)(AT), X, Y, SPREAD)
    check_slope(lambda x, y, t: interpolate.splev(AT, interpolate.splrep(x, y, t=t)), X, Y, INNER)
    check_slope(lambda x, y, t: interpolate.LSQUnivariateSpline(x, y, t)(AT), X, Y, INNER)


def test_complex_values():
    """The matrix is real."""
    check_slope(lambda x, y: abs(interpolate.make_interp_spline(x, y * np.exp(1j * y))(AT)) ** 2, X, Y)


def test_no_values():
    """A spline without values has none at any place."""
    y = np.empty((8, 0))
    assert grad(lambda y: np.sum(interpolate.make_interp_spline(X, y)(AT)))(y).shape == (8, 0)


def _exactly_smooth(t, k, x, y, w, s, at):  # noqa: PLR0917 - what a spline is fitted to
    """A smoothing spline whose sum of squares is exact, by dense matrices and bisection."""
    B = interpolate.BSpline.design_matrix(x, t, k).toarray()
    n, inner = B.shape[1], t[k + 1 : -k - 1]
    sides = [
        np.stack([interpolate.BSpline(t, e, k)(inner + side, k) for e in np.eye(n)], axis=1)
        for side in (1e-9, -1e-9)
    ]
    P = (sides[0] - sides[1]).T @ (sides[0] - sides[1])

    def fitted(q):
        return np.linalg.solve((B.T * w**2) @ B + q * P, (B.T * w**2) @ y)

    low, high = -30.0, 10.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        is_low = np.sum((w * (y - B @ fitted(np.exp(middle)))) ** 2) < s
        low, high = (middle, high) if is_low else (low, middle)
    return interpolate.BSpline(t, fitted(np.exp(low)), k)(at)


def _derivative_along(f, y, direction):
    return (np.sum(f(y + 1e-5 * direction)) - np.sum(f(y - 1e-5 * direction))) / 2e-5


@pytest.mark.every_case
@pytest.mark.parametrize("k", [3, 2])
@pytest.mark.parametrize("make", ["splrep", "make_splrep"])
def test_smoothing(make, k):
    """SciPy stops near the sum of squares; the derivative is that of a spline with the one it found."""
    weights, direction = np.linspace(0.8, 1.2, 20), np.cos(np.arange(20.0))

    def spline(y):
        made = getattr(interpolate, make)(MANY, y, w=weights, k=k, s=0.1)
        return made if make == "make_splrep" else interpolate.BSpline(*made)

    made = spline(NOISY)
    assert len(made.t) > 2 * k + 2
    s = np.sum((weights * (NOISY - made(MANY))) ** 2)
    slope = _derivative_along(lambda y: _exactly_smooth(made.t, k, MANY, y, weights, s, AT), NOISY, direction)
    gradient = grad(lambda y: np.sum(spline(y)(AT)))(NOISY)
    np.testing.assert_allclose(gradient @ direction, slope, rtol=1e-6)


def test_smoothing_object():
    """The same of an object, which keeps its sum of squares."""
    made, direction = interpolate.UnivariateSpline(MANY, NOISY, s=0.1), np.cos(np.arange(20.0))
    t, ones = made._eval_args[0], np.ones(20)
    slope = _derivative_along(
        lambda y: _exactly_smooth(t, 3, MANY, y, ones, made.get_residual(), AT), NOISY, direction
    )
    gradient = grad(lambda y: np.sum(interpolate.UnivariateSpline(MANY, y, s=0.1)(AT)))(NOISY)
    np.testing.assert_allclose(gradient @ direction, slope, rtol=1e-6)
    of_sum = grad(lambda y: interpolate.UnivariateSpline(MANY, y, s=0.1).get_residual())(NOISY)
    np.testing.assert_allclose(of_sum, 0.0, atol=1e-9)


# FITPACK stops where the sum of squares is right to one in a thousand.
SMOOTHING = {
    "a tuple": lambda x, y, at: interpolate.splev(at, interpolate.splrep(x, y, s=0.1)),
    "a periodic tuple": lambda x, y, at: interpolate.splev(
        at, interpolate.splrep(x, _closed(y), s=0.1, per=1)
    ),
    "by default": lambda x, y, at: interpolate.UnivariateSpline(x, y, 8.0 * np.ones(20))(at),
    "a curve": lambda x, y, at: np.stack(interpolate.splev(at / 7.0, interpolate.splprep([x, y], s=0.1)[0])),
    "a given parameter": lambda x, y, at: np.stack(
        interpolate.splev(at / 7.0, interpolate.splprep([y, y**2], u=x / 6.5, s=0.1, full_output=1)[0][0])
    ),
    "a new curve": lambda x, y, at: interpolate.make_splprep([x, y], s=0.1)[0](at / 7.0),
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", SMOOTHING)
def test_smoothing_as_scipy_does(name):
    """By points, values and places, as near to SciPy's numbers as its stopping allows."""
    check_slope(SMOOTHING[name], MANY, NOISY, AT, rtol=0.02)


def test_second_derivatives_of_smoothing():
    """Newton's steps have them: the exact spline's are those of its gradient."""
    direction = np.cos(np.arange(20.0))
    (t, _, _), s, *_ = interpolate.splrep(MANY, NOISY, s=0.1, full_output=1)

    def exact(h):
        return np.sum(_exactly_smooth(t, 3, MANY, NOISY + h * direction, np.ones(20), s, AT))

    def f(h):
        return np.sum(interpolate.splev(AT, interpolate.splrep(MANY, NOISY + h * direction, s=0.1)))

    bend = (exact(1e-3) - 2.0 * exact(0.0) + exact(-1e-3)) / 1e-6
    np.testing.assert_allclose(grad(grad(f))(0.0), bend, rtol=1e-4)
    np.testing.assert_allclose(jvp(grad(f), (0.0,), (1.0,))[1], bend, rtol=1e-4)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda s: interpolate.splrep(MANY, NOISY, s=s)[1], "by `lam`"),
        (lambda s: interpolate.splprep([MANY, NOISY], s=s)[0][1][0], "by `lam`"),
        (lambda s: interpolate.UnivariateSpline(MANY, NOISY, s=s)(AT), "by `lam`"),
        (lambda s: interpolate.make_splrep(MANY, NOISY, s=s)(AT), "by `lam`"),
    ],
)
def test_how_smooth_is_refused(call, says):
    """FITPACK's steps do not say how the spline changes with `s`."""
    with pytest.raises(NotImplementedError, match=says):
        grad(lambda s: np.sum(call(s)))(0.1)


def test_fitting_anew_is_refused():
    """The error says what to write."""

    def f(y):
        spline = interpolate.UnivariateSpline(range(8), y)
        spline.set_smoothing_factor(0.1)
        return spline(0.5)

    with pytest.raises(NotImplementedError, match="write `UnivariateSpline"):
        grad(f)(Y)
