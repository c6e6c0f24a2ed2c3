"""Rules for filters of Fourier transforms: each multiplies by a factor ``h`` for every frequency.

The adjoint multiplies by ``conj(h)``. With the frequencies ``f`` along an axis, in cycles for each pixel,
a Gaussian has ``h = exp(-2π² Σ σ² f²)``, and a shift has ``h = exp(-2πi Σ s f)``. The derivatives of the
other factors by their sizes are not implemented.
"""

import math
from typing import Any

import numpy as np
from scipy import ndimage

from chainrules.makers.image_filters import image_rules
from chainrules.values.image_calls import ImageCall, each
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import array_of
from chainrules.values.stacks import conjugate
from chainrules_core import ZeroTangent, not_implemented, primal_of, primitive


def _frequencies(call: ImageCall, shape: tuple[int, ...]) -> list[Any]:
    """The frequencies along each axis, which broadcast."""
    along = []
    for axis, length in enumerate(shape):
        is_half = call["n"] >= 0 and axis == call["axis"] % len(shape)
        f = np.arange(length) / call["n"] if is_half else np.fft.fftfreq(length)
        along.append(np.reshape(f, (-1, *(1 for _ in shape[axis + 1 :]))))
    return along


def _fourier_rules(primal, parameter: str, slopes_of=None) -> None:
    """Define the rules of a filter, whose factor has the logarithmic derivatives ``slopes_of(f, p)``."""
    apply = primitive(primal)

    def slopes(call: ImageCall, y):
        parameters = each(array_of(call[parameter]), call.ndim)
        pairs = zip(_frequencies(call, shape_of(y)), parameters, strict=True)
        return [slopes_of(f, p) * y for f, p in pairs]

    def push(call: ImageCall, y, argument: str, dot):
        if argument == "input":
            return call.changed(apply, input=dot)
        if slopes_of is None:
            return not_implemented(f"the derivative of {call.name} by its size")
        terms = [slope * p_dot for slope, p_dot in zip(slopes(call, y), each(dot, call.ndim), strict=True)]
        return sum(terms[1:], start=terms[0])

    def pull(call: ImageCall, y, argument: str, y_bar):
        if argument == "input":
            # Of all factors only those of a shift are not real, and its inverse has their conjugates.
            back = {"shift": -array_of(call["shift"])} if parameter == "shift" else {}
            return call.changed(apply, input=y_bar, output=None, **back)
        if np.result_type(primal_of(array_of(call[parameter]))).kind not in "fc":
            return ZeroTangent()
        if slopes_of is None:
            return not_implemented(f"the derivative of {call.name} by its size")
        bars = np.stack([np.real(np.sum(conjugate(slope) * y_bar)) for slope in slopes(call, y)])
        return bars if shape_of(array_of(call[parameter])) else np.sum(bars)

    image_rules(primal, push, pull, {"input", parameter})


_fourier_rules(ndimage.fourier_gaussian, "sigma", lambda f, sigma: -4 * math.pi**2 * sigma * f**2)
_fourier_rules(ndimage.fourier_shift, "shift", lambda f, shift: -2j * math.pi * f)
_fourier_rules(ndimage.fourier_uniform, "size")
_fourier_rules(ndimage.fourier_ellipsoid, "size")
