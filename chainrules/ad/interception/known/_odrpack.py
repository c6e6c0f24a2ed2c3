"""Orthogonal distance regression: ODRPACK finds the fit, which is differentiated as one of least squares.

`scipy.odr` calls it under the name `_odrpack.odr`.

P. T. Boggs, R. H. Byrd and R. B. Schnabel, "A stable and efficient algorithm for nonlinear orthogonal
distance regression", SIAM Journal on Scientific and Statistical Computing 8 (1987). The parameters β and the
errors δ of the points minimise ``Σ we (f(x + δ; β) - y)² + wd δ²``, or with δ = 0 in a fit of ordinary least
squares.
"""

from collections.abc import Callable
from typing import Any

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
        f = choose(fcn)
        given = {"we": plain(we), "wd": plain(wd), "ifixx": ifixx, "ifixb": ifixb}
        given |= {"fjacb": _without_tangents(fjacb), "fjacd": _without_tangents(fjacd)}
        given = {name: value for name, value in given.items() if value is not None}
        whole = odr(
            _without_tangents(fcn), plain(beta0), plain(y), plain(x), extra_args=plain(extra), job=job,
            full_output=1, **given, **named,
        )  # fmt: skip
        beta, deviations, covariances, found = whole
        seen = f(beta, np.asarray(plain(x)) + found["delta"], *extra)
        if not any(map(contains_carrier, (seen, x, y, we, wd))):
            return whole if full_output else whole[:3]
        _refuse(rest or job % 10 == 1 or ifixx is not None, "implicit models, and points that are fixed")
        x, y = as_array(x), as_array(y)
        root_we, root_wd = _root(we, y), _root(wd, x)
        is_free = np.ones(len(beta), bool) if ifixb is None else np.asarray(ifixb) != 0
        free, with_errors = np.eye(len(beta))[:, is_free], job % 10 == 0

        def parts(u: Any) -> tuple[Any, Any]:
            count = free.shape[1]
            delta = np.reshape(u[count:], np.shape(x)) if with_errors else np.zeros(np.shape(x))
            return np.where(is_free, 0.0, beta) + free @ u[:count], delta

        def residuals(u: Any) -> Any:
            beta, delta = parts(u)
            distances = np.ravel(root_we * (f(beta, x + delta, *extra) - y))
            return np.concatenate([distances, np.ravel(root_wd * delta)]) if with_errors else distances

        from scipy.optimize import least_squares  # noqa: PLC0415 - it takes long to import

        start = np.concatenate([beta[is_free], np.ravel(found["delta"])]) if with_errors else beta[is_free]
        u = choose(least_squares)(residuals, start, xtol=1e-15, ftol=1e-15, gtol=1e-15).x
        u = u + (start - primal_of(u))  # what ODRPACK found, to the last digit
        beta, delta = parts(u)
        fitted = f(beta, x + delta, *extra)
        of_y = np.sum((root_we * (fitted - y)) ** 2)
        of_x = np.sum((root_wd * delta) ** 2)
        unknown = unknown_slope(of_y)
        freedom = found["sum_square"] / found["res_var"] if found["res_var"] else np.inf
        results = beta, deviations + unknown, covariances + unknown
        if not full_output:
            return results
        known = {"beta": beta, "delta": delta, "eps": fitted - y, "xplus": x + delta, "y": fitted}
        known |= {"sum_square": of_y + of_x, "sum_square_delta": of_x, "sum_square_eps": of_y}
        known["res_var"] = (of_y + of_x) / freedom
        return *results, found | {name: part for name, part in known.items() if name in found}

    return entered_if_traced(odr, call)


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
