"""Filters of images that call functions of the user's back: for each place, window, line or axis.

Which elements a window or a line has, whatever its mode and origin, is seen from the filter of an image of
numbers.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.entering import entered, entered_if_traced
from chainrules.ad.interception.choosing.image_outputs import filling_output
from chainrules.ad.interception.known.scipy.interpolate.fits import as_array, plain
from chainrules.ad.values.facts import fact
from chainrules.ad.writing.fillable import fillable
from chainrules_core import contains_carrier, primal_of


def _reading(transform: Any) -> Callable[..., Any]:
    """The function for the place of `geometric_transform`: `map_coordinates` with all coordinates."""

    def call(  # noqa: PLR0913, PLR0917 - as many as the function has
        input: Any,  # noqa: A002 - SciPy's name
        mapping: Any,
        output_shape: Any = None,
        output: Any = None,
        order: int = 3,
        mode: str = "constant",
        cval: Any = 0.0,
        prefilter: bool = True,
        extra_arguments: tuple[Any, ...] = (),
        extra_keywords: dict[str, Any] | None = None,
    ) -> Any:
        named = extra_keywords or {}
        if not callable(mapping):  # it is written in C
            return transform(
                input, mapping, output_shape, output, order, mode, cval, prefilter, extra_arguments, named
            )

        from scipy.ndimage import map_coordinates  # noqa: PLC0415 - whoever calls it has imported it

        shape, place_of = output_shape or np.shape(input), choose(mapping)
        coordinates = fillable(np.empty((np.ndim(input), *shape)))
        for index in np.ndindex(*shape):
            coordinates[(slice(None), *index)] = place_of(index, *extra_arguments, **named)
        return choose(map_coordinates)(input, coordinates, output, order, mode, cval, prefilter)

    return entered_if_traced(transform, call)


# --- Windows and lines ------------------------------------------------------------------------------------


def _elements(x: Any, places: Any, cval: Any) -> Any:
    """The elements with these numbers, from one on; zero stands for the value beyond the image."""
    places = np.asarray(places, dtype=int)
    return np.where(places == 0, cval, np.ravel(x)[np.maximum(places, 1) - 1])


def _recorded(apply: Any, x: Any, *options: Any, **named: Any) -> list[Any]:
    """What a filter hands its function, of an image of numbers."""
    seen: list[Any] = []
    shape = np.shape(x)
    numbers = np.reshape(np.arange(1.0, 1.0 + np.prod(shape, dtype=int)), shape)

    def record(window: Any, *_: Any) -> float:
        seen.append(window.copy())
        return 0.0

    apply(numbers, record, *options, **named)
    return seen


def _image(x: Any, output: Any) -> tuple[Any, Any]:
    """An image in double precision, as filters hand it on, and the dtype of what is made of it."""
    image = as_array(x)
    return image, np.dtype(getattr(primal_of(x), "dtype", image.dtype) if output is None else output)


def _by_windows(generic_filter: Any) -> Callable[..., Any]:
    """The function for the place of `generic_filter`."""

    def call(  # noqa: PLR0913, PLR0917 - as many as the function has
        input: Any,  # noqa: A002 - SciPy's name
        function: Any,
        size: Any = None,
        footprint: Any = None,
        output: Any = None,
        mode: Any = "reflect",
        cval: Any = 0.0,
        origin: Any = 0,
        extra_arguments: tuple[Any, ...] = (),
        extra_keywords: dict[str, Any] | None = None,
        **axes: Any,
    ) -> Any:
        named, (x, dtype) = extra_keywords or {}, _image(input, output)
        windows = _recorded(generic_filter, x, size, footprint, None, mode, 0.0, origin, **axes)
        f = choose(function)
        numbers = [f(_elements(x, places, cval), *extra_arguments, **named) for places in windows]
        return np.reshape(np.stack(numbers), np.shape(x)).astype(dtype)

    return filling_output(generic_filter, entered_if_traced(generic_filter, call))


def _by_lines(generic_filter1d: Any) -> Callable[..., Any]:
    """The function for the place of `generic_filter1d`, whose function fills a line."""

    def call(  # noqa: PLR0913, PLR0917 - as many as the function has
        input: Any,  # noqa: A002 - SciPy's name
        function: Any,
        filter_size: Any,
        axis: int = -1,
        output: Any = None,
        mode: str = "reflect",
        cval: Any = 0.0,
        origin: int = 0,
        extra_arguments: tuple[Any, ...] = (),
        extra_keywords: dict[str, Any] | None = None,
    ) -> Any:
        named, (x, dtype) = extra_keywords or {}, _image(input, output)
        f, lines = choose(function), []
        for places in _recorded(generic_filter1d, x, filter_size, axis, None, mode, 0.0, origin):
            line = fillable(np.zeros(np.shape(x)[axis]))
            f(_elements(x, places, cval), line, *extra_arguments, **named)
            lines.append(line)
        moved = np.shape(np.moveaxis(np.empty(np.shape(x)), axis, -1))
        return np.moveaxis(np.reshape(np.stack(lines), moved), -1, axis).astype(dtype)

    return filling_output(generic_filter1d, entered_if_traced(generic_filter1d, call))


# --- Sums over axes ----------------------------------------------------------------------------------------


def _root(squares: Any) -> Any:
    """The root, with the derivative zero where nothing has a slope, as norms have it."""
    is_zero = primal_of(squares) == 0.0
    return np.where(is_zero, 0.0, np.sqrt(np.where(is_zero, 1.0, squares))).astype(squares.dtype)[()]


def _deviations(standard_deviation: Any) -> Callable[..., Any]:
    """The function for the place of `standard_deviation`, which has slope zero where a group is constant."""

    def call(input: Any, labels: Any = None, index: Any = None) -> Any:  # noqa: A002 - SciPy's name
        from scipy.ndimage import variance  # noqa: PLC0415 - as above

        return _root(choose(variance)(input, labels, index))

    return entered_if_traced(standard_deviation, call)


def _distances(transform: Any) -> Callable[..., Any]:
    """The function for the place of `distance_transform_edt`: which places are nearest is constant."""
    followed = entered(transform) or transform

    def call(  # noqa: PLR0913, PLR0917 - as many as the function has
        input: Any,  # noqa: A002 - SciPy's name
        sampling: Any = None,
        return_distances: bool = True,
        return_indices: bool = False,
        distances: Any = None,
        indices: Any = None,
    ) -> Any:
        if not contains_carrier(sampling) or not return_distances or distances is not None:
            return followed(input, sampling, return_distances, return_indices, distances, indices)
        nearest = transform(primal_of(input), plain(sampling), False, True)
        steps = nearest - np.indices(nearest.shape[1:])
        widths = np.broadcast_to(as_array(sampling), len(steps))
        y = _root(sum((step * width) ** 2 for step, width in zip(steps, widths, strict=True)))
        if indices is not None:
            indices[...] = nearest
        return (y, nearest) if return_indices and indices is None else y

    return entered_if_traced(transform, call)


def _over_axes(of_squares: bool) -> Callable[[Any], Callable[..., Any]]:
    """The function for the place of `generic_laplace`, or of `generic_gradient_magnitude`.

    SciPy lets the function write the derivative along the first axis, and return those along the others. Here
    it returns all of them.
    """

    def wrapped(generic: Any) -> Callable[..., Any]:
        def call(  # noqa: PLR0913, PLR0917 - as many as the function has
            input: Any,  # noqa: A002 - SciPy's name
            derivative: Any,
            output: Any = None,
            mode: Any = "reflect",
            cval: Any = 0.0,
            extra_arguments: tuple[Any, ...] = (),
            extra_keywords: dict[str, Any] | None = None,
            *,
            axes: Any = None,
        ) -> Any:
            named, (x, dtype) = extra_keywords or {}, _image(input, output)
            x = x.astype(getattr(primal_of(input), "dtype", x.dtype))
            axes = range(np.ndim(x)) if axes is None else np.atleast_1d(axes).tolist()
            modes = [mode] * len(axes) if isinstance(mode, str) else mode
            f = choose(derivative)
            terms = [
                f(x, axis, dtype, mode, cval, *extra_arguments, **named)
                for axis, mode in zip(axes, modes, strict=True)
            ]
            if not terms:
                return x.astype(dtype)
            return _root(sum(term * term for term in terms)) if of_squares else sum(terms)

        return filling_output(generic, entered_if_traced(generic, call))

    return wrapped


fact("scipy.ndimage._interpolation.geometric_transform", wrapped=_reading)
fact("scipy.ndimage._filters.generic_filter", wrapped=_by_windows)
fact("scipy.ndimage._filters.generic_filter1d", wrapped=_by_lines)
fact("scipy.ndimage._measurements.standard_deviation", wrapped=_deviations)
fact("scipy.ndimage._morphology.distance_transform_edt", wrapped=_distances)
fact("scipy.ndimage._filters.generic_laplace", wrapped=_over_axes(of_squares=False))
fact("scipy.ndimage._filters.generic_gradient_magnitude", wrapped=_over_axes(of_squares=True))
