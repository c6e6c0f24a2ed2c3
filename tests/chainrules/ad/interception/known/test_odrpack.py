"""Orthogonal distance regression."""

import warnings

import numpy as np
import pytest
from scipy import optimize

from chainrules.ad import grad, hvp, jvp
from chainrules_testutils import jvp as differences

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # newer versions of SciPy will not have it
    odr = pytest.importorskip("scipy.odr")

X = np.linspace(0.0, 2.0, 5)
Y = 1.3 * np.exp(0.4 * X) + np.array([0.1, -0.05, 0.08, -0.12, 0.03])
WEIGHTS = np.linspace(0.5, 2.0, 5)
NOTHING = np.zeros(5)


def _curve(beta, x, rate=1.0):
    return beta[0] * np.exp(beta[1] * rate * x)


def _fit(data, model, **options):
    fit_type = options.pop("fit_type", 0)
    fit = odr.ODR(data, model, beta0=[1.0, 0.3], sstol=1e-15, partol=1e-15, **options)
    fit.set_job(fit_type=fit_type)
    return fit.run()


def _least_squares(x, y, we=1.0, wd=1.0, rate=1.0):
    """The same parameters and errors, without ODRPACK."""

    def residuals(u):
        return np.concatenate([np.sqrt(we) * (_curve(u[:2], x + u[2:], rate) - y), np.sqrt(wd) * u[2:]])

    u = optimize.least_squares(
        residuals, np.append([1.0, 0.3], NOTHING), xtol=1e-15, ftol=1e-15, gtol=1e-15
    ).x
    return u[:2], u[2:], np.sum(residuals(u) ** 2)


FITS = {
    "values": (
        lambda y: _fit(odr.Data(X, y), odr.Model(_curve)).beta,
        lambda y: _least_squares(X, y)[0],
        Y,
    ),
    "points": (
        lambda x: _fit(odr.Data(x, Y), odr.Model(_curve)).delta,
        lambda x: _least_squares(x, Y)[1],
        X,
    ),
    "weights": (
        lambda w: _fit(odr.Data(X, Y, we=w, wd=2.0), odr.Model(_curve)).beta,
        lambda w: _least_squares(X, Y, w, 2.0)[0],
        WEIGHTS,
    ),
    "deviations": (
        lambda s: _fit(odr.RealData(X, Y, sx=s, sy=WEIGHTS), odr.Model(_curve)).sum_square,
        lambda s: _least_squares(X, Y, WEIGHTS**-2.0, s**-2.0)[2],
        WEIGHTS,
    ),
    "a model that holds it": (
        lambda v: _fit(odr.Data(X, Y), odr.Model(lambda b, x: _curve(b, x, v[0]))).beta,
        lambda v: _least_squares(X, Y, rate=v[0])[0],
        WEIGHTS,
    ),
    "further arguments": (
        lambda v: _fit(odr.Data(X, Y), odr.Model(_curve, extra_args=(v[0],))).beta,
        lambda v: _least_squares(X, Y, rate=v[0])[0],
        WEIGHTS,
    ),
    "errors of values alone": (
        lambda y: _fit(odr.Data(X, y), odr.Model(_curve), fit_type=2, ifixb=[1, 0]).beta[0],
        lambda y: y @ np.exp(0.3 * X) / np.sum(np.exp(0.6 * X)),
        Y,
    ),
}


@pytest.mark.parametrize("name", FITS)
def test_fits(name):
    """They are those of least squares, and so are their derivatives."""
    f, same, x = FITS[name]
    weights, v = np.array([1.0, 2.0, -1.0, 0.5, 3.0]), np.cos(np.arange(5.0))

    def of(f):
        return lambda x: np.sum(np.ravel(f(x)) * weights[: np.size(f(x))])

    # ODRPACK stops earlier than `least_squares`: derivatives are taken where it stops.
    np.testing.assert_allclose(f(x), same(x), rtol=1e-4, atol=1e-6)
    slope = differences(None, of(same), (x, v))
    np.testing.assert_allclose(grad(of(f))(x) @ v, slope, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(jvp(of(f), (x,), (v,))[1], slope, rtol=1e-4, atol=1e-6)


def test_second_order():
    """Of the function `odr`."""

    def f(y):
        found = odr.odr(lambda beta, x: beta[0] + beta[1] * x, [0.0, 1.0], y, X, sstol=1e-15, partol=1e-15)
        return found[0][1]

    v = np.cos(np.arange(5.0))
    # By differences of first derivatives, right to six digits each: 1e-6 / 2e-3 is lost.
    by_differences = (grad(f)(Y + 1e-3 * v) - grad(f)(Y - 1e-3 * v)) / 2e-3
    np.testing.assert_allclose(hvp(f, Y, v), by_differences, rtol=1e-2, atol=1e-4)


def test_what_has_no_derivatives():
    """Deviations have the derivative NaN; fixed points and weights that are not positive are errors."""
    assert np.all(np.isnan(grad(lambda y: _fit(odr.Data(X, y), odr.Model(_curve)).sd_beta[0])(Y)))
    with pytest.raises(NotImplementedError, match="least_squares"):
        grad(lambda y: _fit(odr.Data(X, y), odr.Model(_curve), ifixx=np.ones(5, int)).beta[0])(Y)
    with pytest.raises(NotImplementedError, match="not positive"):
        grad(lambda y: _fit(odr.Data(X, y, we=np.maximum(X - 0.1, 0.0)), odr.Model(_curve)).beta[0])(Y)
    np.testing.assert_array_equal(
        grad(lambda y: _fit(odr.Data(X, Y), odr.Model(_curve)).beta[0] + np.sum(y))(Y), np.ones(5)
    )
