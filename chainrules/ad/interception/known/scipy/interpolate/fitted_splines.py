"""Splines through points or near to them, which SciPy makes, and whose coefficients are refined.

What follows from the points is the knots, which are points or in the middle of two, and the coefficients,
which solve linear systems: see `chainrules.ad.interception.known.scipy.interpolate.fits`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.interception.known.scipy.interpolate.fits import (
    Fit,
    as_array,
    called,
    chosen_knots,
    columns_of,
    continued_knots,
    default_knots,
    interpolated,
    part_of,
    rows_at,
    through,
    with_parts,
)
from chainrules.ad.values.facts import fact
from chainrules_core import primal_of


def _spline(made: Any, t: Any, c: Any) -> Any:
    """A spline like one that SciPy made."""
    return with_parts(made, t=t, c=np.reshape(c, part_of(made, "c").shape))


def _interpolating(  # noqa: PLR0913, PLR0917 - SciPy's
    made: Any, x: Any, y: Any, k: int, t: Any, bc_type: Any, axis: int, **_options: Any
) -> Any:
    """The function for the place of `make_interp_spline`."""
    x, y = as_array(x), columns_of(as_array(y), axis)
    if not part_of(made, "c").size:
        return made
    is_periodic = isinstance(bc_type, str) and bc_type == "periodic"
    if k == 0:
        return _spline(made, np.concatenate([x, x[-1:]]), y)
    if t is None and primal_of(x) is x:
        t = part_of(made, "t")
    elif t is None:
        t = default_knots(x, k, is_periodic, bc_type is None or bc_type == "not-a-knot")
    if k == 1 and len(primal_of(t)) == len(x) + 2 and not is_periodic:
        return _spline(made, t, y)
    known = np.reshape(part_of(made, "c"), (len(part_of(made, "c")), -1))
    if is_periodic:
        n = len(x) - 1
        c = interpolated(t, k, x[:-1], y[:-1], known[:n], n)
        return _spline(made, t, c[np.arange(n + k) % n])
    parts, right = [], []
    sides = [bc_type] * 2 if bc_type is None or isinstance(bc_type, str) else bc_type
    for side, end in zip(sides, (x[:1], x[-1:]), strict=True):
        for order, value in _conditions(side):
            parts.append(rows_at(t, k, end, order))
            right.append(np.broadcast_to(np.reshape(value, (1, -1)), (1, y.shape[1])))
    if not parts:
        return _spline(made, t, interpolated(t, k, x, y, known))
    return _spline(made, t, through([rows_at(t, k, x), *parts], [y, *right], known))


def _conditions(side: Any) -> Any:
    """The orders and values of the derivatives that are given at an end."""
    if side is None or (isinstance(side, str) and side == "not-a-knot"):
        return []
    return {"clamped": [(1, 0.0)], "natural": [(2, 0.0)]}[side] if isinstance(side, str) else side


def _least_squares(  # noqa: PLR0913, PLR0917 - SciPy's
    made: Any, x: Any, y: Any, t: Any, k: int, w: Any, axis: int, **_options: Any
) -> Any:
    """The function for the place of `make_lsq_spline`."""
    x, y = as_array(x), columns_of(as_array(y), axis)
    fit = Fit(as_array(t), k, x, y, np.ones(len(x)) if w is None else as_array(w))
    c, _ = fit.coefficients(np.reshape(made.c, (len(made.c), -1)), False)
    return _spline(made, fit.t, c)


def _refit(  # noqa: PLR0913, PLR0917 - a spline, and what it was fitted to
    t: Any, c: Any, k: int, x: Any, y: Any, w: Any, s: Any, inner: Any, ends: Any, is_periodic: bool
) -> tuple[Any, Any, Any]:
    """The knots, the coefficients, and the sum of squares of a spline that SciPy fitted to columns `y`."""
    if primal_of(s) is not s:
        raise NotImplementedError(
            "SciPy finds a smoothing spline to one digit in a thousand, so that it has no derivative by `s`: "
            "write `make_smoothing_spline`, and differentiate by `lam`."
        )
    ends = tuple(x[at] if end is None else end for at, end in zip((0, -1), ends, strict=True))
    if inner is None:
        is_known = all(primal_of(part) is part for part in (x, *ends))
        knots = t if is_known else chosen_knots(t, k, x, ends, is_periodic)
    else:
        knots = continued_knots(as_array(inner), k, ends, is_periodic)
    fit = Fit(knots, k, x, y, np.ones(len(x)) if w is None else as_array(w), is_periodic)
    return knots, *fit.coefficients(c, inner is None and s != 0)


def _splrep(result: Any, **given: Any) -> Any:
    """The function for the place of `_fitpack_impl.splrep`."""
    tck, *rest = result if given["full_output"] else [result]
    t, c, k = tck
    n, x, w, s, inner = len(t) - k - 1, as_array(given["x"]), given["w"], given["s"], given["t"]
    s = (0.0 if w is None else 1.0) if s is None else s
    y, ends = as_array(given["y"])[:, np.newaxis], (given["xb"], given["xe"])
    t, new, squares = _refit(t, c[:n, np.newaxis], k, x, y, w, s, inner, ends, bool(given["per"]))
    tck = t, np.concatenate([new[:, 0], c[n:]]), k
    return (tck, squares, *rest[1:]) if rest else tck


def _splprep(result: Any, **given: Any) -> Any:
    """The function for the place of `_fitpack_impl.splprep`."""
    (tck, _), *rest = result if given["full_output"] else [result]
    t, c, k = tck
    y = np.transpose(as_array(given["x"]))
    u = _lengths_along(y) if given["u"] is None else as_array(given["u"])
    inner, s, is_periodic = given["t"], given["s"], bool(given["per"])
    ends = (given["ub"], given["ue"]) if given["u"] is not None else (None, None)
    if given["task"] == -1:
        inner = as_array(inner)[k + 1 : -k - 1]
    s = 1.0 if s is None else s
    t, new, squares = _refit(t, np.stack(c, axis=1), k, u, y, given["w"], s, inner, ends, is_periodic)
    curve = [t, [new[:, i] for i in range(y.shape[1])], k], u
    return (curve, squares, *rest[1:]) if rest else curve


def _lengths_along(points: Any) -> Any:
    """How far each point is along a polygon, of its whole length."""
    steps = np.sqrt(np.sum((points[1:] - points[:-1]) ** 2, axis=1))
    along = np.concatenate([0.0 * steps[:1], np.cumsum(steps)])
    return along / along[-1]


def _smoothing(made: Any, **given: Any) -> Any:
    """The function for the place of `make_splrep` where it smooths."""
    x, y, is_periodic = (
        as_array(given["x"]),
        columns_of(as_array(given["y"]), 0),
        given.get("bc_type") == "periodic",
    )
    inner = given["t"] if given["t"] is None else as_array(given["t"])[made.k + 1 : -made.k - 1]
    c = np.reshape(made.c, (len(made.c), -1))
    t, c, _ = _refit(
        made.t, c, made.k, x, y, given["w"], given["s"], inner, (given["xb"], given["xe"]), is_periodic
    )
    return _spline(made, t, c)


def _smoothing_curve(result: Any, **given: Any) -> Any:
    """The function for the place of `make_splprep` where it smooths."""
    made, _ = result
    y = np.transpose(as_array(given["x"]))
    u = _lengths_along(y) if given["u"] is None else as_array(given["u"])
    inner = given["t"] if given["t"] is None else as_array(given["t"])[made.k + 1 : -made.k - 1]
    is_periodic, ends = given.get("bc_type") == "periodic", (given["ub"], given["ue"])
    t, c, _ = _refit(made.t, made.c, made.k, u, y, given["w"], given["s"], inner, ends, is_periodic)
    return _spline(made, t, c), u


def _where_it_smooths(given: Callable[..., Any]) -> Callable[..., Any]:
    """Without smoothing SciPy calls `make_interp_spline`, which is followed."""

    def wrapped(make: Any) -> Callable[..., Any]:
        smoothing, otherwise = called(make, given), entered_if_traced(make)

        def call(*args: Any, s: Any = 0, **kwargs: Any) -> Any:
            f = otherwise if primal_of(s) is s and s == 0 else smoothing
            return f(*args, s=s, **kwargs)

        return call

    return wrapped


def _univariate(init: Any) -> Callable[..., Any]:
    """The function for the place of the constructors of `UnivariateSpline` and its kin."""

    def given(  # noqa: PLR0913, PLR0917 - SciPy's
        _result: Any, self: Any, x: Any, y: Any, w: Any, bbox: Any, t: Any = None, s: Any = 0.0, **_: Any
    ) -> None:
        data = list(self._data)
        t0, c0, k = self._eval_args
        s = data[6] if primal_of(s) is s else s
        x, y, n = as_array(x), as_array(y), len(t0) - k - 1
        t, c, squares = _refit(t0, c0[:n, np.newaxis], k, x, y[:, np.newaxis], w, s, t, bbox, False)
        places = data[8].shape[0] - len(t0), data[9].shape[0] - n
        data[0], data[1], data[10] = x, y, squares
        data[8], data[9] = (
            np.concatenate([new, np.zeros(more)]) for new, more in zip((t, c[:, 0]), places, strict=True)
        )
        self._data, self._eval_args = tuple(data), (t, np.concatenate([c[:, 0], c0[n:]]), k)

    return called(init, given)


def _fitting_anew(method: Any) -> Callable[..., Any]:
    """The function for the place of `UnivariateSpline.set_smoothing_factor`."""

    def call(self: Any, s: Any) -> None:
        raise NotImplementedError(
            "`UnivariateSpline.set_smoothing_factor` goes on from knots that were found before: write "
            "`UnivariateSpline(x, y, s=s)`, which has derivatives."
        )

    return entered_if_traced(method, call)


fact("scipy.interpolate._fitpack2.UnivariateSpline.set_smoothing_factor", wrapped=_fitting_anew)
fact("scipy.interpolate._bsplines.make_interp_spline", wrapped=lambda f: called(f, _interpolating))
fact("scipy.interpolate._bsplines.make_lsq_spline", wrapped=lambda f: called(f, _least_squares))
fact("scipy.interpolate._fitpack_impl.splrep", wrapped=lambda f: called(f, _splrep))
fact("scipy.interpolate._fitpack_impl.splprep", wrapped=lambda f: called(f, _splprep))
fact("scipy.interpolate._fitpack_repro.make_splrep", wrapped=_where_it_smooths(_smoothing))
fact("scipy.interpolate._fitpack_repro.make_splprep", wrapped=_where_it_smooths(_smoothing_curve))
fact(
    "scipy.interpolate._fitpack2.UnivariateSpline.__init__",
    "scipy.interpolate._fitpack2.InterpolatedUnivariateSpline.__init__",
    "scipy.interpolate._fitpack2.LSQUnivariateSpline.__init__",
    wrapped=_univariate,
)
