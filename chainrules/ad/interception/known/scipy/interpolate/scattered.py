"""Interpolation between scattered points, on the triangles or nearest points that SciPy finds.

SciPy's interpolants are in Cython, and here in NumPy: of points that are moved too, as long as the triangles
remain. The piecewise cubic one is that of R. W. Clough and J. L. Tocher, whose gradients at the points
minimise the curvature along the edges. P. Alfeld, "A trivariate Clough-Tocher scheme for tetrahedral data",
1984; G. M. Nielson, "A method for interpolating scattered data based upon a minimum norm network", 1983.
"""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.entering import entered, entered_if_traced, is_to_be_followed
from chainrules.ad.interception.known.scipy.interpolate.fits import as_array, plain
from chainrules.ad.interception.known.scipy.interpolate.grids import coordinates
from chainrules.ad.values.facts import fact
from chainrules.operations.entry_systems import solve_entries
from chainrules.operations.scatter import scatter
from chainrules_core import primal_of

# How far beyond a triangle SciPy takes a place for one in it, in barycentric coordinates.
_TOLERANCE = 100.0 * np.finfo(float).eps


def _making(cls: Any) -> Callable[..., Any]:
    """The function for the place of a class of interpolants, which keep what is traced."""

    def call(points: Any, values: Any, fill_value: Any = np.nan, *args: Any, **kwargs: Any) -> Any:
        new = cls(plain(points), plain(values), primal_of(fill_value), *args, **kwargs)
        if primal_of(fill_value) is not fill_value:
            new.fill_value = fill_value
        new.values = np.reshape(as_array(values), new.values.shape)
        if hasattr(points, "simplices"):  # a triangulation
            new.points = points.points
        else:
            new.points = coordinates(points)
            if new.scale is not None:
                widths = np.max(new.points, axis=0) - np.min(new.points, axis=0)
                new.offset, new.scale = np.mean(new.points, axis=0), np.where(new.scale == 1.0, 1.0, widths)
                new.points = (new.points - new.offset) / new.scale
        return new

    return entered_if_traced(cls, call)


def _evaluating(self: Any) -> Callable[..., Any]:
    """The function for the place of an interpolant."""

    def call(*args: Any, simplex_tolerance: float = 1.0) -> Any:
        if not any(map(is_to_be_followed, (self, *args))):
            return self(
                *args, **({} if simplex_tolerance == 1.0 else {"simplex_tolerance": simplex_tolerance})
            )
        xi = coordinates(args, ndim=self.points.shape[1])
        x = np.reshape(xi, (-1, xi.shape[-1]))
        x = x if self.scale is None else (x - self.offset) / self.scale
        triangle = self.tri.find_simplex(primal_of(x), tol=simplex_tolerance * _TOLERANCE)
        corners = self.tri.simplices[triangle]
        b = _barycentric(self.points[corners], x)
        of = _cubic if hasattr(self, "grad") else _linear
        y = np.where((triangle < 0)[:, np.newaxis], self.fill_value, of(self, triangle, corners, b))
        return np.reshape(y, (*xi.shape[:-1], *self.values_shape))

    return call


def _barycentric(corners: Any, x: Any) -> Any:
    """The barycentric coordinates of each point in its simplex, along the last axis."""
    last = corners[:, -1]
    edges = np.swapaxes(corners[:, :-1] - last[:, np.newaxis], 1, 2)
    first = np.linalg.solve(edges, (x - last)[..., np.newaxis])[..., 0]
    return np.concatenate([first, 1.0 - np.sum(first, axis=1, keepdims=True)], axis=1)


def _linear(self: Any, _triangle: Any, corners: Any, b: Any) -> Any:
    return np.sum(b[..., np.newaxis] * self.values[corners], axis=1)


def _gradients(self: Any) -> Any:
    """The gradients at the points; shape ``(n, 2, e)``.

    For each point ``i``, over the edges ``e = x_j - x_i`` of length ``l``, ``Σ_j (4 (e·g_i) + 2 (e·g_j) + 6
    (f_i - f_j)) e / l³ = 0``.
    """
    n, (starts, ends) = len(self.values), self.tri.vertex_neighbor_vertices
    i, j = np.repeat(np.arange(n), np.diff(starts)), ends
    e = self.points[j] - self.points[i]
    weight = np.sum(e * e, axis=1) ** -1.5
    entries, rows, columns = [], [], []
    for a, b in itertools.product(range(2), repeat=2):
        product = weight * e[:, a] * e[:, b]
        entries += [4.0 * product, 2.0 * product]
        rows += [2 * i + a, 2 * i + a]
        columns += [2 * i + b, 2 * j + b]
    difference = -6.0 * (self.values[i] - self.values[j])
    columns_of_right = [
        _sums(weight[:, np.newaxis] * e[:, a, np.newaxis] * difference, i, n) for a in range(2)
    ]
    right = np.reshape(np.stack(columns_of_right, axis=1), (2 * n, -1))
    places = (np.concatenate(rows), np.concatenate(columns))
    return np.reshape(solve_entries(np.concatenate(entries), right, *places), (n, 2, -1))


def _sums(x: Any, i: Any, n: int) -> Any:
    """The sums of the rows with each number."""
    return scatter(x, np.empty((n, *x.shape[1:]), x.dtype), i)


def _cubic(self: Any, triangle: Any, corners: Any, b: Any) -> Any:
    """The interpolant of Clough and Tocher, by the coefficients of the polynomials of Bernstein.

    A triangle is cut into three at its centroid. ``c210`` and its like stand for the corners, ``..._c`` for
    the coefficients with a share of the centroid.
    """
    points = self.points[corners]
    gradients = np.swapaxes(self.grad, 1, 2)
    if primal_of(self.values) is not self.values or primal_of(self.points) is not self.points:
        new = _gradients(self)
        gradients = gradients + (new - primal_of(new))
    f, df = self.values[corners], gradients[corners]
    f1, f2, f3 = f[:, 0], f[:, 1], f[:, 2]
    e12, e23, e31 = (points[:, (k + 1) % 3] - points[:, k] for k in range(3))

    def along(corner: int, edge: Any) -> Any:
        return np.sum(df[:, corner] * edge[..., np.newaxis], axis=1) / 3.0

    c2100, c1200 = f1 + along(0, e12), f2 - along(1, e12)
    c0210, c0120 = f2 + along(1, e23), f3 - along(2, e23)
    c1020, c2010 = f3 + along(2, e31), f1 - along(0, e31)
    c2001 = (c2100 + c2010 + f1) / 3.0
    c0201 = (c1200 + f2 + c0210) / 3.0
    c0021 = (c1020 + c0120 + f3) / 3.0
    g1, g2, g3 = _directions(self, triangle, points)
    c0111 = 0.5 * (g1 * (-f2 + 3 * c0210 - 3 * c0120 + f3) - f2 + 2 * c0210 - c0120 + c0021 + c0201)
    c1011 = 0.5 * (g2 * (-f3 + 3 * c1020 - 3 * c2010 + f1) - f3 + 2 * c1020 - c2010 + c2001 + c0021)
    c1101 = 0.5 * (g3 * (-f1 + 3 * c2100 - 3 * c1200 + f2) - f1 + 2 * c2100 - c1200 + c2001 + c0201)
    c1002 = (c1101 + c1011 + c2001) / 3.0
    c0102 = (c1101 + c0111 + c0201) / 3.0
    c0012 = (c1011 + c0111 + c0021) / 3.0
    c0003 = (c1002 + c0102 + c0012) / 3.0
    smallest = np.take_along_axis(b, np.argmin(primal_of(b), axis=1)[:, np.newaxis], axis=1)
    b1, b2, b3 = ((b[:, k, np.newaxis] - smallest) for k in range(3))
    b4 = 3.0 * smallest
    return (
        b1**3 * f1 + 3 * b1**2 * (b2 * c2100 + b3 * c2010 + b4 * c2001)
        + b2**3 * f2 + 3 * b2**2 * (b1 * c1200 + b3 * c0210 + b4 * c0201)
        + b3**3 * f3 + 3 * b3**2 * (b1 * c1020 + b2 * c0120 + b4 * c0021)
        + b4**3 * c0003 + 3 * b4**2 * (b1 * c1002 + b2 * c0102 + b3 * c0012)
        + 6 * b4 * (b1 * b2 * c1101 + b1 * b3 * c1011 + b2 * b3 * c0111)
    )  # fmt: skip


def _directions(self: Any, triangle: Any, points: Any) -> list[Any]:
    """For each edge, in which direction across it the derivative is linear: to the neighbor's centroid."""
    directions = []
    for k in range(3):
        neighbor = self.tri.neighbors[triangle, k]
        centroid = np.mean(self.points[self.tri.simplices[neighbor]], axis=1)
        c = _barycentric(points, centroid)
        p, q = c[:, (k + 2) % 3], c[:, (k + 1) % 3]
        g = (2.0 * p + q - 1.0) / (2.0 - 3.0 * p - 3.0 * q)
        directions.append(np.where(neighbor < 0, -0.5, g)[:, np.newaxis])
    return directions


def _making_nearest(init: Any) -> Callable[..., Any]:
    """The function for the place of `NearestNDInterpolator.__init__`."""

    def call(self: Any, x: Any, y: Any, *args: Any, **kwargs: Any) -> None:
        init(self, plain(x), plain(y), *args, **kwargs)
        self.values = as_array(y)

    return entered_if_traced(init, call)


def _evaluating_nearest(method: Any) -> Callable[..., Any]:
    """The function for the place of `NearestNDInterpolator.__call__`, which moves in steps with the place."""

    def call(self: Any, *args: Any, **options: Any) -> Any:
        return (entered(method) or method)(self, *plain(args), **options)

    return entered_if_traced(method, call)


fact(
    "scipy.interpolate._interpnd.LinearNDInterpolator",
    "scipy.interpolate._interpnd.CloughTocher2DInterpolator",
    wrapped=_making,
    of_instances=_evaluating,
)
fact("scipy.interpolate._ndgriddata.NearestNDInterpolator.__init__", wrapped=_making_nearest)
fact("scipy.interpolate._ndgriddata.NearestNDInterpolator.__call__", wrapped=_evaluating_nearest)
