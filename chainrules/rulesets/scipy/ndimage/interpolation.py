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

from chainrules.formulas.filters.spline_images import Interpolation, of_images, pull_coefficients
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
    axes
        ``axes(call)`` are the two axes that are interpolated, if not all are.
    """

    of: Any
    push: Any
    pull: Any
    axes: Any = lambda call: ()


def _found(call: ImageCall, y, places: _Places) -> Any:
    """The interpolation of the axes that are interpolated, of which `call` keeps the coordinates."""
    if call.found is None:
        before, after = shape_of(array_of(call["input"])), shape_of(y)
        if axes := places.axes(call):
            before, after = (tuple(shape[axis] for axis in axes) for shape in (before, after))
        order = 1 if call.name == "zoom" and _is_unchanged(call) else call["order"]
        coordinates = places.of(call, after)
        call.found = Interpolation(before, after, coordinates, order, call["mode"], call["prefilter"])
    return call.found


def _interpolation_rules(primal, places: _Places, *arguments: str) -> None:
    apply = primitive(primal)

    def by_number(call: ImageCall):
        """The derivative by the number that stands beyond the borders."""
        zeros = np.zeros_like(primal_of(array_of(call["input"])), dtype=float)
        return call.changed(apply, input=zeros, cval=1.0, output=None)

    def push(call: ImageCall, y, argument: str, dot):
        if argument == "input":
            return call.changed(apply, input=dot, cval=0.0)
        if argument == "cval":
            return by_number(call) * dot
        found, axes = _found(call, y, places), places.axes(call)
        slopes = found.slopes_at(_to_front(array_of(call["input"]), axes), call["cval"])
        dots = places.push(call, found.results, argument, dot)
        terms = [of_images(x_dot, slope) * slope for slope, x_dot in zip(slopes, dots, strict=True)]
        return _back(sum(terms[1:], start=terms[0]), axes)

    def pull(call: ImageCall, y, argument: str, y_bar):
        if argument == "cval":
            return np.sum(conjugate(by_number(call)) * y_bar)
        found, axes = _found(call, y, places), places.axes(call)
        y_bar = _to_front(y_bar, axes)
        if argument == "input":
            return _back(found.pull_image(y_bar), axes)
        bars = found.pull_places(y_bar, _to_front(array_of(call["input"]), axes), call["cval"])
        return places.pull(call, found.results, argument, bars)

    image_rules(primal, push, pull, {"input", "cval", *arguments})


def _to_front(x, axes: tuple[int, ...]):
    """The axes that are interpolated before all others, each of which holds more images."""
    return np.moveaxis(x, axes, range(len(axes))) if axes else x


def _back(x, axes: tuple[int, ...]):
    return np.moveaxis(x, range(len(axes)), axes) if axes else x


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


def _plane(call: ImageCall) -> tuple[int, ...]:
    return tuple(sorted(axis % call.ndim for axis in call["axes"]))


def _rotated(call: ImageCall, shape: tuple[int, ...]):
    """The coordinates turned in a plane about the middle of the image."""
    before = shape_of(array_of(call["input"]))
    middle = np.array([(before[axis] - 1) / 2 for axis in _plane(call)])
    return _turned(shape, cosdg(call["angle"]), sindg(call["angle"]), middle)


def _turned(shape: tuple[int, ...], cosine, sine, middle=0.0):
    """A grid turned, with its middle moved there: as SciPy computes it, since order 0 rounds it."""
    matrix = np.reshape(np.stack((cosine, sine, -sine, cosine)), (2, 2))
    return _moved_by(matrix, shape, middle - matrix @ ((np.array(shape) - 1) / 2))


def _by_angle(call: ImageCall, shape: tuple[int, ...]):
    degree, angle = math.pi / 180, call["angle"]
    return _turned(shape, -degree * sindg(angle), degree * cosdg(angle))


def _push_rotated(call: ImageCall, shape: tuple[int, ...], argument: str, dot):
    return [slope * dot for slope in _by_angle(call, shape)]


def _pull_rotated(call: ImageCall, shape: tuple[int, ...], argument: str, bars):
    slopes = zip(bars, _by_angle(call, shape), strict=True)
    return sum(np.sum(bar * of_images(slope, bar)) for bar, slope in slopes)


_interpolation_rules(ndimage.map_coordinates, _Places(_given, _given, _pull_given), "coordinates")
_interpolation_rules(
    ndimage.affine_transform, _Places(_affine, _push_affine, _pull_affine), "matrix", "offset"
)
_interpolation_rules(ndimage.shift, _Places(_shifted, _push_shifted, _pull_shifted), "shift")
_interpolation_rules(ndimage.zoom, _Places(_zoomed, _no_tangents, _no_cotangent), "zoom")
_interpolation_rules(ndimage.rotate, _Places(_rotated, _push_rotated, _pull_rotated, _plane), "angle")


# --- The coefficients of splines --------------------------------------------------------------------


def _coefficient_rules(primal) -> None:
    apply = primitive(primal)

    def push(call: ImageCall, y, argument: str, dot):
        return call.changed(apply, input=dot)

    def pull(call: ImageCall, y, argument: str, y_bar):
        axes = range(call.ndim) if call.get("axis") is None else (call["axis"],)
        return pull_coefficients(y_bar, call["order"], axes, call["mode"])

    image_rules(primal, push, pull, {"input"})


_coefficient_rules(ndimage.spline_filter)
_coefficient_rules(ndimage.spline_filter1d)
