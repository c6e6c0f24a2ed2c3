"""Orthogonal distance regression: ODRPACK finds the fit, which is differentiated as one of least squares.

`scipy.odr` calls it under the name `_odrpack.odr`.

P. T. Boggs, R. H. Byrd and R. B. Schnabel, "A stable and efficient algorithm for nonlinear orthogonal
distance regression", SIAM Journal on Scientific and Statistical Computing 8 (1987). The parameters β and the
errors δ of the points minimise ``Σ we (f(x + δ; β) - y)² + wd δ²``, or with δ = 0 in a fit of ordinary least
squares.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.interception.known.scipy.interpolate.fits import as_array, plain
from chainrules.ad.values.facts import fact
from chainrules.operations.unknown_slopes import unknown_slope
from chainrules_core import contains_carrier, primal_of


def _regressing(odr: Any) -> Callable[..., Any]:
    """The function for the place of `odr`."""

    def call(  # noqa: PLR0913, PLR0917 - the first ones that the function has
        fcn: Any,
        beta0: Any,
        y: Any,
        x: Any,
        we: Any = None,
        wd: Any = None,
        fjacb: Any = None,
        fjacd: Any = None,
        extra_args: Any = None,
        ifixx: Any = None,
        ifixb: Any = None,
        job: int = 0,
        *rest: Any,
        full_output: int = 0,
        **named: Any,
    ) -> Any:
        extra, job = tuple(extra_args or ()), job or 0
        given = {"we": plain(we), "wd": plain(wd), "ifixx": ifixx, "ifixb": ifixb}
        given |= {"fjacb": _without_tangents(fjacb), "fjacd": _without_tangents(fjacd)}
        given = {name: value for name, value in given.items() if value is not None}
        whole = odr(
            _without_tangents(fcn), plain(beta0), plain(y), plain(x), extra_args=plain(extra), job=job,
            full_output=1, **given, **named,
        )  # fmt: skip
        beta, found = whole[0], whole[3]
        f = choose(fcn)
        seen = f(beta, np.asarray(plain(x)) + found["delta"], *extra)
        if not any(map(contains_carrier, (seen, x, y, we, wd))):
            return whole if full_output else whole[:3]
        _refuse(rest or job % 10 == 1 or ifixx is not None, "implicit models, and points that are fixed")
        is_free = np.ones(len(beta), bool) if ifixb is None else np.asarray(ifixb) != 0
        x, y = as_array(x), as_array(y)
        roots = _root(we, y), _root(wd, x)
        fit = _Fit(lambda beta, x: f(beta, x, *extra), x, y, *roots, beta, is_free, job % 10 == 0)
        return _results(fit, _minimum(fit, found["delta"]), whole, full_output)

    return entered_if_traced(odr, call)


class _Fit(NamedTuple):
    """A problem of least squares, whose unknowns are the free parameters, and the errors of the points.

    Attributes
    ----------
    f, x, y
        The model, a function of the parameters and the points; the points, and the values there.
    root_we, root_wd
        The roots of the weights of the values, and of the points.
    beta, is_free
        The parameters that were found, and which of them are free.
    with_errors
        Whether the points have errors.
    """

    f: Any
    x: Any
    y: Any
    root_we: Any
    root_wd: Any
    beta: Any
    is_free: Any
    with_errors: bool


def _parts(fit: _Fit, u: Any) -> tuple[Any, Any]:
    """The parameters and the errors of the points."""
    free, shape = np.eye(len(fit.beta))[:, fit.is_free], np.shape(fit.x)
    count = free.shape[1]
    delta = np.reshape(u[count:], shape) if fit.with_errors else np.zeros(shape)
    return np.where(fit.is_free, 0.0, fit.beta) + free @ u[:count], delta


def _residuals(fit: _Fit, u: Any) -> Any:
    """What is squared, summed and minimised."""
    beta, delta = _parts(fit, u)
    distances = np.ravel(fit.root_we * (fit.f(beta, fit.x + delta) - fit.y))
    return np.concatenate([distances, np.ravel(fit.root_wd * delta)]) if fit.with_errors else distances


def _minimum(fit: _Fit, delta: Any) -> tuple[Any, Any]:
    """The parameters and the errors of the points, found from those that ODRPACK found."""
    from scipy.optimize import least_squares  # noqa: PLC0415 - it takes long to import

    start = fit.beta[fit.is_free]
    start = np.concatenate([start, np.ravel(delta)]) if fit.with_errors else start
    u = choose(least_squares)(partial(_residuals, fit), start, xtol=1e-15, ftol=1e-15, gtol=1e-15).x
    return _parts(fit, u + (start - primal_of(u)))  # what ODRPACK found, to the last digit


def _results(fit: _Fit, minimum: tuple[Any, Any], whole: Any, full_output: int) -> Any:
    """What `odr` returned, as functions of what the fit depends on."""
    (beta, delta), (_, deviations, covariances, found) = minimum, whole
    fitted = fit.f(beta, fit.x + delta)
    of_y = np.sum((fit.root_we * (fitted - fit.y)) ** 2)
    of_x = np.sum((fit.root_wd * delta) ** 2)
    unknown = unknown_slope(of_y)
    results = beta, deviations + unknown, covariances + unknown
    if not full_output:
        return results
    freedom = found["sum_square"] / found["res_var"] if found["res_var"] else np.inf
    known = {"beta": beta, "delta": delta, "eps": fitted - fit.y, "xplus": fit.x + delta, "y": fitted}
    known |= {"sum_square": of_y + of_x, "sum_square_delta": of_x, "sum_square_eps": of_y}
    known["res_var"] = (of_y + of_x) / freedom
    return *results, found | {name: part for name, part in known.items() if name in found}


def _without_tangents(f: Any) -> Any:
    return None if f is None else lambda *args: plain(f(*args))


def _root(weights: Any, like: Any) -> Any:
    """The roots of weights: of one for all, or of one for each number."""
    if weights is None:
        return 1.0
    weights = as_array(weights)
    shape = np.shape(weights)
    is_for_each = shape == np.shape(like) and (len(shape) == 1 or shape[0] != shape[1])
    _refuse(shape != () and not is_for_each, "weights that are matrices")
    _refuse(bool(np.any(primal_of(weights) <= 0.0)), "weights that are not positive")
    return np.sqrt(weights)


def _refuse(is_so: Any, of: str) -> None:
    if is_so:
        raise NotImplementedError(
            f"A fit of `scipy.odr` has no derivatives with {of}: write `scipy.optimize.least_squares`."
        )


fact("_odrpack.odr", wrapped=_regressing)
