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
        The coefficients, on a grid with `d` axes.
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
        Shape ``(m,)``.
    """
    flat = np.reshape(c, -1)
    y = np.zeros(x.shape[1], np.result_type(c, x))
    for places, weights in _corners(c.shape, x, order, extension, nu):
        y += weights * flat[places]
    return y


@primitive
def spread(  # noqa: PLR0913, PLR0917 - those of `sample`, and the shape
    y: Any, x: Any, order: int, extension: str, nu: tuple[int, ...], shape: tuple[int, ...]
) -> Any:
    """The adjoint of `sample`: coefficients on a grid of a shape."""
    size = math.prod(shape)
    c = np.zeros(size, np.result_type(y, x))
    for places, weights in _corners(shape, x, order, extension, nu):
        if c.dtype.kind == "c":
            c.real += np.bincount(places, weights * y.real, size)
            c.imag += np.bincount(places, weights * y.imag, size)
        else:
            c += np.bincount(places, weights * y, size)
    return np.reshape(c, shape)


def _corners(
    shape: tuple[int, ...], x: Any, order: int, extension: str, nu: tuple[int, ...]
) -> Iterator[tuple[Any, Any]]:
    """For each grid point near the places: where it is among all, and its weights."""
    along = [
        _neighbours(n, places, order, extension, of)
        for n, places, of in zip(shape, np.asarray(x, float), nu, strict=True)
    ]
    pairs: list[tuple[Any, Any]] = [(0, 1.0)]
    for axis, (index, values) in enumerate(along):
        stride = math.prod(shape[axis + 1 :])
        pairs = [
            (places + step, weights * value)
            for places, weights in pairs
            for step, value in zip(index * stride, values, strict=True)
        ]
    yield from pairs


def _neighbours(n: int, x: Any, order: int, extension: str, nu: int) -> tuple[Any, Any]:
    """The grid points along an axis near each place, and their weights; shape ``(order + 1, m)`` both."""
    start = np.floor(x if order % 2 else x + 0.5)
    pieces = _pieces(order)
    for _ in range(nu):
        pieces = pieces[:, 1:] * np.arange(1, pieces.shape[1])
    offset = x - start
    weights = np.zeros((order + 1, len(x)))
    for power in reversed(range(pieces.shape[1])):
        weights *= offset
        weights += pieces[:, power, np.newaxis]
    index = start.astype(int) - order // 2 + np.arange(order + 1)[:, np.newaxis]
    lowest, highest = min(index.min(initial=0), 0), max(index.max(initial=0), n - 1)
    places = np.take(places_beyond(n, -lowest, highest - n + 1, extension), index - lowest)
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
            y_dot = y_dot + sample(c, x, order, extension, _next(nu, axis)) * x_dot[axis]
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
    project_c, project_x, shape = ProjectTo(c), ProjectTo(x), c.shape

    def sample_pullback(y_bar: Any) -> Any:
        def pull_x() -> Any:
            slopes = [sample(c, x, order, extension, _next(nu, axis)) for axis in range(len(nu))]
            return project_x(np.stack([np.conj(slope) * y_bar for slope in slopes]))

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
            c_dot = c_dot + spread(y * x_dot[axis], x, order, extension, _next(nu, axis), shape)
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
            return project_x(np.stack([np.conj(y) * slope for slope in slopes]))

        y_bar = Thunk(lambda: project_y(sample(c_bar, x, order, extension, nu)))
        return NO_TANGENT, y_bar, Thunk(pull_x), *(NO_TANGENT,) * 4

    return spread(y, x, order, extension, nu, shape), spread_pullback
