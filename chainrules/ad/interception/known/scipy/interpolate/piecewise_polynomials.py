"""Functions in C that evaluate piecewise polynomials, in NumPy, which can be traced.

The objects of `scipy.interpolate` are made in Python, and calls are followed into their constructors. So a
spline keeps its derivative by points and values.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.values.facts import fact
from chainrules.operations.unknown_slopes import unknown_slope
from chainrules_core import primal_of


def _evaluating_polynomials(evaluate: Any) -> Callable[..., Any]:
    """The function for the place of `_ppoly.evaluate`, ``Σ_k c[k] (xp - x[i])^(degree - k)``."""

    def call(  # noqa: PLR0913, PLR0917 - as many as the function has
        c: Any, x: Any, xp: Any, dx: int, extrapolate: bool, out: Any
    ) -> None:
        interval, beyond = _places(x, xp, extrapolate)
        out[...] = _polynomials(c, interval, xp - x[interval], dx) + beyond

    return entered_if_traced(evaluate, call)


def _evaluating_bernstein(evaluate: Any) -> Callable[..., Any]:
    """The function for the place of `_ppoly.evaluate_bernstein`, by de Casteljau's algorithm."""

    def call(  # noqa: PLR0913, PLR0917 - as many as the function has
        c: Any, x: Any, xp: Any, nu: int, extrapolate: bool, out: Any
    ) -> None:
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


def _finding_roots(real_roots: Any) -> Callable[..., Any]:
    """The function for the place of `_ppoly.real_roots`.

    Two of Newton's steps have the first two derivatives. Where a polynomial jumps across the value,
    the root is the break, and moves with it.
    """

    def call(c: Any, x: Any, y: Any, report_discont: bool, extrapolate: bool) -> Any:
        found = real_roots(primal_of(c), primal_of(x), primal_of(y), report_discont, extrapolate)
        return [_moving_roots(c[:, :, i : i + 1], x, y, roots) for i, roots in enumerate(found)]

    return entered_if_traced(real_roots, call)


def _moving_roots(c: Any, x: Any, y: Any, roots: Any) -> Any:
    if not len(roots):
        return roots
    breaks = primal_of(x)
    interval, _ = _places(x, roots, True)
    after = np.minimum(np.searchsorted(np.sort(breaks), roots), len(breaks) - 1)
    after = after if breaks[-1] >= breaks[0] else len(breaks) - 1 - after
    size = np.sum(np.abs(primal_of(c)[:, interval, 0]), axis=0)
    misses = np.abs(_polynomials(primal_of(c), interval, roots - breaks[interval], 0)[:, 0] - primal_of(y))
    is_jump = (breaks[after] == roots) & (misses > 1e-8 * size)
    z = np.where(is_jump, x[after], roots)
    for _ in range(2):
        offset = z - x[interval]
        miss, slope = (
            _polynomials(c, interval, offset, 0)[:, 0] - y,
            _polynomials(c, interval, offset, 1)[:, 0],
        )
        # Double roots, and the ends of pieces that are zero, have no derivative.
        is_flat = primal_of(slope) == 0.0
        step = np.where(is_flat, unknown_slope(miss), miss / np.where(is_flat, 1.0, slope))
        z = np.where(is_jump | np.isnan(roots), z, z - step)
    return z


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


fact("scipy.interpolate._ppoly.evaluate", wrapped=_evaluating_polynomials)
fact("scipy.interpolate._ppoly.evaluate_bernstein", wrapped=_evaluating_bernstein)
fact("scipy.interpolate._ppoly.real_roots", wrapped=_finding_roots)
fact("scipy.interpolate._ppoly.fix_continuity", wrapped=_continuing)
fact("scipy.interpolate._ppoly.integrate", wrapped=_integrating)
