"""Splines of two variables by FITPACK, in NumPy: evaluated, integrated, and fitted to points and grids.

On a grid the coefficients of a smoothing spline solve ``(Nx + q Px) C (Ny + q Py) = Bxᵀ Z By``, with the
matrices ``N = Bᵀ B`` and ``P = Dᵀ D`` of each variable: see
`chainrules.ad.interception.known.scipy.interpolate.fits`. P. Dierckx, "Curve and surface fitting with
splines", 1993, section 5.4.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.interception.known.scipy.interpolate.fits import (
    Rows,
    as_array,
    called,
    check_solved,
    chosen_knots,
    continued_knots,
    jumps,
    plain,
    rows_at,
)
from chainrules.ad.interception.known.scipy.interpolate.splines import clipped, integral
from chainrules.ad.values.facts import fact
from chainrules.operations.entry_systems import solve_entries
from chainrules.operations.spline_values import spline_values
from chainrules_core import primal_of


def _on_grid(tck: Any, x: Any, y: Any, dx: int = 0, dy: int = 0) -> Any:
    """A derivative of a spline on a grid; beyond the ends it is that of the nearest point."""
    tx, ty, c, kx, ky = tck
    c = np.reshape(c, (len(tx) - kx - 1, len(ty) - ky - 1))
    along_x = spline_values(tx, c, kx, clipped(tx, kx, x), dx)
    return spline_values(ty, along_x.T, ky, clipped(ty, ky, y), dy).T


def _at_points(tck: Any, x: Any, y: Any, dx: int = 0, dy: int = 0) -> Any:
    tx, ty, c, kx, ky = tck
    rows = _products(rows_at(tx, kx, clipped(tx, kx, x), dx), rows_at(ty, ky, clipped(ty, ky, y), dy), ty, ky)
    return (rows @ np.reshape(c, (-1, 1)))[:, 0]


def _products(X: Rows, Y: Rows, ty: Any, ky: int) -> Rows:
    """The products of the B-splines of both variables."""
    pairs = [
        (a * b, i * (len(ty) - ky - 1) + j) for a, i in zip(*X, strict=True) for b, j in zip(*Y, strict=True)
    ]
    return Rows([v for v, _ in pairs], [at for _, at in pairs])


def _evaluating_tuples(bisplev: Any) -> Callable[..., Any]:
    """The function for the place of `bisplev`."""

    def call(x: Any, y: Any, tck: Any, dx: int = 0, dy: int = 0) -> Any:
        bisplev(plain(x), plain(y), plain(tck), dx, dy)  # which checks the arguments
        z = _on_grid(tck, np.ravel(as_array(x)), np.ravel(as_array(y)), dx, dy)
        z = z[0] if len(z) == 1 else z
        return z[0] if z.shape == (1,) else z

    return entered_if_traced(bisplev, call)


def _integrating_tuples(dblint: Any) -> Callable[..., Any]:
    def call(xa: Any, xb: Any, ya: Any, yb: Any, tck: Any) -> Any:
        tx, ty, c, kx, ky = tck
        along_x = integral(tx, np.reshape(c, (len(tx) - kx - 1, -1)), kx, xa, xb)
        return integral(ty, along_x[:, np.newaxis], ky, ya, yb)[0]

    return entered_if_traced(dblint, call)


def _without_tangents(spline: Any) -> Any:
    """A spline like one that holds tangents."""
    new = object.__new__(type(spline))
    vars(new).update(vars(spline), tck=plain(spline.tck))
    return new


def _evaluating(method: Any) -> Callable[..., Any]:
    """The function for the place of `_BivariateSplineBase.__call__`."""

    def call(self: Any, x: Any, y: Any, dx: int = 0, dy: int = 0, grid: bool = True) -> Any:  # noqa: PLR0913, PLR0917 - SciPy's
        z = method(_without_tangents(self), plain(x), plain(y), dx, dy, grid)
        x, y = as_array(x), as_array(y)
        if not grid:
            x, y = np.broadcast_arrays(x, y)
        of = _on_grid if grid else _at_points
        return np.reshape(of((*self.tck[:3], *self.degrees), np.ravel(x), np.ravel(y), dx, dy), np.shape(z))

    return entered_if_traced(method, call)


def _integrating(method: Any) -> Callable[..., Any]:
    """The function for the place of `BivariateSpline.integral`."""
    of_tuple = _integrating_tuples(method)
    return entered_if_traced(method, lambda self, *ends: of_tuple(*ends, (*self.tck[:3], *self.degrees)))


def _differentiated(method: Any) -> Callable[..., Any]:
    """The function for the place of `partial_derivative`."""

    def call(self: Any, dx: int, dy: int) -> Any:
        new = method(_without_tangents(self), dx, dy)
        (tx, ty, c), (kx, ky) = self.tck[:3], self.degrees
        c = np.reshape(c, (len(tx) - kx - 1, len(ty) - ky - 1))
        tx, c = _slopes(tx, c, kx, dx)
        ty, c = _slopes(ty, c.T, ky, dy)
        new.tck = (tx, ty, np.ravel(c.T), *new.tck[3:])
        return new

    return entered_if_traced(method, call)


def _slopes(t: Any, c: Any, k: int, order: int) -> tuple[Any, Any]:
    """The knots and coefficients of a derivative along the first axis."""
    for degree in range(k, k - order, -1):
        c = degree * (c[1:] - c[:-1]) / (t[degree + 1 : -1] - t[1 : -degree - 1])[:, np.newaxis]
        t = t[1:-1]
    return t, c


# --- Fits ---------------------------------------------------------------------------------------------------


def _fitted_to_points(  # noqa: PLR0913, PLR0917 - a spline, and what it was fitted to
    tck: Any, x: Any, y: Any, z: Any, w: Any, inner: Any, bbox: Any, smooths: bool
) -> tuple[Any, Any, Any]:
    """The knots and coefficients of the spline of least squares."""
    (tx, ty, c), (kx, ky) = map(plain, (tck[:3], tck[3:]))
    if smooths and len(tx) + len(ty) > 2 * (kx + ky + 2):
        raise NotImplementedError(
            "SciPy chooses the inner knots of a smoothing spline of two variables by the residuals, so that "
            "they move with the points: write `LSQBivariateSpline` with these knots (`tx` and `ty`, or those "
            "that `get_knots` returns without the ends), which has derivatives."
        )
    x, y, z = (np.ravel(as_array(a)) for a in (x, y, z))
    inner = [given if given is None else as_array(given) for given in inner]
    ends = [
        _ends(t, a, knots, pair)
        for t, a, knots, pair in zip((tx, ty), (x, y), inner, (bbox[:2], bbox[2:]), strict=True)
    ]
    tx, ty = (
        continued_knots(t[k + 1 : -k - 1] if given is None else given, k, end, False)
        for t, k, given, end in zip((tx, ty), (kx, ky), inner, ends, strict=True)
    )
    rows = _products(rows_at(tx, kx, x), rows_at(ty, ky, y), ty, ky)
    weights = 1.0 if w is None else np.ravel(as_array(w)) ** 2
    c = c[:, np.newaxis]
    entries, at, columns = rows.gram(weights)
    residuals = np.reshape(weights * (z - (rows @ c)[:, 0]), (-1, 1))
    new = c + solve_entries(entries, rows.adjoint(residuals, c), at, columns)
    check_solved(new, c)
    return tx, ty, new[:, 0]


def _ends(t: Any, x: Any, inner: Any, given: Any) -> Any:
    """Where the knots end that SciPy found: as given; or at the first and last points, or beyond all knots.

    To the wrapper of FITPACK knots at the ends, which are to be found, are zeros or those of an earlier call,
    which lacked memory.
    """
    points = np.min(x), np.max(x)
    ends = _filled(given, points)
    if _are(ends, t):
        return ends
    knots = np.concatenate([[0.0], [] if inner is None else inner])
    for _ in range(2):
        low, high = np.min(knots), np.max(knots)
        step = (high - low) / len(t)
        ends = _filled(
            given,
            (
                points[0] if primal_of(low) > primal_of(points[0]) else low - step,
                points[1] if primal_of(high) < primal_of(points[1]) else high + step,
            ),
        )
        if _are(ends, t):
            return ends
        knots = np.stack([*ends, low, high])
    # (in no version that is known)
    raise ValueError("SciPy found other ends of the knots: give `bbox`.")  # pragma: no cover - as above


def _filled(given: Any, otherwise: Any) -> Any:
    """The ends that are given, and others in the place of those that are not."""
    return tuple(x if end is None else end for end, x in zip(given, otherwise, strict=True))


def _are(ends: Any, t: Any) -> bool:
    """Whether knots have these ends."""
    return bool(np.all(np.abs([primal_of(end) for end in ends] - t[[0, -1]]) <= 1e-12 * (t[-1] - t[0])))


def _least_squares(_result: Any, self: Any, x: Any, y: Any, z: Any, **given: Any) -> None:
    """The function for the place of the constructors of splines that are fitted to points."""
    inner = given.get("tx"), given.get("ty")
    smooths = inner[0] is None
    tck = (*self.tck[:3], *self.degrees)
    self.tck = _fitted_to_points(tck, x, y, z, given["w"], inner, given["bbox"], smooths)


def _bisplrep(result: Any, **given: Any) -> Any:
    """The function for the place of `bisplrep`."""
    tck, *rest = result if given["full_output"] else [result]
    kx, ky = tck[3:]
    inner = [
        None if given["task"] != -1 else as_array(given[name])[k + 1 : -k - 1]
        for name, k in (("tx", kx), ("ty", ky))
    ]
    bbox = [given[name] for name in ("xb", "xe", "yb", "ye")]
    points = given["x"], given["y"], given["z"], given["w"]
    tck = [*_fitted_to_points(tck, *points, inner, bbox, given["task"] != -1), kx, ky]
    return (tck, *rest) if rest else tck


def _fitted_to_grid(_result: Any, self: Any, x: Any, y: Any, z: Any, **given: Any) -> None:
    """The function for the place of `RectBivariateSpline.__init__`."""
    (tx, ty, c), (kx, ky), bbox, s = self.tck[:3], self.degrees, given["bbox"], given["s"]
    if primal_of(s) is not s:
        raise NotImplementedError(
            "SciPy finds a smoothing spline to one digit in a thousand, so that it has no derivative by `s`."
        )
    x, y, z = np.ravel(as_array(x)), np.ravel(as_array(y)), as_array(z)
    ends = [
        tuple(a[at] if end is None else end for at, end in zip((0, -1), pair, strict=True))
        for a, pair in zip((x, y), (bbox[:2], bbox[2:]), strict=True)
    ]
    tx, ty = (
        chosen_knots(t, k, a, end, False)
        for t, k, a, end in zip((tx, ty), (kx, ky), (x, y), ends, strict=True)
    )
    c = np.reshape(c, (len(tx) - kx - 1, len(ty) - ky - 1))
    new = _GridFit(tx, ty, kx, ky, x, y, z).coefficients(c, s != 0)
    self.tck = (tx, ty, np.ravel(new))


class _GridFit:
    """A spline that is fitted to values on a grid."""

    def __init__(self: Any, tx: Any, ty: Any, kx: int, ky: int, x: Any, y: Any, z: Any) -> None:  # noqa: PLR0913, PLR0917 - the points of two axes
        self.X, self.Y, self.z = rows_at(tx, kx, x), rows_at(ty, ky, y), z
        self.Dx, self.Dy = _scaled_jumps(tx, kx), _scaled_jumps(ty, ky)
        self.n = len(tx) - kx - 1, len(ty) - ky - 1

    def values(self: Any, C: Any) -> Any:
        """The spline on the grid."""
        return (self.Y @ (self.X @ C).T).T

    def solved(self: Any, right: Any, q: Any) -> Any:
        """``(Nx + q Px)⁻¹ right (Ny + q Py)⁻¹``."""
        for B, D in ((self.X, self.Dx), (self.Y, self.Dy)):
            entries, rows, columns = B.gram(1.0)
            if D.columns[0].size:
                added = D.gram(1.0)
                entries = np.concatenate([entries, q * added[0]])
                rows, columns = np.concatenate([rows, added[1]]), np.concatenate([columns, added[2]])
            right = solve_entries(entries, right, rows, columns).T
        return right

    def projected(self: Any, Z: Any) -> Any:
        """``Bxᵀ Z By``."""
        along_x = self.X.adjoint(Z, np.zeros((self.n[0], Z.shape[1])))
        return self.Y.adjoint(along_x.T, np.zeros(self.n[::-1])).T

    def penalized(self: Any, C: Any, axis: int) -> Any:
        """``Px C`` or ``C Py``."""
        if axis:
            return self.Dy.adjoint(self.Dy @ C.T, C.T).T if self.Dy.columns[0].size else 0.0 * C
        return self.Dx.adjoint(self.Dx @ C, C) if self.Dx.columns[0].size else 0.0 * C

    def gram(self: Any, C: Any, axis: int) -> Any:
        """``Nx C`` or ``C Ny``."""
        return self.Y.adjoint(self.Y @ C.T, C.T).T if axis else self.X.adjoint(self.X @ C, C)

    def slopes(self: Any, C: Any) -> Any:
        """The derivative of the equations by `q`, where that is zero."""
        return self.gram(self.penalized(C, 0), 1) + self.penalized(self.gram(C, 0), 1)

    def coefficients(self: Any, c: Any, smooths: bool) -> Any:
        """The coefficients, from those that SciPy found."""
        right = self.projected(self.z)
        q = _smoothness(primal_of(right), *map(primal_of, self._terms(c))) if smooths else 0.0
        new = self.solved(right, q)
        check_solved(new, c)
        if q:
            asked = primal_of(np.sum((self.z - self.values(new)) ** 2))
            for _ in range(2):
                r = self.z - self.values(new)
                first, second = self._terms(new)[1:]
                slope = -2.0 * np.sum(r * self.values(self.solved(-first - 2.0 * q * second, q)))
                q = q - (np.sum(r * r) - asked) / slope
                new = self.solved(right, q)
        return c + (new - primal_of(new))

    def _terms(self: Any, C: Any) -> tuple[Any, Any, Any]:
        """The terms of ``(Nx + q Px) C (Ny + q Py)`` with each power of `q`."""
        return self.gram(self.gram(C, 0), 1), self.slopes(C), self.penalized(self.penalized(C, 0), 1)


def _scaled_jumps(t: Any, k: int) -> Rows:
    """The jumps of the highest derivative, of the variable that runs from 0 to the number of intervals."""
    D, n = jumps(t, k, None), len(primal_of(t)) - 2 * k - 1
    scale = ((t[-1] - t[0]) / n) ** k / math.factorial(k)
    return Rows([scale * v for v in D.values], D.columns)


def _smoothness(right: Any, constant: Any, first: Any, second: Any) -> Any:
    """The factor `q` of SciPy's spline, ``right = constant + q first + q² second``; 0 if there is none."""
    r, a, b = (np.sum(part * first) for part in (right - constant, first, second))
    if not a or np.linalg.norm(right - constant) <= 1e-12 * np.linalg.norm(right):
        return 0.0
    return 2.0 * r / (a + np.sqrt(a * a + 4.0 * b * r))


fact("scipy.interpolate._fitpack_impl.bisplev", wrapped=_evaluating_tuples)
fact("scipy.interpolate._fitpack_impl.dblint", wrapped=_integrating_tuples)
fact("scipy.interpolate._fitpack_impl.bisplrep", wrapped=lambda f: called(f, _bisplrep))
fact("scipy.interpolate._fitpack2._BivariateSplineBase.__call__", wrapped=_evaluating)
fact("scipy.interpolate._fitpack2._BivariateSplineBase.partial_derivative", wrapped=_differentiated)
fact("scipy.interpolate._fitpack2.BivariateSpline.integral", wrapped=_integrating)
fact(
    "scipy.interpolate._fitpack2.SmoothBivariateSpline.__init__",
    "scipy.interpolate._fitpack2.LSQBivariateSpline.__init__",
    wrapped=lambda f: called(f, _least_squares),
)
fact("scipy.interpolate._fitpack2.RectBivariateSpline.__init__", wrapped=lambda f: called(f, _fitted_to_grid))
