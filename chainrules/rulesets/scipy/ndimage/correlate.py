"""Rules for correlations and convolutions of images with weights along all axes.

As for those along one axis, see `chainrules.formulas.filters.passes`: the adjoint is a full convolution,
whose borders are folded back.
"""

import numpy as np
from scipy import ndimage, signal

from chainrules.formulas.arrays.neighbours import zero_padded
from chainrules.formulas.filters.passes import EXTENSIONS, beyond, extended_by
from chainrules.makers.image_filters import image_rules
from chainrules.operations.extensions import fold
from chainrules.values.image_calls import ImageCall
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import array_of
from chainrules.values.stacks import conjugate
from chainrules_core import primal_of, primitive

_image_correlate, _correlate = primitive(ndimage.correlate), primitive(signal.correlate)
_DIFFERENTIABLE = ("input", "weights", "cval")


def _correlation_rules(primal, convolves: bool) -> None:
    apply = primitive(primal)

    def by_number(call: ImageCall):
        """The derivative by the number that stands beyond the borders."""
        zeros = np.zeros_like(primal_of(array_of(call["input"])), dtype=float)
        return call.changed(apply, input=zeros, cval=1.0, output=None)

    def push(call: ImageCall, y, argument: str, dot):
        if argument == "cval":
            return by_number(call) * dot
        return call.changed(apply, **{**({"cval": 0.0} if argument == "input" else {}), argument: dot})

    def pull(call: ImageCall, y, argument: str, y_bar):
        if argument == "cval":
            return np.sum(conjugate(by_number(call)) * y_bar)
        return (_pull_image if argument == "input" else _pull_weights)(call, y_bar, convolves)

    image_rules(primal, push, pull, _DIFFERENTIABLE)


def _weights(call: ImageCall, convolves: bool):
    """The weights of the correlation that the call is, with all axes of the image."""
    weights = array_of(call["weights"])
    weights = conjugate(np.flip(weights)) if convolves else weights
    missing = tuple(axis for axis in range(call.ndim) if axis not in call.axes)
    return np.expand_dims(weights, missing) if missing else weights


def _reach(call: ImageCall, convolves: bool):
    """How far beyond its ends the image is read along each axis, before the first and after the last."""
    origins = [0] * call.ndim
    for axis, origin in zip(call.axes, call.for_each_axis("origin"), strict=True):
        origins[axis] = origin
    for axis, size in enumerate(shape_of(_weights(call, convolves))):
        origin = -origins[axis] - (size % 2 == 0) if convolves else origins[axis]
        yield axis, *beyond(size, origin)


def _pull_image(call: ImageCall, y_bar, convolves: bool):
    weights = _weights(call, convolves)
    for axis, size in enumerate(shape_of(weights)):
        # As many zeros on each side as `correlate` reads of an array that is zero beyond its ends.
        y_bar = zero_padded(y_bar, (size - 1) // 2, size // 2, axis)
    x_bar = _image_correlate(y_bar, np.flip(conjugate(weights)), None, "constant")
    for axis, before, after in _reach(call, convolves):
        x_bar = fold(x_bar, before, after, EXTENSIONS[call["mode"]], axis)
    return x_bar


def _pull_weights(call: ImageCall, y_bar, convolves: bool):
    x, inside = array_of(call["input"]), np.ones(shape_of(array_of(call["input"])))
    extension = EXTENSIONS[call["mode"]]
    for axis, before, after in _reach(call, convolves):
        x = extended_by(x, before, after, extension, axis, 0.0)
        inside = extended_by(inside, before, after, extension, axis, 0.0)
    bar = _correlate(x + (1.0 - inside) * call["cval"], y_bar, "valid")
    bar = np.reshape(bar, shape_of(array_of(call["weights"])))
    return conjugate(np.flip(bar)) if convolves else bar


_correlation_rules(ndimage.correlate, convolves=False)
_correlation_rules(ndimage.convolve, convolves=True)
