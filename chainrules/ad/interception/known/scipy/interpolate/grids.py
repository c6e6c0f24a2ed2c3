"""Interpolation on grids with axes: functions in C that find places and evaluate there, in NumPy."""

import copy
import functools
import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.interception.known.scipy.interpolate.fits import as_array, default_knots, plain, rows_at
from chainrules.ad.values.facts import fact
from chainrules.numerics.spline_bases import basis, intervals_of
from chainrules.operations.entry_systems import solve_entries
from chainrules.values.recorded_calls import in_one_line
from chainrules_core import primal_of


def coordinates(points: Any, ndim: int | None = None) -> Any:
    """What `_interpnd._ndim_coords_from_arrays` makes of points: their coordinates along the last axis."""
    if isinstance(points, tuple):
        if len(points) == 1:
            return coordinates(points[0], ndim)
        return np.stack(np.broadcast_arrays(*points), axis=-1)
    points = as_array(points)
    return np.reshape(points, (-1, ndim or 1)) if np.ndim(points) == 1 else points


def _finding(find: Any) -> Callable[..., Any]:
    """The function for the place of `_rgi_cython.find_indices`."""
    find_in_one_line = in_one_line(find)

    def call(grid: Any, xi: Any) -> tuple[Any, Any]:
        indices, distances = find_in_one_line(plain(grid), primal_of(xi))
        parts = [
            (x - g[i]) / (g[i + 1] - g[i]) if len(g) > 1 else constant
            for x, g, i, constant in zip(xi, grid, indices, distances, strict=True)
        ]
        return indices, np.stack(parts)

    return entered_if_traced(find, call)


def _interpolating_linearly(_evaluate: Any) -> Callable[..., Any]:
    """The function for the place of `_rgi_cython.evaluate_linear_2d`."""

    def call(values: Any, indices: Any, distances: Any, _grid: Any, _out: Any) -> Any:
        i, j = indices
        i_next, j_next = (
            np.minimum(at + 1, size - 1) for at, size in zip(indices, values.shape, strict=True)
        )
        s, t = distances
        first = values[i, j] * (1.0 - t) + values[i, j_next] * t
        second = values[i_next, j] * (1.0 - t) + values[i_next, j_next] * t
        y = first * (1.0 - s) + second * s
        is_nan = [(at < 0) & (size > 1) for at, size in zip(indices, values.shape, strict=True)]
        return np.where(is_nan[0] | is_nan[1], np.nan, y)

    return entered_if_traced(_evaluate, call)


def _making_grid_spline(make: Any) -> Callable[..., Any]:
    """The function for the place of `make_ndbspl`: SciPy's iterations are differentiated as their limit."""

    def call(points: Any, values: Any, k: Any = 3, **options: Any) -> Any:
        new = copy.copy(make(plain(points), primal_of(values), k, **options))
        degrees, c, knots = tuple(map(int, new._k)), values, []
        for axis, (given, degree) in enumerate(zip(points, degrees, strict=True)):
            x = np.asarray(given, float) if primal_of(given) is given else given
            t = default_knots(x, degree)
            c = np.moveaxis(_interpolated(t, degree, x, np.moveaxis(c, axis, 0)), 0, axis)
            knots.append(t)
        _set_spline(new, knots, c)
        return new

    return entered_if_traced(make, call)


def _interpolated(t: Any, k: int, x: Any, y: Any) -> Any:
    """The coefficients of a spline through points, along the first axis."""
    rows = rows_at(t, k, x)
    columns, at = np.concatenate(rows.columns), np.tile(np.arange(len(x)), k + 1)
    c = solve_entries(np.concatenate(rows.values), np.reshape(y, (len(x), -1)), at, columns)
    return np.reshape(c, (-1, *y.shape[1:]))


def _set_spline(spline: Any, knots: list[Any], c: Any) -> None:
    """Give an `NdBSpline` other coefficients with SciPy's values, and other knots."""
    name = "_c" if "_c" in vars(spline) else "c"
    old, width = getattr(spline, name), spline._t.shape[1]
    vars(spline)[name] = old + (c - primal_of(c))
    if any(primal_of(t) is not t for t in knots):
        spline._t = np.stack([np.concatenate([t, np.full(width - len(t), np.nan)]) for t in knots])


def _evaluating_grid_spline(method: Any) -> Callable[..., Any]:
    """The function for the place of `NdBSpline.__call__`."""

    def call(self: Any, xi: Any, *, nu: Any = None, extrapolate: Any = None) -> Any:
        c = vars(self).get("_c", vars(self).get("c"))
        knots = [row[:n] for row, n in zip(self._t, self._len_t, strict=True)]
        degrees, d = [int(k) for k in self._k], len(knots)
        if primal_of(xi) is xi:
            xi = np.asarray(xi, float)
        x = np.reshape(xi, (-1, d)).T
        orders = [0] * d if nu is None else [int(order) for order in nu]
        weights, places = [], []
        for t, k, at, order in zip(knots, degrees, x, orders, strict=True):
            interval = intervals_of(t, k, at)
            weights.append(basis(t, k, at, order, interval))
            places.append([interval - k + j for j in range(k + 1)])
        rows = np.reshape(c, (math.prod(c.shape[:d]), -1))
        corners = [
            (functools.reduce(np.multiply, w), np.ravel_multi_index(at, c.shape[:d]))
            for w, at in zip(itertools.product(*weights), itertools.product(*places), strict=True)
        ]
        parts = np.stack([w for w, _ in corners])[:, :, np.newaxis]
        y = np.sum(parts * rows[np.stack([at for _, at in corners])], axis=0)
        extrapolates = self.extrapolate if extrapolate is None else extrapolate
        beyond = _beyond(
            primal_of(x), [primal_of(t)[[k, -k - 1]] for t, k in zip(knots, degrees, strict=True)]
        )
        refused = np.isnan(primal_of(x)).any(axis=0) | (beyond & (not extrapolates))
        return np.reshape(np.where(refused[:, np.newaxis], np.nan, y), (*xi.shape[:-1], *c.shape[d:]))

    return entered_if_traced(method, call)


def _beyond(x: Any, ends: list[Any]) -> Any:
    """Whether each place is outside of the box."""
    return np.any([(at < low) | (at > high) for at, (low, high) in zip(x, ends, strict=True)], axis=0)


def _evaluating_polynomials(evaluate: Any) -> Callable[..., Any]:
    """The function for the place of `_ppoly.evaluate_nd`, by Horner's method along each axis."""

    def call(  # noqa: PLR0913, PLR0917 - as many as the function has
        c: Any, xs: Any, ks: Any, xp: Any, dx: Any, extrapolate: bool, out: Any
    ) -> None:
        at = primal_of(xp).T
        breaks = [primal_of(x) for x in xs]
        intervals = tuple(
            np.clip(np.searchsorted(b, p, side="right") - 1, 0, len(b) - 2)
            for b, p in zip(breaks, at, strict=True)
        )
        sizes = [len(b) - 1 for b in breaks]
        y = np.reshape(c, (*ks, math.prod(sizes), c.shape[-1]))
        y = y[(*[slice(None)] * len(ks), np.ravel_multi_index(intervals, sizes))]
        for x, p, interval, order in zip(xs, xp.T, intervals, dx, strict=True):
            y = _horner(y, (p - x[interval])[:, np.newaxis], int(order))
        beyond = _beyond(at, [b[[0, -1]] for b in breaks])
        refused = np.isnan(at).any(axis=0) | (beyond & (not extrapolate))
        out[...] = np.where(refused[:, np.newaxis], np.nan, y)

    return entered_if_traced(evaluate, call)


def _horner(c: Any, offset: Any, order: int) -> Any:
    """A derivative of polynomials whose coefficients are along the first axis, the highest power first."""
    degree = len(c) - 1
    y = 0.0 * c[0]
    for k in range(degree + 1 - order):
        y = y * offset + c[k] * float(math.perm(degree - k, order))
    return y


fact(
    "scipy.interpolate._interpnd._ndim_coords_from_arrays",
    wrapped=lambda f: entered_if_traced(f, coordinates),
)
fact("scipy.interpolate._rgi_cython.find_indices", wrapped=_finding)
fact("scipy.interpolate._rgi_cython.evaluate_linear_2d", wrapped=_interpolating_linearly)
fact("scipy.interpolate._ndbspline.make_ndbspl", wrapped=_making_grid_spline)
fact("scipy.interpolate._ndbspline.NdBSpline.__call__", wrapped=_evaluating_grid_spline)
fact("scipy.interpolate._ppoly.evaluate_nd", wrapped=_evaluating_polynomials)
