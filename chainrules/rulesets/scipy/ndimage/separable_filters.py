"""Rules for filters that are correlations along one axis after the other, or sums of such.

They are linear in the image, up to the number beyond its borders. See `chainrules.formulas.filters.passes`.
"""

import numpy as np
from scipy import ndimage

from chainrules.formulas.filters.passes import Pass, gaussian_weights, pull_passes, pull_weights, run_moved
from chainrules.makers.image_filters import image_rules
from chainrules.values.image_calls import ImageCall, each
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import array_of
from chainrules.values.stacks import conjugate
from chainrules_core import primal_of, primitive


def _filter_rules(primal, sums_of) -> None:
    """Define the rules of a filter, of which `sums_of` gives for a call the passes of each term."""
    apply = primitive(primal)

    def push(call: ImageCall, y, argument: str, dot):
        return _push(call, apply, sums_of, argument, dot)

    def pull(call: ImageCall, y, argument: str, y_bar):
        return _pull(call, apply, sums_of, argument, y_bar)

    image_rules(primal, push, pull, _DIFFERENTIABLE)


# A Gaussian filter along an axis that is narrower than this does nothing, as SciPy has it.
_LEAST_WIDTH = 1e-15
_DIFFERENTIABLE = frozenset({"input", "weights", "cval", "sigma"})


def _push(call: ImageCall, apply, sums_of, argument: str, dot):
    """The tangent by one argument."""
    if argument == "input":
        return call.changed(apply, input=dot, cval=0.0)
    if argument == "weights":
        return call.changed(apply, weights=dot)
    if argument == "cval":
        return _by_number(call, apply) * dot
    moved = [slope * dot[k] if shape_of(dot) else slope * dot for k, slope in _slopes(call, sums_of)]
    return sum(moved[1:], start=moved[0]) if moved else 0.0 * array_of(call["input"])


def _pull(call: ImageCall, apply, sums_of, argument: str, y_bar):
    """The cotangent of one argument."""
    given = call[argument]
    if argument == "input":
        parts = [pull_passes(y_bar, passes) for passes in sums_of(call)]
        bar = sum(parts[1:], start=parts[0])
    elif argument == "weights":
        bar = pull_weights(y_bar, array_of(call["input"]), sums_of(call)[0][0], call["cval"])
        bar = conjugate(np.flip(bar)) if sums_of is _convolution else bar
    elif argument == "cval":
        bar = np.sum(conjugate(_by_number(call, apply)) * y_bar)
    else:
        bars = [0.0] * int(np.size(primal_of(array_of(given))))
        for k, slope in _slopes(call, sums_of):
            bars[k] = bars[k] + np.sum(conjugate(slope) * y_bar)
        bar = np.reshape(np.stack(bars), shape_of(array_of(given)))
    return bar


def _by_number(call: ImageCall, apply):
    """The derivative by the number that stands beyond the borders."""
    zeros = np.zeros_like(primal_of(array_of(call["input"])), dtype=float)
    return call.changed(apply, input=zeros, cval=1.0, output=None)


def _slopes(call: ImageCall, sums_of):
    """The derivatives by the widths, with their places among them."""
    x = array_of(call["input"])
    for passes in sums_of(call):
        for place, step in enumerate(passes):
            if step.slope is not None:
                yield step.parameter, run_moved(x, passes, place, call["cval"])


# --- The passes of each filter ----------------------------------------------------------------------


def _correlation(call: ImageCall):
    weights = array_of(call["weights"])
    return [(Pass(call["axis"], weights, call["mode"], call["origin"]),)]


def _convolution(call: ImageCall):
    weights = array_of(call["weights"])
    is_even = shape_of(weights)[0] % 2 == 0
    turned = conjugate(np.flip(weights))
    return [(Pass(call["axis"], turned, call["mode"], -call["origin"] - is_even),)]


def _uniform(call: ImageCall):
    return [tuple(_uniform_passes(call, (call["axis"],)))]


def _uniform_along_axes(call: ImageCall):
    return [tuple(_uniform_passes(call, call.axes))]


def _uniform_passes(call: ImageCall, axes: tuple[int, ...]):
    sizes, modes, origins = (call.for_each_axis(name, len(axes)) for name in ("size", "mode", "origin"))
    for axis, size, mode, origin in zip(axes, sizes, modes, origins, strict=True):
        if size > 1:
            yield Pass(axis, np.full(int(size), 1.0 / int(size)), mode, origin)


def _of_neighbours(across):
    """The difference of the neighbours along an axis, and a mean along the others."""

    def sums_of(call: ImageCall):
        modes = call.for_each_axis("mode", call.ndim)
        axis = call["axis"] % call.ndim
        order = [axis, *(other for other in range(call.ndim) if other != axis)]
        weights = [np.array([-1.0, 0.0, 1.0]), *([np.array(across)] * (call.ndim - 1))]
        return [tuple(Pass(k, w, modes[k]) for k, w in zip(order, weights, strict=True))]

    return sums_of


def _laplace(call: ImageCall):
    modes = call.for_each_axis("mode")
    second = np.array([1.0, -2.0, 1.0])
    return [(Pass(axis, second, mode),) for axis, mode in zip(call.axes, modes, strict=True)]


def _gaussian(call: ImageCall):
    return [tuple(_gaussian_passes(call, (call["axis"],), call["order"], call["mode"]))]


def _gaussian_along_axes(call: ImageCall):
    return [tuple(_gaussian_passes(call, call.axes, call["order"], call["mode"]))]


def _gaussian_passes(call: ImageCall, axes: tuple[int, ...], order, mode):
    options = {"truncate": 4.0, "radius": None, **call.arguments, **call.get("kwargs", {})}
    sigmas = each(call["sigma"], len(axes))
    is_single = shape_of(array_of(call["sigma"])) == ()
    orders, modes, radii = (each(value, len(axes)) for value in (order, mode, options["radius"]))
    for k, axis in enumerate(axes):
        width = float(primal_of(sigmas[k]))
        if width > _LEAST_WIDTH:
            radius = int(options["truncate"] * width + 0.5) if radii[k] is None else radii[k]
            weights, slope = gaussian_weights(sigmas[k], orders[k], radius)
            yield Pass(axis, weights, modes[k], 0, slope, 0 if is_single else k)


def _derivatives(order: int):
    """A term for each axis: the derivative along it of an image that is smoothed along all."""

    def sums_of(call: ImageCall):
        modes = call.for_each_axis("mode")
        return [
            tuple(_gaussian_passes(call, call.axes, [order * (axis == k) for k in call.axes], mode))
            for axis, mode in zip(call.axes, modes, strict=True)
        ]

    return sums_of


_filter_rules(ndimage.correlate1d, _correlation)
_filter_rules(ndimage.convolve1d, _convolution)
_filter_rules(ndimage.uniform_filter1d, _uniform)
_filter_rules(ndimage.uniform_filter, _uniform_along_axes)
_filter_rules(ndimage.prewitt, _of_neighbours([1.0, 1.0, 1.0]))
_filter_rules(ndimage.sobel, _of_neighbours([1.0, 2.0, 1.0]))
_filter_rules(ndimage.laplace, _laplace)
_filter_rules(ndimage.gaussian_filter1d, _gaussian)
_filter_rules(ndimage.gaussian_filter, _gaussian_along_axes)
_filter_rules(ndimage.gaussian_laplace, _derivatives(2))
