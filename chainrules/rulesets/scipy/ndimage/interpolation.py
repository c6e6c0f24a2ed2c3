"""Rules for images interpolated by splines, by the image and by what the coordinates are computed from.

The result is linear in the image. By a coordinate it has the derivative of the spline; see
`chainrules.formulas.filters.spline_images`. A zoom has coordinates that depend on the shapes alone.
"""

import functools
import math
import operator
from typing import Any, NamedTuple

import numpy as np
from scipy import ndimage
from scipy.special import cosdg, sindg

from chainrules.formulas.filters.spline_images import Interpolation, pull_coefficients
from chainrules.makers.image_filters import image_rules
from chainrules.makers.versions import is_scipy_since
from chainrules.values.image_calls import ImageCall
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import array_of
from chainrules.values.stacks import conjugate, is_complex_array
from chainrules_core import ZeroTangent, primal_of, primitive


class _Places(NamedTuple):
    """Where a function reads the image.

    Attributes
    ----------
    of
        ``of(call, shape)`` are the coordinates along each axis, which broadcast to the shape of the result.
    push
        ``push(call, shape, argument, dot)`` are their tangents; `None` for an argument without a derivative.
    pull
        ``pull(call, shape, argument, bars)`` is the cotangent of the argument.
    """

    of: Any
    push: Any
    pull: Any


def _interpolation_rules(primal, places: _Places, *arguments: str) -> None:
    apply = primitive(primal)

    def found(call: ImageCall, y) -> Any:
        if call.found is None:
            shapes = shape_of(array_of(call["input"])), shape_of(y)
            order = 1 if primal is ndimage.zoom and _is_unchanged(call) else call["order"]
            coordinates = places.of(call, shape_of(y))
            call.found = Interpolation(*shapes, coordinates, order, call["mode"], call["prefilter"])
        return call.found

    def by_number(call: ImageCall):
        """The derivative by the number that stands beyond the borders."""
        zeros = np.zeros_like(primal_of(array_of(call["input"])), dtype=float)
        return call.changed(apply, input=zeros, cval=1.0, output=None)

    def push(call: ImageCall, y, argument: str, dot):
        if argument == "input":
            return call.changed(apply, input=dot, cval=0.0)
        if argument == "cval":
            return by_number(call) * dot
        slopes = found(call, y).slopes_at(array_of(call["input"]), call["cval"])
        dots = places.push(call, shape_of(y), argument, dot)
        terms = [slope * x_dot for slope, x_dot in zip(slopes, dots, strict=True)]
        return sum(terms[1:], start=terms[0])

    def pull(call: ImageCall, y, argument: str, y_bar):
        if argument == "cval":
            return np.sum(conjugate(by_number(call)) * y_bar)
        if argument == "input":
            return found(call, y).pull_image(y_bar)
        bars = found(call, y).pull_places(y_bar, array_of(call["input"]), call["cval"])
        return places.pull(call, shape_of(y), argument, bars)

    image_rules(primal, push, pull, {"input", "cval", *arguments})


def _grid(shape: tuple[int, ...]):
    """The coordinates of the elements of an array of a shape, along each axis."""
    return np.indices(shape, float, sparse=True)


# --- Where each function reads ----------------------------------------------------------------------


def _given(call: ImageCall, shape: tuple[int, ...], argument="coordinates", coordinates=None):
    return array_of(call["coordinates"]) if coordinates is None else coordinates


def _pull_given(call: ImageCall, shape: tuple[int, ...], argument: str, bars):
    return np.stack(bars)


def _affine(call: ImageCall, shape: tuple[int, ...]):
    matrix, offset = array_of(call["matrix"]), array_of(call["offset"])
    if _is_homogeneous(call, matrix):
        offset, matrix = matrix[: call.ndim, -1], matrix[: call.ndim, :-1]
    return _moved_by(matrix, shape, offset)


def _is_homogeneous(call: ImageCall, matrix) -> bool:
    shape, n = shape_of(matrix), call.ndim
    return shape in {(n, n + 1), (n + 1, n + 1)}


def _moved_by(matrix, shape: tuple[int, ...], offset):
    """The coordinates of a grid that is multiplied by a matrix, or by its diagonal, and then moved."""
    grid, start = _grid(shape), _each(offset, shape_of(matrix)[0])
    if len(shape_of(matrix)) == 1:
        return [each + slope * x for each, slope, x in zip(start, matrix, grid, strict=True)]
    return [
        functools.reduce(operator.add, (slope * x for slope, x in zip(row, grid, strict=True)), each)
        for each, row in zip(start, matrix, strict=True)
    ]


def _each(offset, ndim: int) -> list[Any]:
    """The offset along each axis; one may stand for all."""
    return [offset[axis] if shape_of(offset) else offset for axis in range(ndim)]


def _push_affine(call: ImageCall, shape: tuple[int, ...], argument: str, dot):
    if argument == "offset":
        is_used = not _is_homogeneous(call, array_of(call["matrix"]))
        return _each(dot * is_used, call.ndim)
    if _is_homogeneous(call, dot):
        return _moved_by(dot[: call.ndim, :-1], shape, dot[: call.ndim, -1])
    return _moved_by(dot, shape, 0.0)


def _pull_affine(call: ImageCall, shape: tuple[int, ...], argument: str, bars):
    matrix = array_of(call["matrix"])
    offset_bar = np.stack([np.sum(bar) for bar in bars])
    if argument == "offset":
        if _is_homogeneous(call, matrix):
            return ZeroTangent()
        return offset_bar if shape_of(array_of(call["offset"])) else np.sum(offset_bar)
    if len(shape_of(matrix)) == 1:
        return np.stack([np.sum(bar * x) for bar, x in zip(bars, _grid(shape), strict=True)])
    matrix_bar = np.stack([np.stack([np.sum(bar * x) for x in _grid(shape)]) for bar in bars])
    if not _is_homogeneous(call, matrix):
        return matrix_bar
    matrix_bar = np.concatenate((matrix_bar, offset_bar[:, np.newaxis]), axis=1)
    below = np.zeros((shape_of(matrix)[0] - call.ndim, call.ndim + 1))  # which has to be (0, ..., 0, 1)
    return np.concatenate((matrix_bar, below))


def _shifted(call: ImageCall, shape: tuple[int, ...]):
    shift = _each(array_of(call["shift"]), call.ndim)
    return [x - each for x, each in zip(_grid(shape), shift, strict=True)]


def _push_shifted(call: ImageCall, shape: tuple[int, ...], argument: str, dot):
    return _each(-dot, call.ndim)


def _pull_shifted(call: ImageCall, shape: tuple[int, ...], argument: str, bars):
    shift_bar = np.stack([-np.sum(bar) for bar in bars])
    return shift_bar if shape_of(array_of(call["shift"])) else np.sum(shift_bar)


def _zoomed(call: ImageCall, shape: tuple[int, ...]):
    x = array_of(call["input"])
    # The parts of a complex image are zoomed without it, in SciPy's code too.
    before, grid_mode = shape_of(x), call["grid_mode"] and not is_complex_array(x)
    coordinates = []
    for places, n, m in zip(_grid(shape), before, shape, strict=True):
        less = 0 if grid_mode else 1
        ratio = (n - less) / (m - less) if m > less else 1.0
        coordinates.append((places + 0.5) * ratio - 0.5 if grid_mode else places * ratio)
    return coordinates


def _is_unchanged(call: ImageCall) -> bool:
    """Whether a zoom returns the image itself, as SciPy does since 1.16; its splines are not quite exact."""
    zooms = call.for_each_axis("zoom", call.ndim)
    return call["prefilter"] and all(zoom == 1 for zoom in zooms) and is_scipy_since(1, 16)


def _no_tangents(call: ImageCall, shape: tuple[int, ...], argument: str, dot):
    """The numbers of pixels are constant between jumps, and the coordinates depend on them alone."""
    return [0.0] * call.ndim


def _no_cotangent(call: ImageCall, shape: tuple[int, ...], argument: str, bars):
    return ZeroTangent()


def _rotated(call: ImageCall, shape: tuple[int, ...]):
    """The coordinates turned in a plane about the middle of the image."""
    return _turned(call, shape, cosdg(call["angle"]), sindg(call["angle"]), 1.0)


def _turned(call: ImageCall, shape: tuple[int, ...], cosine, sine, middle: float):
    first, second = sorted(axis % call.ndim for axis in call["axes"])
    before, places = shape_of(array_of(call["input"])), list(_grid(shape))
    y, x = (places[axis] - (shape[axis] - 1) / 2 for axis in (first, second))
    y_centre, x_centre = ((before[axis] - 1) / 2 * middle for axis in (first, second))
    places[first] = cosine * y + sine * x + y_centre
    places[second] = cosine * x - sine * y + x_centre
    return [v if axis in {first, second} else v * middle for axis, v in enumerate(places)]


def _by_angle(call: ImageCall, shape: tuple[int, ...]):
    degree, angle = math.pi / 180, call["angle"]
    return _turned(call, shape, -degree * sindg(angle), degree * cosdg(angle), 0.0)


def _push_rotated(call: ImageCall, shape: tuple[int, ...], argument: str, dot):
    return [slope * dot for slope in _by_angle(call, shape)]


def _pull_rotated(call: ImageCall, shape: tuple[int, ...], argument: str, bars):
    slopes = zip(bars, _by_angle(call, shape), strict=True)
    return sum(np.sum(bar * slope) for bar, slope in slopes)


_interpolation_rules(ndimage.map_coordinates, _Places(_given, _given, _pull_given), "coordinates")
_interpolation_rules(
    ndimage.affine_transform, _Places(_affine, _push_affine, _pull_affine), "matrix", "offset"
)
_interpolation_rules(ndimage.shift, _Places(_shifted, _push_shifted, _pull_shifted), "shift")
_interpolation_rules(ndimage.zoom, _Places(_zoomed, _no_tangents, _no_cotangent), "zoom")
_interpolation_rules(ndimage.rotate, _Places(_rotated, _push_rotated, _pull_rotated), "angle")


# --- The coefficients of splines --------------------------------------------------------------------


def _coefficient_rules(primal) -> None:
    apply = primitive(primal)

    def push(call: ImageCall, y, argument: str, dot):
        return call.changed(apply, input=dot)

    def pull(call: ImageCall, y, argument: str, y_bar):
        for axis in range(call.ndim) if call.get("axis") is None else (call["axis"],):
            y_bar = pull_coefficients(y_bar, call["order"], axis, call["mode"])
        return y_bar

    image_rules(primal, push, pull, {"input"})


_coefficient_rules(ndimage.spline_filter)
_coefficient_rules(ndimage.spline_filter1d)
