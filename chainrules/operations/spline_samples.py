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
from collections.abc import Iterator
from typing import Any

import numpy as np

from chainrules.operations.extensions import places_beyond
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
    shape, rest = c.shape[: len(x)], c.shape[len(x) :]
    flat, ones = np.reshape(c, -1), np.ones((x.shape[1], math.prod(rest)))
    y = np.zeros(ones.shape, np.result_type(c, x))
    for part, places, weights in _products(ones, shape, x, order, extension, nu):
        np.sum(weights * flat[places], axis=0, out=y[part])
    return np.reshape(y, (x.shape[1], *rest))


@primitive
def spread(  # noqa: PLR0913, PLR0917 - those of `sample`, and the shape
    y: Any, x: Any, order: int, extension: str, nu: tuple[int, ...], shape: tuple[int, ...]
) -> Any:
    """The adjoint of `sample`: coefficients on a grid of a shape."""
    rest = y.shape[1:]
    c = np.zeros((*shape, *rest), np.result_type(y, x))
    flat, y = np.reshape(c, -1), np.reshape(y, (x.shape[1], math.prod(rest)))
    for _, places, terms in _products(y, shape, x, order, extension, nu):
        np.add.at(flat, np.reshape(places, -1), np.reshape(terms, -1))
    return c


# How many products are computed at once: as many as the caches of a processor hold.
_AT_ONCE = 2**17


def _products(  # noqa: PLR0913, PLR0917 - the factor, and those of `sample`
    y: Any, shape: tuple[int, ...], x: Any, order: int, extension: str, nu: tuple[int, ...]
) -> Iterator[tuple[slice, Any, Any]]:
    """The weights of the grid points near the places, times `y`, whose rows are of the places.

    They come for some places after others: which these are, where the grid points are among all of all grids,
    and the products.
    """
    number = y.shape[1]
    size = max(_AT_ONCE // ((order + 1) ** len(shape) * max(number, 1)), 1)
    for start in range(0, x.shape[1], size):
        part = slice(start, start + size)
        places, products = np.arange(number), y[np.newaxis, part]
        for axis, (n, along) in enumerate(zip(shape, np.asarray(x[:, part], float), strict=True)):
            index, weights = _neighbours(n, along, order, extension, nu[axis])
            index *= math.prod(shape[axis + 1 :]) * number
            places = np.expand_dims(places, -3) if axis else places
            places = np.reshape(places + index[..., np.newaxis], (-1, len(along), number))
            products = np.reshape(products[:, np.newaxis] * weights[..., np.newaxis], places.shape)
        yield part, places, products


def _neighbours(n: int, x: Any, order: int, extension: str, nu: int) -> tuple[Any, Any]:
    """The grid points along an axis near each place, and their weights; shape ``(order + 1, m)`` both."""
    start = np.floor(x if order % 2 else x + 0.5)
    pieces = _pieces(order)
    for _ in range(nu):
        pieces = pieces[:, 1:] * np.arange(1, pieces.shape[1])
    powers = np.empty((pieces.shape[1], len(x)))
    powers[:1] = 1.0
    if len(powers) > 1:
        np.subtract(x, start, out=powers[1])
    for power in range(2, len(powers)):
        np.multiply(powers[power - 1], powers[1], out=powers[power])
    weights = pieces @ powers
    first = start.astype(int) - order // 2
    lowest, highest = min(first.min(initial=0), 0), max(first.max(initial=0) + order, n - 1)
    if lowest == 0 and highest == n - 1:  # none is beyond an end
        return first + np.arange(order + 1)[:, np.newaxis], weights
    table = places_beyond(n, -lowest, highest - n + 1, extension)
    places = np.take(table, first - lowest + np.arange(order + 1)[:, np.newaxis], mode="clip")
    if extension == "constant":
        weights[places < 0] = 0.0
        places = np.maximum(places, 0)
    return places, weights


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


def _next(nu: tuple[int, ...], axis: int) -> tuple[int, ...]:
    return (*nu[:axis], nu[axis] + 1, *nu[axis + 1 :])


def _times(v: Any, y: Any) -> Any:
    """Numbers of the places times values there, in each grid."""
    return np.reshape(v, (-1, *(1,) * (y.ndim - 1))) * y


def _of_places(y: Any) -> Any:
    """The sums over all grids."""
    return np.sum(np.reshape(y, (y.shape[0], math.prod(y.shape[1:]))), axis=1)


@frule.dispatch
def sample_frule(  # noqa: PLR0913, PLR0917 - those of the operation
    tangents: Any,
    f: typeof_(sample),
    c: ArrayOperand,
    x: ArrayOperand,
    order: int,
    extension: str,
    nu: tuple,  # type: ignore[type-arg]  # plain classes are dispatched on
) -> tuple[Any, Any]:
    """The samples of the tangent, and those of the derivatives times the tangents of the places."""
    c_dot, x_dot = tangents[1:3]
    y, y_dot = sample(c, x, order, extension, nu), c_dot
    if not isinstance(c_dot, AbstractZero):
        y_dot = sample(c_dot, x, order, extension, nu)
    if not isinstance(x_dot, AbstractZero):
        for axis in range(len(nu)):
            y_dot = y_dot + _times(x_dot[axis], sample(c, x, order, extension, _next(nu, axis)))
    return y, y_dot


@rrule.dispatch
def sample_rrule(  # noqa: PLR0913, PLR0917 - those of the operation
    f: typeof_(sample),
    c: ArrayOperand,
    x: ArrayOperand,
    order: int,
    extension: str,
    nu: tuple,  # type: ignore[type-arg]  # plain classes are dispatched on
) -> tuple[Any, Any]:
    """The cotangent spread, and that of the places."""
    project_c, project_x, shape = ProjectTo(c), ProjectTo(x), c.shape[: len(nu)]

    def sample_pullback(y_bar: Any) -> Any:
        def pull_x() -> Any:
            slopes = [sample(c, x, order, extension, _next(nu, axis)) for axis in range(len(nu))]
            return project_x(np.stack([_of_places(np.conj(slope) * y_bar) for slope in slopes]))

        c_bar = Thunk(lambda: project_c(spread(y_bar, x, order, extension, nu, shape)))
        return NO_TANGENT, c_bar, Thunk(pull_x), *(NO_TANGENT,) * 3

    return sample(c, x, order, extension, nu), sample_pullback


@frule.dispatch
def spread_frule(  # noqa: PLR0913, PLR0917 - those of the operation
    tangents: Any,
    f: typeof_(spread),
    y: ArrayOperand,
    x: ArrayOperand,
    order: int,
    extension: str,
    nu: tuple,  # type: ignore[type-arg]  # plain classes are dispatched on
    shape: tuple,  # type: ignore[type-arg]  # plain classes are dispatched on
) -> tuple[Any, Any]:
    """The tangent spread, and the derivatives times the tangents of the places."""
    y_dot, x_dot = tangents[1:3]
    c, c_dot = spread(y, x, order, extension, nu, shape), y_dot
    if not isinstance(y_dot, AbstractZero):
        c_dot = spread(y_dot, x, order, extension, nu, shape)
    if not isinstance(x_dot, AbstractZero):
        for axis in range(len(nu)):
            moved = _times(x_dot[axis], y)
            c_dot = c_dot + spread(moved, x, order, extension, _next(nu, axis), shape)
    return c, c_dot


@rrule.dispatch
def spread_rrule(  # noqa: PLR0913, PLR0917 - those of the operation
    f: typeof_(spread),
    y: ArrayOperand,
    x: ArrayOperand,
    order: int,
    extension: str,
    nu: tuple,  # type: ignore[type-arg]  # plain classes are dispatched on
    shape: tuple,  # type: ignore[type-arg]  # plain classes are dispatched on
) -> tuple[Any, Any]:
    """The samples of the cotangent, and the cotangent of the places."""
    project_y, project_x = ProjectTo(y), ProjectTo(x)

    def spread_pullback(c_bar: Any) -> Any:
        def pull_x() -> Any:
            slopes = [sample(c_bar, x, order, extension, _next(nu, axis)) for axis in range(len(nu))]
            return project_x(np.stack([_of_places(np.conj(y) * slope) for slope in slopes]))

        y_bar = Thunk(lambda: project_y(sample(c_bar, x, order, extension, nu)))
        return NO_TANGENT, y_bar, Thunk(pull_x), *(NO_TANGENT,) * 4

    return spread(y, x, order, extension, nu, shape), spread_pullback
