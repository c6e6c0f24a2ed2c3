"""The rules of least-squares fits: against differences of fits to nearby data, in both modes."""

import numpy as np
import pytest
from scipy.optimize import Bounds, curve_fit, least_squares, leastsq, root

from chainrules.ad import ADConfig, grad, hessian, jvp
from chainrules_core import DerivativeNotImplementedError, NoDerivativeError, frule, rrule
from chainrules_testutils.testers.exercised import record_exercised

rng = np.random.default_rng(0)
T = np.linspace(0.0, 2.0, 7)
Y = 1.3 * np.exp(-0.7 * T) + 0.1 * rng.normal(size=7)
SIGMA = 0.1 + 0.05 * rng.uniform(size=7)
A = rng.normal(size=(7, 7))
COVARIANCE = 0.05 * np.eye(7) + 0.01 * A @ A.T / 7
TOLERANCES = {"ftol": 1e-15, "xtol": 1e-15, "gtol": 1e-15}


def model(t, a, b):
    """A decay."""
    return a * np.exp(-b * t)


def slopes(t, a, b):
    """Its derivatives by the parameters."""
    return np.stack([np.exp(-b * t), -a * t * np.exp(-b * t)], axis=-1)


def fit(y, **options):
    """By `least_squares`."""
    jac = options.pop("jac", lambda x: slopes(T, *x))
    return least_squares(lambda x: model(T, *x) - y, [1.0, 1.0], jac, **TOLERANCES, **options)


def curve(x=T, y=Y, **options):
    """By `curve_fit`, with bounds that hold nothing, so that the search stops by its gradient."""
    options = {"bounds": (0.0, 9.0), "jac": slopes} | TOLERANCES | options
    return curve_fit(model, x, y, [1, 1], **options)


FITS = {
    "x": lambda y: fit(y).x,
    "cost": lambda y: fit(y).cost,
    "fun": lambda y: fit(y).fun,
    "jac": lambda y: fit(y).jac,
    "lm": lambda y: fit(y, method="lm").x,
    "args": lambda y: (
        least_squares(
            lambda x, y: model(T, *x) - y, [1, 1], lambda x, y: slopes(T, *x), args=(y,), **TOLERANCES
        ).x
    ),
    "kwargs": lambda y: (
        least_squares(
            lambda x, *, y: model(T, *x) - y,
            [1, 1],
            lambda x, *, y: slopes(T, *x),
            kwargs={"y": y},
            **TOLERANCES,
        ).x
    ),
    "bounds": lambda y: fit(y, bounds=([0.0, 0.0], [1.2, 9.0])).x,
    "traced bounds": lambda y: fit(y, bounds=Bounds(0.0, np.stack([1.1 + 0.1 * y[0], 9.0]))).x,
    **{
        loss: lambda y, loss=loss: fit(y, loss=loss, f_scale=0.04 + 0.01 * y[0]).x
        for loss in ("soft_l1", "huber", "cauchy", "arctan")
    },
    "callable loss": lambda y: (
        fit(y, loss=lambda z: np.stack([np.log1p(z), 1 / (1 + z), -1 / (1 + z) ** 2])).x
    ),
    "leastsq": lambda y: leastsq(
        lambda x: model(T, *x) - y, [1, 1], Dfun=lambda x: slopes(T, *x), **TOLERANCES
    )[0],
    "cov_x": lambda y: leastsq(
        lambda x, y: model(T, *x) - y,
        [1, 1],
        (y,),
        Dfun=lambda x, y: slopes(T, *x),
        full_output=True,
        **TOLERANCES,
    )[1],
    "ydata": lambda y: curve(y=y)[0],
    "lists": lambda y: curve(x=list(T), y=[*y], full_output=True)[0],
    "xdata": lambda y: curve(x=T + 0.1 * y)[0],
    "sigma": lambda y: curve(sigma=SIGMA + 0.03 * y)[0],
    "one sigma": lambda y: curve(sigma=y[0], absolute_sigma=True, jac=None)[1],
    "covariance": lambda y: curve(sigma=COVARIANCE + np.diag(0.03 * y))[0],
    "pcov": lambda y: curve(y=y)[1],
    "pcov by sigma": lambda y: curve(sigma=SIGMA + 0.03 * y, absolute_sigma=True)[1],
    "pcov by covariance": lambda y: curve(sigma=COVARIANCE + np.diag(0.03 * y))[1],
}


@pytest.mark.parametrize("name", FITS)
def test_fits(name):
    """By data, weights, bounds and what the function holds; parameters and what is computed from them."""
    weights = np.random.default_rng(1).normal(size=np.shape(FITS[name](Y)))

    def f(y):
        return np.sum(weights * FITS[name](y))

    direction = np.cos(np.arange(7.0))
    h = 1e-3 * direction  # a fit ends at a distance of 1e-9 from the minimum
    near, far = (f(Y + k * h) - f(Y - k * h) for k in (1, 2))
    expected = (8.0 * near - far) / 12e-3
    np.testing.assert_allclose(grad(f)(Y) @ direction, expected, rtol=1e-4)
    np.testing.assert_allclose(jvp(f, (Y,), (direction,))[1], grad(f)(Y) @ direction, rtol=1e-7, atol=1e-12)
    for solver in (least_squares, leastsq, curve_fit):
        record_exercised(solver, frule.find(ADConfig(), (None,) * 3, solver, model, T))
        record_exercised(solver, rrule.find(ADConfig(), solver, model, T))


def test_second_order():
    """The Hessian is the true one, so that derivatives of a fit with large residuals are exact."""

    def by_root(y):
        return root(lambda x: slopes(T, *x).T @ (model(T, *x) - y), [1.0, 0.7], tol=1e-13).x

    y = np.round(Y + 0.3 * np.cos(9.0 * T), 2)
    np.testing.assert_allclose(grad(lambda y: fit(y).x[1])(y), grad(lambda y: by_root(y)[1])(y), rtol=1e-6)
    expected = hessian(lambda y: by_root(y)[1])(y)
    np.testing.assert_allclose(hessian(lambda y: fit(y).x[1])(y), expected, rtol=1e-5, atol=1e-8)


def test_conditions():
    """Parameters that the data do not determine have no derivative."""
    with pytest.raises(NoDerivativeError, match="singular, with the condition"):
        grad(lambda y: least_squares(lambda x: x[0] + x[1] - y, [1.0, 1.0]).x[0])(Y)
    with pytest.raises(DerivativeNotImplementedError, match="the field `grad` of the result"):
        grad(lambda y: fit(y).grad[0])(Y)
    with pytest.raises(DerivativeNotImplementedError, match="`nan_policy`"):
        grad(lambda y: curve(y=y, nan_policy="omit")[0][0])(Y)


def test_what_the_model_holds_must_stay():
    """The pullback calls the model again."""

    def f(y):
        times = [T]
        found = least_squares(lambda x: model(times[0], *x) - y, [1.0, 1.0]).x[0]
        times[0] = 2.0 * T
        return found

    with pytest.raises(NoDerivativeError, match="was changed between"):
        grad(f)(Y)
