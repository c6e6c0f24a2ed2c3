"""Sparse arrays, decompositions and objects of SciPy in recorded programs: what they hold is compared."""

import numpy as np
import pytest
from scipy import interpolate, linalg, signal, sparse
from scipy.sparse.linalg import splu, spsolve

from chainrules.ad import grad, hessian, jacobian
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.refused import CompilationError
from tests.chainrules.ad.recording.agreement import agrees

# What is refused has a line each, which the sample is to reach.
pytestmark = pytest.mark.every_case

POINTS = [(np.array(x),) for x in ([0.3, 1.2, 2.5, 0.7], [-0.3, 4.0, 2.5, 1.5], [5.0, 4.0, 3.0, -2.0])]
X = POINTS[0][0]
BASE = np.array([[4.0, 1.0, 0.0, 0.5], [1.0, 5.0, 0.2, 0.0], [0.0, 0.2, 6.0, 1.0], [0.5, 0.0, 1.0, 7.0]])
BANDS = np.array([[0.0, 1.0, 1.0, 1.0], [4.0, 5.0, 4.0, 5.0], [1.0, 1.0, 1.0, 0.0]])
PLACES, HEIGHTS = np.arange(4.0), np.array([0.5, 1.0, -0.5, 2.0])
CHOLESKY, LU, SUPER = linalg.cho_factor(BASE), linalg.lu_factor(BASE), splu(sparse.csc_array(BASE))


def filled_bands(x):
    """Bands that the program writes into before they are factored."""
    bands = np.zeros((3, 4))
    bands[0, 1:], bands[1], bands[2, :-1] = x[1:], 20.0, x[:-1]
    return np.sum(linalg.solve_banded((1, 1), bands, np.ones(4)) ** 2)


def by_cholesky(x):
    """As a Gaussian process has it."""
    L = linalg.cholesky(BASE + np.diag(x * x), lower=True)
    return x @ linalg.cho_solve((L, True), x) + 2.0 * np.sum(np.log(np.diag(L)))


@pytest.mark.parametrize(
    "f",
    [
        filled_bands,
        by_cholesky,
        lambda x: x @ linalg.solve(BASE, x),
        lambda x: x @ linalg.solve(BASE + np.diag(x * x), x, assume_a="pos"),
        lambda x: np.sum(linalg.solve(BASE * x[1], np.outer(x, x), transposed=True)),
        lambda x: x @ linalg.solve_triangular(np.triu(BASE) + np.diag(x * x), x),
        lambda x: x @ linalg.solve_triangular(BASE, x, lower=True, trans="T"),
        lambda x: x @ linalg.lu_solve(linalg.lu_factor(BASE + np.diag(x * x)), x),
        lambda x: x @ linalg.lu_solve(LU, x) + x @ linalg.cho_solve(CHOLESKY, x),
        lambda x: x @ linalg.solve_banded((1, 1), BANDS, x) + np.sum(linalg.solveh_banded(BANDS[:2], x)),
        lambda x: np.sum(np.linalg.lstsq(BASE[:, :2] * x[0], x, rcond=None)[0] ** 2),
        lambda x: np.sum(signal.savgol_filter(x, 3, 1) ** 2) + np.sum(signal.detrend(x) ** 2),
    ],
)
def test_solvers(f):
    """A matrix is factored once for a value and its gradient, and anew at each call."""
    agrees(f, POINTS)
    agrees(grad(f), POINTS)
    agrees(grad(f), POINTS[::-1])


def test_solvers_in_jacobians():
    """Cotangents of all rows are solved for by one factorization."""

    def f(x):
        return linalg.cho_solve(linalg.cho_factor(BASE + np.diag(x * x)), x * x)

    agrees(jacobian(f), POINTS)
    agrees(hessian(lambda x: np.sum(f(x) ** 2)), POINTS)


def test_errors_of_solvers():
    """What is not finite or singular is an error of the function itself."""
    f = grad(lambda x: x @ linalg.solve(np.diag(x), x))
    c = compiled(f, strict=True)
    np.testing.assert_array_equal(c(X), f(X))
    for x, error in ((np.array([1.0, np.inf, 1.0, 1.0]), ValueError), (np.zeros(4), np.linalg.LinAlgError)):
        for _ in range(2):
            with pytest.raises(error):
                c(x)
    np.testing.assert_array_equal(c(2.0 * X), f(2.0 * X))


def test_a_matrix_that_is_written_into_after_it_was_factored():
    """Factors that are given lie in its memory."""

    def f(x):
        L = np.array(x)[:, None] * np.eye(4)
        y = linalg.cho_solve((L, True), x)
        L[0, 0] = 3.0
        return np.sum(y) + np.sum(L)

    try:
        agrees(f, POINTS)
    except CompilationError as error:
        assert "into a matrix that was factored" in str(error)  # noqa: PT017 - either is right


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr", "dia"])
def test_sparse_arrays_from_outside(form):
    """Their elements are compared, and so is everything else that they hold."""
    A = sparse.csr_matrix(BASE).asformat(form)
    f = grad(lambda x: np.sum((A @ x) ** 2) + np.sum(A.T @ (x * x)) + x @ A.dot(x))
    c = compiled(f, strict=True)
    for change in (lambda: None, lambda: A.data.__imul__(2.0), lambda: setattr(A, "data", A.data + 1.0)):
        change()
        for (x,) in (*POINTS, *POINTS):
            np.testing.assert_allclose(c(x), f(x), rtol=1e-12)
    assert any(variant.calls for variant in c.variants)


def test_sparse_arrays_that_a_program_makes():
    """They are constants, as they were when they were used; decisions may make others."""

    def f(x):
        A = sparse.diags([1.0, -2.0, 1.0], [-1, 0, 1], shape=(4, 4)).tocsr()
        y = A @ x
        A.data[:] = 3.0 if x[0] > 0.0 else 5.0
        return np.sum((A @ y) ** 2) + np.sum(spsolve(sparse.csc_array(BASE), x)) + x @ SUPER.solve(x)

    agrees(grad(f), POINTS)
    agrees(grad(f), POINTS[::-1])


def test_sparse_arrays_of_values_are_refused():
    """Nothing is recorded of what they store, nor of a result that is one."""
    for A in (sparse.csr_array(BASE), SUPER):
        with pytest.raises(CompilationError, match="it returns an instance of"):
            compiled(lambda x, A=A: (np.sum(x), A), strict=True)(X)
    with pytest.raises(CompilationError, match="an instance of dia_matrix"):
        compiled(grad(lambda x: np.sum(sparse.diags(x) @ x)), strict=True)(X)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum(interpolate.CubicSpline(PLACES, x, bc_type="natural")(np.linspace(0.1, 2.9, 5), 1)),
        lambda x: np.sum(interpolate.CubicSpline(np.cumsum(x * x + 0.1), x)(np.linspace(0.1, 2.9, 5)) ** 2),
        lambda x: interpolate.PchipInterpolator(PLACES, x).integrate(0.3, 2.0) ** 2,
        lambda x: np.sum(interpolate.Akima1DInterpolator(PLACES, x)(np.abs(np.sin(x)))),
        lambda x: np.sum(interpolate.make_interp_spline(PLACES, x)(np.linspace(0.1, 2.9, 5)) ** 2),
        lambda x: np.sum(interpolate.interp1d(PLACES, x, fill_value="extrapolate")(x) ** 2),
        lambda x: np.sum(interpolate.RegularGridInterpolator((PLACES,), x)(np.abs(np.sin(x))[:, None]) ** 2),
        lambda x: np.sum(interpolate.BSpline(np.arange(8.0), x, 3)(np.linspace(3.1, 3.9, 3)) ** 2),
    ],
)
def test_interpolators_of_values(f):
    """What SciPy makes of values is computed at each call."""
    agrees(grad(f), POINTS)
    agrees(grad(f), POINTS[::-1])


def test_interpolators_without_derivatives():
    """A recorded array is one, and no list of arrays."""
    agrees(lambda x: interpolate.CubicSpline(PLACES, np.sin(x))(0.3), POINTS)


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (interpolate.CubicSpline, "c"),
        (interpolate.PchipInterpolator, "c"),
        (interpolate.make_interp_spline, "c"),
        (interpolate.interp1d, "y"),
        (lambda x, y: interpolate.RegularGridInterpolator((x,), y), "values"),
    ],
)
def test_interpolators_from_outside(make, name):
    """Their elements are compared, and their attributes."""
    g = make(PLACES, HEIGHTS)

    def f(x):
        return np.sum(g(np.abs(np.sin(x))[:, None] if name == "values" else np.abs(np.sin(x))) ** 2)

    c, f = compiled(grad(f), strict=True), grad(f)
    for change in (lambda: None, lambda: getattr(g, name).__imul__(2.0)):
        change()
        for (x,) in (*POINTS, *POINTS):
            np.testing.assert_allclose(c(x), f(x), rtol=1e-12)
    assert any(variant.calls for variant in c.variants)


def test_an_interpolator_that_is_replaced():
    """By another one."""
    spline = interpolate.CubicSpline(PLACES, HEIGHTS)
    f = grad(lambda x: np.sum(spline(x) * SCALE[0](x)))
    c = compiled(f, strict=True)
    for other in (spline, interpolate.CubicSpline(PLACES, 2.0 * HEIGHTS), spline.derivative()):
        SCALE[0] = other
        for _ in range(2):
            np.testing.assert_allclose(c(X), f(X), rtol=1e-12)


SCALE = [None]
