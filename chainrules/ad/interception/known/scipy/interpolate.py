"""Functions in C that evaluate piecewise polynomials and splines, in NumPy, which can be traced.

The objects of `scipy.interpolate` are made in Python, and calls are followed into their constructors. So a
spline keeps its derivative by points and values.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.values.facts import fact
from chainrules_core import primal_of


def _is_plain(*values: Any) -> bool:
    return all(primal_of(x) is x for x in values)


def _evaluating_polynomials(evaluate: Any) -> Callable[..., Any]:
    """The function for the place of `_ppoly.evaluate`, ``Σ_k c[k] (xp - x[i])^(degree - k)``."""

    def call(  # noqa: PLR0913, PLR0917 - as many as the function has
        c: Any, x: Any, xp: Any, dx: int, extrapolate: bool, out: Any
    ) -> None:
        if _is_plain(c, x, xp, out):
            evaluate(c, x, xp, dx, extrapolate, out)
        else:
            interval, beyond = _places(x, xp, extrapolate)
            out[...] = _polynomials(c, interval, xp - x[interval], dx) + beyond

    return entered_if_traced(evaluate, call)


def _evaluating_bernstein(evaluate: Any) -> Callable[..., Any]:
    """The function for the place of `_ppoly.evaluate_bernstein`, by de Casteljau's algorithm."""

    def call(  # noqa: PLR0913, PLR0917 - as many as the function has
        c: Any, x: Any, xp: Any, nu: int, extrapolate: bool, out: Any
    ) -> None:
        if _is_plain(c, x, xp, out):
            evaluate(c, x, xp, nu, extrapolate, out)
            return
        interval, beyond = _places(x, xp, extrapolate)
        width = (x[interval + 1] - x[interval])[:, np.newaxis]
        s = (xp - x[interval])[:, np.newaxis] / width
        points = [part[interval] for part in c]
        for _ in range(nu):
            degree = len(points) - 1
            if not degree:
                points = [0.0 * points[0]]
                break
            points = [degree * (points[j + 1] - points[j]) / width for j in range(degree)]
        while len(points) > 1:
            points = [(1.0 - s) * points[j] + s * points[j + 1] for j in range(len(points) - 1)]
        out[...] = points[0] + beyond

    return entered_if_traced(evaluate, call)


def _continuing(fix_continuity: Any) -> Callable[..., Any]:
    """The function for the place of `_ppoly.fix_continuity`, which changes the last coefficients."""

    def call(c: Any, x: Any, order: int) -> None:
        if _is_plain(c, x):
            fix_continuity(c, x, order)
            return
        width = (x[1:] - x[:-1])[:, np.newaxis]
        degree = c.shape[0] - 1
        for k in range(order, -1, -1):
            gains = sum(math.comb(j, k) * c[degree - j] * width ** (j - k) for j in range(k + 1, degree + 1))
            first = c[degree - k][:1]
            c[degree - k] = np.concatenate((first, first + np.cumsum(gains[:-1], axis=0)))

    return entered_if_traced(fix_continuity, call)


def _integrating(integrate: Any) -> Callable[..., Any]:
    """The function for the place of `_ppoly.integrate`."""

    def call(  # noqa: PLR0913, PLR0917 - as many as the function has
        c: Any, x: Any, a: Any, b: Any, extrapolate: bool, out: Any
    ) -> None:
        if _is_plain(c, x, a, b, out):
            integrate(c, x, a, b, extrapolate, out)
            return
        degree = c.shape[0]
        powers = np.arange(degree, 0, -1.0)[:, np.newaxis, np.newaxis]
        anti = np.concatenate((c / powers, 0.0 * c[:1]))
        ends = np.stack([a, b])
        interval, beyond = _places(x, ends, extrapolate)
        values = _polynomials(anti, interval, ends - x[interval], 0) + beyond
        # What the polynomials of whole intervals add on the way.
        whole = _polynomials(anti, np.arange(len(x) - 1), x[1:] - x[:-1], 0)
        passed = np.cumsum(np.concatenate((0.0 * whole[:1], whole)), axis=0)[interval]
        out[...] = values[1] - values[0] + passed[1] - passed[0]

    return entered_if_traced(integrate, call)


def _polynomials(c: Any, interval: Any, offset: Any, dx: int) -> Any:
    """The values of a derivative of the polynomials of some intervals."""
    offset, y, degree = offset[:, np.newaxis], 0.0, c.shape[0] - 1
    for k in range(degree + 1 - dx):
        y = y * offset + c[k][interval] * float(math.perm(degree - k, dx))
    return y + 0.0 * c[0][interval]


def _places(x: Any, xp: Any, extrapolate: bool) -> tuple[Any, Any]:
    """The interval that each place is in, or the next to it, and NaN for each place that is refused."""
    breaks, at = primal_of(x), primal_of(xp)
    turn = 1 if breaks[-1] >= breaks[0] else -1
    found = np.searchsorted(turn * breaks, turn * at, side="right") - 1
    return np.clip(found, 0, len(breaks) - 2), _nan_beyond(breaks, at, extrapolate)


def _nan_beyond(breaks: Any, at: Any, extrapolate: bool) -> Any:
    outside = (at < np.min(breaks)) | (at > np.max(breaks))
    is_refused = np.isnan(at) | (outside & (not extrapolate))
    return np.where(is_refused, np.nan, np.zeros(len(at)))[:, np.newaxis]


def _evaluating_splines(evaluate: Any) -> Callable[..., Any]:
    """The function for the place of `_dierckx.evaluate_spline`."""

    def call(  # noqa: PLR0913, PLR0917 - as many as the function has
        t: Any, c: Any, k: int, xp: Any, nu: int, extrapolate: bool
    ) -> Any:
        if _is_plain(t, c, xp):
            return evaluate(t, c, k, xp, nu, extrapolate)
        knots, n = primal_of(t), len(t) - k - 1  # there may be coefficients more, which do not count
        return _splines(t, c, k, xp, nu) + _nan_beyond(knots[[k, n]], primal_of(xp), extrapolate)

    return entered_if_traced(evaluate, call)


def _evaluating_tuples(splev: Any) -> Callable[..., Any]:
    """The function for the place of `_fitpack_impl.splev`, of a spline of several coordinates too."""

    def call(x: Any, tck: Any, der: int = 0, ext: int = 0) -> Any:
        t, c, k = tck
        if isinstance(c, list | tuple) or np.ndim(c) > 1:
            return [call(x, (t, part, k), der, ext) for part in c]
        if _is_plain(t, c, x) or not 0 <= der <= k or ext not in {0, 1, 3}:
            return splev(x, tck, der, ext)
        x, shape, n = np.ravel(x), np.shape(x), len(t) - k - 1
        at, (low, high) = primal_of(x), primal_of(t)[[k, n]]
        outside = (at < low) | (at > high)
        if ext == 3:
            x = np.where(outside, np.clip(at, low, high), x)
        y = _splines(t, c[:, np.newaxis], k, x, der)[:, 0]
        return np.reshape(np.where(outside, 0.0, y) if ext == 1 else y, shape)

    return entered_if_traced(splev, call)


def _splines(t: Any, c: Any, k: int, xp: Any, nu: int) -> Any:
    """A derivative of a spline, by the recursion of Cox and de Boor; a row for each place."""
    knots, n, degree = primal_of(t), len(t) - k - 1, k
    interval = np.clip(np.searchsorted(knots, primal_of(xp), side="right") - 1, k, n - 1)
    points = [c[interval - k + j] for j in range(k + 1)]  # those that count at each place

    def knot(shift: int) -> Any:
        return t[interval + shift][:, np.newaxis]

    for _ in range(nu):
        if degree == 0:
            points = [0.0 * points[0]]
            break
        points = [
            degree * (points[j + 1] - points[j]) / (knot(1 + j) - knot(1 + j - degree)) for j in range(degree)
        ]
        degree -= 1
    x = xp[:, np.newaxis]
    for r in range(1, degree + 1):
        points = [
            points[j]
            + (x - knot(j - degree + r)) / (knot(j + 1) - knot(j - degree + r)) * (points[j + 1] - points[j])
            for j in range(degree - r + 1)
        ]
    return points[0]


fact("scipy.interpolate._ppoly.evaluate", wrapped=_evaluating_polynomials)
fact("scipy.interpolate._ppoly.evaluate_bernstein", wrapped=_evaluating_bernstein)
fact("scipy.interpolate._ppoly.fix_continuity", wrapped=_continuing)
fact("scipy.interpolate._ppoly.integrate", wrapped=_integrating)
fact("scipy.interpolate._dierckx.evaluate_spline", wrapped=_evaluating_splines)
fact("scipy.interpolate._fitpack_impl.splev", wrapped=_evaluating_tuples)
