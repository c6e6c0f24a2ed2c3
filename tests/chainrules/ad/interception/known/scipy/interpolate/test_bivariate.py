"""Splines of two variables by FITPACK: by points, values, weights and places."""

import numpy as np
import pytest
from scipy import interpolate

from chainrules.ad import grad
from chainrules.makers.versions import is_scipy_since
from tests.chainrules.program_checks import check_along, check_slope

RNG = np.random.default_rng(1)
X = np.array([0.0, 1.1, 2.0, 3.3, 4.0])
Y = np.array([0.0, 0.9, 1.7, 2.9, 4.1, 5.0])
Z = RNG.normal(size=(5, 6))
AT = np.array([[0.4, 0.3], [1.7, 2.2], [3.1, 4.6]])
SORTED = np.array([0.4, 1.7, 3.1])
KNOTS = np.array([-0.1, 0.0, 2.0, 4.0, 4.1])
C = np.arange(9.0) ** 0.5
POINTS = RNG.uniform(0.0, 4.0, size=(40, 2))
VALUES = np.sin(POINTS[:, 0]) * POINTS[:, 1]
WEIGHTS = RNG.uniform(0.5, 1.5, size=40)
INNER = np.array([2.0])
BOX = [-0.1, 4.1, -0.2, 4.2]
ENDS = [-0.1, -0.1, 2.1, 4.1, 4.1]

Rect = interpolate.RectBivariateSpline
ON_GRIDS = {
    "points": lambda x, y, z, at: Rect(x, y, z)(at[:, 0], at[:, 1], grid=False),
    "a grid": lambda x, y, z, at: Rect(x, y, z)(at[:, 0], at[:, 1]),
    "by `ev`": lambda x, y, z, at: Rect(x, y, z).ev(at[:, 0], at[:, 1], dx=1),
    "one place": lambda x, y, z, at: Rect(x, y, z)(at[0, 0], at[0, 1]),
    "beyond": lambda x, y, z, at: Rect(x, y, z)(at[:, 0] + 1.5, at[:, 1]),
    "even degrees": lambda x, y, z, at: Rect(x, y, z, kx=2, ky=1)(at[:, 0], at[:, 1]),
    "a box": lambda x, y, z, at: Rect(x, y, z, bbox=[x[0] - 1.0, None, None, 6.0])(at[:, 0], at[:, 1]),
    "an integral": lambda x, y, z, at: Rect(x, y, z).integral(at[0, 0], at[1, 0], at[0, 1], at[1, 1]),
    "the object of a derivative": lambda x, y, z, at: Rect(x, y, z).partial_derivative(1, 2)(
        at[:, 0], at[:, 1], grid=False
    ),
    "coefficients": lambda x, y, z, at: Rect(x, y, z).get_coeffs(),
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", ON_GRIDS)
def test_on_grids(name):
    """By axes, values and places."""
    check_slope(ON_GRIDS[name], X, Y, Z, AT)


def _exactly_smooth(made, x, y, z, s):
    """Coefficients whose sum of squares is exact, by dense matrices and bisection."""
    (tx, ty), (kx, ky) = made.get_knots(), made.degrees
    B = [interpolate.BSpline.design_matrix(a, t, k).toarray() for a, t, k in ((x, tx, kx), (y, ty, ky))]
    P = []
    for t, k in ((tx, kx), (ty, ky)):
        inner, eye = t[k + 1 : -k - 1], np.eye(len(t) - k - 1)
        right, left = (interpolate.BSpline(t, eye, k)(inner + side, k) for side in (1e-9, -1e-9))
        scale = ((t[-1] - t[0]) / (len(t) - 2 * k - 1)) ** k / (1, 1, 2, 6)[k]
        P.append(scale**2 * (right - left).T @ (right - left))

    def fitted(q):
        left, right = (b.T @ b + q * p for b, p in zip(B, P, strict=True))
        return np.linalg.solve(left, B[0].T @ z @ B[1]) @ np.linalg.inv(right)

    low, high = -30.0, 10.0
    for _ in range(100):
        middle = 0.5 * (low + high)
        is_low = np.sum((z - B[0] @ fitted(np.exp(middle)) @ B[1].T) ** 2) < s
        low, high = (middle, high) if is_low else (low, middle)
    return fitted(np.exp(low))


@pytest.mark.every_case
@pytest.mark.parametrize(("kx", "ky", "s"), [(3, 3, 0.6), (2, 1, 1.0), (3, 3, 50.0)])
def test_smoothing_on_grids(kx, ky, s):
    """The derivative is that of the spline that has exactly the sum of squares that SciPy found."""
    x, y = np.linspace(0.0, 4.0, 9), np.linspace(0.0, 6.0, 10)
    z = np.sin(x)[:, None] * np.cos(y) + 0.15 * RNG.normal(size=(9, 10))
    direction = np.cos(np.arange(90.0)).reshape(9, 10)
    made = Rect(x, y, z, kx=kx, ky=ky, s=s)
    coefficients = [
        _exactly_smooth(made, x, y, z + h * direction, made.get_residual()) for h in (1e-5, -1e-5)
    ]
    slope = np.sum(coefficients[0] - coefficients[1]) / 2e-5
    gradient = grad(lambda z: np.sum(Rect(x, y, z, kx=kx, ky=ky, s=s).get_coeffs()))(z)
    np.testing.assert_allclose(np.sum(gradient * direction), slope, rtol=1e-5, atol=1e-8)


TUPLES = {
    "a grid": lambda t, c, x: interpolate.bisplev(x, x, (t, t, c, 1, 1)),
    "a row": lambda t, c, x: interpolate.bisplev(x[1], x, (t, t, c, 1, 1)),
    "a place": lambda t, c, x: interpolate.bisplev(x[1], x[0], (t, t, c, 1, 1)),
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", TUPLES)
def test_tuples(name):
    """By knots, coefficients and places."""
    check_slope(TUPLES[name], KNOTS, C, SORTED)


def test_integrals_of_tuples():
    """The function that SciPy's objects call."""

    def f(t, c, ends):
        return interpolate._fitpack_impl.dblint(*ends, (t, t, c, 1, 1))

    check_slope(f, KNOTS, C, np.array([0.2, 2.3, 0.5, 3.0]))


TO_POINTS = {
    "least squares": lambda p, z, w: interpolate.LSQBivariateSpline(
        p[:, 0], p[:, 1], z, INNER, INNER, w, BOX
    ),
    "of even degree": lambda p, z, w: interpolate.LSQBivariateSpline(
        p[:, 0], p[:, 1], z, INNER, INNER, w, BOX, kx=2, ky=1
    ),
    "between the points": lambda p, z, w: interpolate.LSQBivariateSpline(
        p[:, 0], p[:, 1], z, [2.0], [2.0], kx=1, ky=1
    ),
    "a polynomial": lambda p, z, w: interpolate.SmoothBivariateSpline(p[:, 0], p[:, 1], z, w, s=1e3),
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", TO_POINTS)
def test_to_points(name):
    """By points, values and weights."""
    check_slope(
        lambda p, z, w: TO_POINTS[name](p, z, w).ev(AT[:, 0], 0.8 * AT[:, 1]), POINTS, VALUES, WEIGHTS
    )


@pytest.mark.skipif(is_scipy_since(1, 18), reason="SciPy 1.18.1 crashes where `bisplrep` is given knots")
def test_tuples_to_points():
    """As tuples, of all the knots."""

    def f(p, z, t):
        tck, *_ = interpolate.bisplrep(
            *(p[:, 0], p[:, 1], z),
            tx=t,
            ty=t,
            kx=1,
            ky=1,
            task=-1,
            xb=-0.1,
            xe=4.1,
            yb=-0.1,
            ye=4.1,
            full_output=1,
        )
        return interpolate.bisplev(SORTED, SORTED, tck)

    check_slope(lambda p, z: f(p, z, np.array(ENDS)), POINTS, VALUES)


def test_polynomials_as_tuples():
    """SciPy chose no inner knots."""
    check_slope(
        lambda p, z: interpolate.bisplev(1.3, 2.1, interpolate.bisplrep(p[:, 0], p[:, 1], z, s=1e3)),
        POINTS,
        VALUES,
    )


def test_second_derivatives():
    """Along values and places."""

    def f(u):
        return np.sum(Rect(X, Y, Z * u[0])(SORTED + u[1], SORTED) ** 2)

    check_along(f, np.array([1.0, 0.1]), np.array([0.3, -0.2]))


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (
            lambda z: interpolate.SmoothBivariateSpline(POINTS[:, 0], POINTS[:, 1], z, kx=1, ky=1, s=0.5).ev(
                1.0, 1.0
            ),
            *(NotImplementedError, "write `LSQBivariateSpline`"),
        ),
        (
            lambda z: interpolate.LSQBivariateSpline(
                *(POINTS[:9, 0], POINTS[:9, 1], z[:9], INNER, INNER), kx=1, ky=1
            ).ev(1.0, 1.0),
            *(np.linalg.LinAlgError, "points do not determine them"),
        ),
        (lambda z: np.sum(Rect(X, Y, Z, s=1.0 + z[0])(SORTED, SORTED)), NotImplementedError, "by `s`"),
    ],
)
@pytest.mark.every_case
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_refusals(call, error, says):
    """Knots that move with the points, too few points, and how smooth a spline is."""
    with pytest.raises(error, match=says):
        grad(call)(VALUES)


@pytest.mark.every_case
@pytest.mark.parametrize(("shift", "k"), [(0.0, 1), (5.0, 2), (-7.0, 3)])
def test_ends_of_knots_by_default(shift, k):
    """Without a box the knots end at a point, or beyond all knots, with which the end moves."""

    def fitted(points, values):
        x, y = points.T
        spline = interpolate.LSQBivariateSpline(x, y, values, [np.mean(x)], [np.mean(y)], kx=k, ky=k)
        return np.concatenate([spline.get_knots()[0], np.tanh(spline.get_coeffs())])

    check_slope(fitted, POINTS[:25] + np.array([shift, 1.0]), VALUES[:25], rtol=1e-5)
