"""Sums of B-splines at any places, and their adjoint, as operations with rules: the kernels of interpolation.

With the cardinal B-spline ``β`` of an order, whose centre is zero, and coefficients ``c`` on a grid,

    sample:  y_m = Σ_k c_k Π_a β(x_am - k_a)          spread:  c̄_k = Σ_m ȳ_m Π_a β(x_am - k_a)

Each is linear in its first argument, and the other's adjoint. Along each axis ``β`` may be one of its own
derivatives; that is how both are differentiated by ``x``.

M. Unser, "Splines: a perfect fit for signal and image processing", IEEE Signal Processing Magazine 16 (1999).
"""

import functools
import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from chainrules.operations.extensions import extend, fold
from chainrules.values.operands import ArrayOperand
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, Thunk, frule, primitive, rrule, typeof_


@primitive
def sample(c: Any, x: Any, order: int, extension: str, nu: tuple[int, ...]) -> Any:
    """The sums of B-splines.

    Parameters
    ----------
    c
        The coefficients, on a grid with `d` axes. Axes after these hold more grids.
    x
        Shape ``(d, m)``: the places, near the grid.
    order
        Of the splines, from 0 to 5.
    extension
        Which coefficients stand beyond the ends of the grid, as `chainrules.operations.extensions` has it.
    nu
        Which derivative of the spline is taken along each axis.

    Returns
    -------
    array
        Shape ``(m, ...)``, with the axes of more grids.
    """
    from scipy.sparse._sparsetools import csr_matvecs  # noqa: PLC0415 - it takes long to import

    last, rest, margins = len(x) - 1, c.shape[len(x) :], _margins(c.shape, x, order)
    y = np.zeros((x.shape[1], math.prod(rest)), np.result_type(c, x))
    for axis, margin in enumerate(margins):
        c = extend(c, *margin, extension, axis) if any(margin) else c
    windows = np.lib.stride_tricks.sliding_window_view(c, _length(order, rest), last)
    lines = np.moveaxis(windows, -1, last + 1).astype(np.result_type(c, float), "C", copy=False)
    for part, matrix, weights in _matrices(lines.shape, x, order, margins, nu):
        near = np.zeros((*weights.shape, y.shape[1]), lines.dtype)
        sizes = len(near), math.prod(lines.shape[: last + 1]), near[0].size
        csr_matvecs(*sizes, *matrix, np.ravel(lines), np.ravel(near))
        y[part] = np.einsum("mkj,mk->mj", near, weights)
    return np.reshape(y, (x.shape[1], *rest))


@primitive
def spread(  # noqa: PLR0913, PLR0917 - those of `sample`, and the shape
    y: Any, x: Any, order: int, extension: str, nu: tuple[int, ...], shape: tuple[int, ...]
) -> Any:
    """The adjoint of `sample`: coefficients on a grid of a shape."""
    from scipy.sparse._sparsetools import csc_matvecs  # noqa: PLC0415 - as above

    margins, last, dtype = _margins(shape, x, order), len(x) - 1, np.result_type(y, x)
    wide, rest = [n + sum(margin) for n, margin in zip(shape, margins, strict=True)], y.shape[1:]
    length = _length(order, rest)
    lines = np.zeros((*wide[:-1], wide[-1] - length + 1, length, *rest), np.result_type(y, float))
    y = np.reshape(y, (x.shape[1], 1, math.prod(rest)))
    for part, matrix, weights in _matrices(lines.shape, x, order, margins, nu):
        near = weights[..., np.newaxis] * y[part]
        sizes = math.prod(lines.shape[: last + 1]), len(near), near[0].size
        csc_matvecs(*sizes, *matrix, np.ravel(near), np.ravel(lines))
    c, lines = np.zeros((*wide, *rest), dtype), np.moveaxis(lines, last + 1, 0)
    for k, line in enumerate(lines):
        c[(*(slice(None),) * last, slice(k, k + wide[-1] - length + 1))] += line
    for axis, margin in enumerate(margins):
        c = fold(c, *margin, extension, axis) if any(margin) else c
    return c


# How many numbers are computed at once: as many as the caches of a processor hold.
_AT_ONCE = 2**16


def _length(order: int, rest: tuple[int, ...]) -> int:
    """How many grid points of a line are taken together: where there are many grids, these are enough."""
    return order + 1 if math.prod(rest) <= order + 1 else 1


def _margins(shape: tuple[int, ...], x: Any, order: int) -> list[tuple[int, int]]:
    """How many grid points are needed before the first and after the last of each axis."""
    margins = []
    for n, along in zip(shape, x, strict=False):  # there may be more grids
        ends = np.min(along, initial=n), np.max(along, initial=0.0)
        low, high = (int(_nearest(end, order)) - order // 2 for end in ends)
        margins.append((max(-low, 0), max(max(high, 0) + order + 1 - n, 0)))
    return margins


def _nearest(x: Any, order: int) -> Any:
    """The grid point that a place is counted from."""
    return np.floor(x if order % 2 else x + 0.5)


def _matrices(
    shape: tuple[int, ...], x: Any, order: int, margins: list[tuple[int, int]], nu: tuple[int, ...]
) -> Iterator[tuple[slice, tuple[Any, Any, Any], Any]]:
    """The grid points near the places, as rows of a sparse matrix that multiplies parts of lines.

    They come for some places after others: which these are, the matrix, whose entries are the weights along
    all axes but the last, and the weights along a part of a line of the last axis. Where these parts are
    single points, the matrix has all weights.
    """
    steps = [math.prod(shape[axis + 1 : len(x)]) for axis in range(len(x))]
    offsets = np.array(
        [sum((margin[0] - order // 2) * step for margin, step in zip(margins, steps, strict=True))]
    )
    is_whole = shape[len(x)] == 1
    for step in steps if is_whole else steps[:-1]:
        offsets = np.ravel(np.add.outer(offsets, np.arange(order + 1) * step))
    size = max(_AT_ONCE // (offsets.size + math.prod(shape[len(x) :])), 1)
    for start in range(0, x.shape[1], size):
        places: Any = 0
        entries: Any = np.ones((1, 1))
        weights: Any = None
        for axis, step in enumerate(steps):
            along = np.asarray(x[axis, start : start + size], float)
            nearest = _nearest(along, order)
            places = places + nearest.astype(int) * step
            if weights is not None:
                entries = np.reshape(entries[..., np.newaxis] * weights[:, np.newaxis], (len(along), -1))
            weights = _weights(along - nearest, order, nu[axis])
        if is_whole:
            entries = np.reshape(entries[..., np.newaxis] * weights[:, np.newaxis], (len(weights), -1))
            weights = np.ones((len(weights), 1))
        columns = np.empty((len(places), offsets.size), int)
        for k, offset in enumerate(offsets):
            np.add(places, offset, out=columns[:, k])
        entries = np.ravel(np.broadcast_to(entries, columns.shape))
        rows = np.arange(0, columns.size + 1, offsets.size)
        yield slice(start, start + size), (rows, np.ravel(columns), entries), weights


def _weights(x: Any, order: int, nu: int) -> Any:
    """The weights of the grid points near places, by their distances; shape ``(m, order + 1)``."""
    pieces = _pieces(order)
    for _ in range(nu):
        pieces = pieces[:, 1:] * np.arange(1, pieces.shape[1])
    powers = np.empty((pieces.shape[1], len(x)))
    powers[:1], powers[1:2] = 1.0, x
    for power in range(2, len(powers)):
        np.multiply(powers[power - 1], x, out=powers[power])
    return powers.T @ pieces.T


@functools.cache
def _pieces(order: int) -> Any:
    """The polynomials that a B-spline is made of: a row of coefficients for each grid point near a place."""
    middle = 0.5 if order % 2 else 0.0
    pieces = np.zeros((order + 1, order + 1))
    for k, j in itertools.product(range(order + 1), range(order + 2)):
        shift = order // 2 - k + (order + 1) / 2 - j
        if shift + middle > 0:
            factor = (-1.0) ** j * math.comb(order + 1, j) / math.factorial(order)
            for power in range(order + 1):
                pieces[k, power] += factor * math.comb(order, power) * shift ** (order - power)
    return pieces


def _next(axis: int, order: int, extension: str, nu: tuple[int, ...], *shape: Any) -> tuple[Any, ...]:
    """The next derivative along an axis."""
    return order, extension, (*nu[:axis], nu[axis] + 1, *nu[axis + 1 :]), *shape


def _times(v: Any, y: Any) -> Any:
    """Numbers of the places times values there, in each grid."""
    return np.reshape(v, (-1, *(1,) * (y.ndim - 1))) * y


def _of_places(y: Any) -> Any:
    """The sums over all grids."""
    return np.sum(np.reshape(y, (y.shape[0], math.prod(y.shape[1:]))), axis=1)


def _rules(primal: Any, adjoint: Callable[..., Any], by_places: Any, slopes: Any) -> None:
    """Define the rules of an operation that is linear.

    Parameters
    ----------
    adjoint
        ``adjoint(c, y_bar, x, *how)`` is the cotangent of `c`.
    by_places
        ``by_places(c, x, x_dot, *how)`` is the tangent by the places along an axis.
    slopes
        ``slopes(c, y_bar, x, *how)`` are the products whose sums are the cotangent of these places.
    """

    @frule.dispatch
    def spline_frule(
        tangents: Any, f: typeof_(primal), c: ArrayOperand, x: ArrayOperand, *how: Any
    ) -> tuple[Any, Any]:
        c_dot, x_dot = tangents[1:3]
        y = primal(c, x, *how)
        y_dot = c_dot if isinstance(c_dot, AbstractZero) else primal(c_dot, x, *how)
        if not isinstance(x_dot, AbstractZero):
            for axis in range(len(x)):
                y_dot = y_dot + by_places(c, x, x_dot[axis], *_next(axis, *how))
        return y, y_dot

    @rrule.dispatch
    def spline_rrule(f: typeof_(primal), c: ArrayOperand, x: ArrayOperand, *how: Any) -> tuple[Any, Any]:
        project_c, project_x = ProjectTo(c), ProjectTo(x)

        def spline_pullback(y_bar: Any) -> Any:
            def pull_x() -> Any:
                products = [slopes(c, y_bar, x, *_next(axis, *how)) for axis in range(len(x))]
                return project_x(np.stack(list(map(_of_places, products))))

            c_bar = Thunk(lambda: project_c(adjoint(c, y_bar, x, *how)))
            return NO_TANGENT, c_bar, Thunk(pull_x), *(NO_TANGENT,) * len(how)

        return primal(c, x, *how), spline_pullback


_rules(
    sample,
    lambda c, y_bar, x, order, extension, nu: spread(y_bar, x, order, extension, nu, c.shape[: len(x)]),
    lambda c, x, x_dot, *how: _times(x_dot, sample(c, x, *how)),
    lambda c, y_bar, x, *how: np.conj(sample(c, x, *how)) * y_bar,
)
_rules(
    spread,
    lambda y, c_bar, x, *how: sample(c_bar, x, *how[:3]),
    lambda y, x, x_dot, *how: spread(_times(x_dot, y), x, *how),
    lambda y, c_bar, x, *how: np.conj(y) * sample(c_bar, x, *how[:3]),
)
