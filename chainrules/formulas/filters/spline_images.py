"""Images interpolated by splines: their coefficients, places beyond the ends, and the adjoints.

The coefficients ``c = S x`` of a line are those of the spline that goes through the pixels. Where the image
is repeated with its borders, or periodic, ``S`` is symmetric. Where it is mirrored at the middles of its
first and last pixels, ``S W⁻¹`` is, with ``W`` of ones, but halves at the ends. SciPy's coefficients of a
line of a few pixels that is repeated with its borders are not quite those of the spline: their relative error
is ``|z|^(2n-1)`` for `n` pixels, with ``|z|`` from 0.17 for order 2 to 0.43 for order 5. So the matrix of a
short line is SciPy's own.
"""

import functools
import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.ndimage import spline_filter1d

from chainrules.formulas.filters.passes import EXTENSIONS
from chainrules.operations.extensions import extend, fold
from chainrules.operations.spline_samples import sample, spread
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import conjugate
from chainrules_core import is_complex, primal_of, primitive

_spline_filter = primitive(spline_filter1d)

# So many pixels are put around an image whose mode has no spline that goes through all of them.
PADDING = 12
_PADDED = {"nearest": "nearest", "grid-constant": "constant"}
# A line of so many pixels has the coefficients of the spline, to the last digit.
_LONG = 24
_SYMMETRIC = frozenset({"reflect", "grid-mirror", "grid-wrap", "nearest"})


def _filter(x: Any, order: int, axis: int, mode: str) -> Any:
    return _spline_filter(x, order, axis, complex if is_complex(x) else float, mode)


def pull_coefficients(c_bar: Any, order: int, axes: Sequence[int], mode: str) -> Any:
    """The cotangent of the pixels of lines along some axes, from that of their coefficients."""
    if order < 2:
        return c_bar
    shape = shape_of(c_bar)
    scales: list[Any] = []
    for axis in axes:
        n = shape[axis]
        if n < _LONG:
            matrix = spline_filter1d(np.eye(n), order, 0, float, mode)
            c_bar = np.moveaxis(np.tensordot(matrix, c_bar, (0, axis)), 0, axis)
        elif mode not in _SYMMETRIC:
            w = np.ones(n)
            w[[0, -1]] = 0.5
            scales.append(np.reshape(w, (-1, *(1 for _ in range(axis % len(shape) + 1, len(shape))))))
    scale: Any = math.prod(scales)
    c_bar = c_bar / scale if scales else c_bar
    for axis in axes:
        c_bar = _filter(c_bar, order, axis, mode) if shape[axis] >= _LONG else c_bar
    return scale * c_bar if scales else c_bar


class Interpolation:
    """An image interpolated at places.

    Where the coordinates along each axis depend on the place along this axis of the result alone, as those of
    a zoom and of a shift, one axis is interpolated after the other.

    Parameters
    ----------
    shape
        The shape of the image. Axes after these hold more images.
    results
        The shape of the result, of one image.
    places
        For each axis the coordinates, arrays that broadcast to the shape of the result.
    order, mode, prefilter
        As `scipy.ndimage.map_coordinates` takes them.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - the two shapes, and the options of the function
        self,
        shape: tuple[int, ...],
        results: tuple[int, ...],
        places: Sequence[Any],
        order: int,
        mode: str,
        prefilter: bool,
    ) -> None:
        self.shape, self.results, self.order, self.mode = shape, results, order, mode
        self.filters = prefilter and order > 1
        self.padding = PADDING if self.filters and mode in _PADDED else 0
        self.padded = tuple(n + 2 * self.padding for n in shape)
        places = [x + self.padding for x in places] if self.padding else places
        moved = [_moved(x, n, mode) for x, n in zip(places, self.padded, strict=True)]
        self.slopes = [slope for _, slope, _ in moved]
        self.is_inside = [inside for _, _, inside in moved]
        self.how = order, "mirror" if mode in {"constant", "wrap"} else EXTENSIONS[mode]
        self.by_axis = [shape_of(x) for x in places] == [
            (*(1,) * axis, m, *(1,) * (len(shape) - axis - 1)) for axis, m in enumerate(results)
        ]
        self.places = [
            np.reshape(x, (1, -1)) if self.by_axis else np.reshape(np.broadcast_to(x, results), -1)
            for x, _, _ in moved
        ]

    def coefficients(self, image: Any) -> Any:
        """The coefficients of the spline."""
        for axis in range(len(self.shape)) if self.padding else ():
            image = extend(image, self.padding, self.padding, _PADDED[self.mode], axis)
        for axis in range(len(self.shape)) if self.filters else ():
            image = _filter(image, self.order, axis, self.mode)
        return image

    def slopes_at(self, image: Any, cval: Any) -> list[Any]:
        """The derivatives of the results by the coordinates along each axis."""
        if self.mode == "grid-constant":
            image = image - cval
        c, ndim = self.coefficients(image), len(self.shape)
        return [
            self._inside(of_images(slope, s) * s)
            for slope, s in zip(
                self.slopes,
                (self._sample(c, tuple(int(axis == k) for k in range(ndim))) for axis in range(ndim)),
                strict=True,
            )
        ]

    def pull_image(self, y_bar: Any) -> Any:
        """The cotangent of the image, from that of the results."""
        c_bar = self._spread(y_bar)
        if self.filters:
            c_bar = pull_coefficients(c_bar, self.order, range(len(self.shape)), self.mode)
        for axis in range(len(self.shape)) if self.padding else ():
            c_bar = fold(c_bar, self.padding, self.padding, _PADDED[self.mode], axis)
        return c_bar

    def pull_places(self, y_bar: Any, image: Any, cval: Any) -> list[Any]:
        """The cotangents of the coordinates along each axis."""
        return [np.real(conjugate(slope) * y_bar) for slope in self.slopes_at(image, cval)]

    def _inside(self, y: Any) -> Any:
        """Results, and zeros in the place of those that are read beyond the image."""
        for inside in self.is_inside if self.mode == "constant" else ():
            y = np.where(of_images(inside, y), y, 0.0)
        return y

    def _sample(self, c: Any, nu: tuple[int, ...]) -> Any:
        if not self.by_axis:
            images = shape_of(c)[len(self.shape) :]
            return np.reshape(sample(c, np.stack(self.places), *self.how, nu), (*self.results, *images))
        for axis, places in enumerate(self.places):
            lines = sample(np.moveaxis(c, axis, 0), places, *self.how, nu[axis : axis + 1])
            c = np.moveaxis(lines, 0, axis)
        return c

    def _spread(self, y: Any) -> Any:
        if not self.by_axis:
            images, nu = shape_of(y)[len(self.results) :], (0,) * len(self.shape)
            y, lines = np.reshape(y, (math.prod(self.results), *images)), self.places
            if self.mode == "constant":
                inside = functools.reduce(operator.and_, self.is_inside)
                at = np.flatnonzero(np.broadcast_to(inside, self.results))
                y, lines = y[at], [x[at] for x in lines]
            return spread(y, np.stack(lines), *self.how, nu, self.padded)
        y = self._inside(y)
        for axis, places in enumerate(self.places):
            lines = np.moveaxis(y, axis, 0)
            y = np.moveaxis(spread(lines, places, *self.how, (0,), self.padded[axis : axis + 1]), 0, axis)
        return y


def of_images(v: Any, y: Any) -> Any:
    """Numbers of the places, such that they broadcast with the results of several images."""
    return np.reshape(v, (*shape_of(v), *(1,) * (len(shape_of(y)) - len(shape_of(v))))) if shape_of(v) else v


def _moved(x: Any, n: int, mode: str) -> tuple[Any, Any, Any]:
    """Coordinates where the mode reads, their derivative by those that are given, and which of them count.

    Each mode moves a coordinate by a constant, or reflects it, or puts it at an end.
    """
    at = primal_of(x)
    is_inside = (at >= 0) & (at <= n - 1)
    if mode in {"grid-constant", "nearest"}:  # further out than any spline reaches, nothing changes
        is_near = (at > -8) & (at < n + 7)
        return np.where(is_near, x, np.clip(at, -8, n + 7)), is_near * 1.0, np.ones_like(is_inside)
    if mode == "constant":
        return np.where(is_inside, x, 0.0), 1.0, is_inside
    if n == 1:
        return np.where(is_inside, x, np.clip(at, 0, n - 1)), is_inside * 1.0, np.ones_like(is_inside)
    if mode in {"wrap", "grid-wrap"}:
        # With "wrap", a place that is whole periods below the first pixel is the last.
        period = n - 1 if mode == "wrap" else n
        whole = np.floor(-at / period) + 1 if mode == "wrap" else np.ceil(-at / period)
        turns = np.where(at < 0, whole, -np.floor(at / period))
        return x + np.where(is_inside, 0, turns * period), 1.0, is_inside | True
    period, middle = (2 * n - 2, 0.0) if mode == "mirror" else (2 * n, 0.5)
    turns = np.floor((at + middle) / period) * period
    is_turned = at + middle - turns > period / 2
    slope = np.where(is_turned, -1.0, 1.0)
    constant = np.where(is_turned, period + turns - 2 * middle, -turns)
    return slope * x + constant, slope, np.ones_like(is_inside)
