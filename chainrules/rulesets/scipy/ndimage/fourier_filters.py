"""Rules for filters of Fourier transforms: each multiplies by a factor ``h`` for every frequency.

The adjoint multiplies by ``conj(h)``. With the frequencies ``f`` along an axis, in cycles for each pixel,
a Gaussian has ``h = exp(-2π² Σ σ² f²)``, and a shift has ``h = exp(-2πi Σ s f)``. The transform of a ball in
`d` dimensions is, with ``r² = π² Σ s² f²``,

    h(r) = Γ(d/2 + 1) (2/r)^(d/2) J_{d/2}(r),    ∂h/∂s = π² s f² h'(r)/r,
    h'(r)/r = -Γ(d/2 + 1) 2^(d/2) J_{d/2+1}(r) / r^(d/2+1)

That of a box is the product of those of its edges.
"""

import math
from typing import Any

import numpy as np
from scipy import ndimage, special

from chainrules.makers.image_filters import image_rules
from chainrules.values.image_calls import ImageCall, each
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import array_of
from chainrules.values.stacks import conjugate
from chainrules_core import ZeroTangent, primal_of, primitive


def _frequencies(call: ImageCall, shape: tuple[int, ...]) -> list[Any]:
    """The frequencies along each axis, which broadcast."""
    along = []
    for axis, length in enumerate(shape):
        is_half = call["n"] >= 0 and axis == call["axis"] % len(shape)
        f = np.arange(length) / call["n"] if is_half else np.fft.fftfreq(length)
        along.append(np.reshape(f, (-1, *(1 for _ in shape[axis + 1 :]))))
    return along


def _fourier_rules(primal, parameter: str, slopes_of) -> None:
    """Define the rules of a filter with the slopes ``slopes_of(x, y, f, p)`` by its parameters."""
    apply = primitive(primal)

    def slopes(call: ImageCall, y):
        parameters = each(array_of(call[parameter]), call.ndim)
        return slopes_of(array_of(call["input"]), y, _frequencies(call, shape_of(y)), parameters)

    def push(call: ImageCall, y, argument: str, dot):
        if argument == "input":
            return call.changed(apply, input=dot)
        terms = [slope * p_dot for slope, p_dot in zip(slopes(call, y), each(dot, call.ndim), strict=True)]
        return sum(terms[1:], start=terms[0])

    def pull(call: ImageCall, y, argument: str, y_bar):
        if argument == "input":
            # Of all factors only those of a shift are not real, and its inverse has their conjugates.
            back = {"shift": -array_of(call["shift"])} if parameter == "shift" else {}
            return call.changed(apply, input=y_bar, output=None, **back)
        if np.result_type(primal_of(array_of(call[parameter]))).kind not in "fc":
            return ZeroTangent()
        bars = np.stack([np.real(np.sum(conjugate(slope) * y_bar)) for slope in slopes(call, y)])
        return bars if shape_of(array_of(call[parameter])) else np.sum(bars)

    image_rules(primal, push, pull, {"input", parameter})


def _ball_slopes(x, frequencies: list[Any], sizes: list[Any]) -> list[Any]:
    """Those of the transform of a ball, times `x`."""
    squares = [math.pi**2 * size * f * f for size, f in zip(sizes, frequencies, strict=True)]
    r_squared = sum(square * size for square, size in zip(squares, sizes, strict=True))
    is_zero, order = primal_of(r_squared) == 0.0, 0.5 * len(sizes) + 1.0
    r = np.sqrt(np.where(is_zero, 1.0, r_squared))
    slope = -math.gamma(order) * 2.0 ** (order - 1.0) * special.jv(order, r) / r**order
    slope = np.where(is_zero, -0.5 / order, slope) * x
    return [square * slope for square in squares]


def _box_slopes(x, frequencies: list[Any], sizes: list[Any]) -> list[Any]:
    # Of an edge without a length SciPy has the mean alone.
    has_length = [primal_of(size) > 0.0 for size in sizes]
    edges = [
        np.where(is_long, np.sinc(size * f), f == 0.0)
        for size, f, is_long in zip(sizes, frequencies, has_length, strict=True)
    ]
    others = [math.prod(edges[:k] + edges[k + 1 :], start=x * has_length[k]) for k in range(len(edges))]
    return [_ball_slopes(y, [f], [size])[0] for y, f, size in zip(others, frequencies, sizes, strict=True)]


_fourier_rules(
    ndimage.fourier_gaussian,
    "sigma",
    lambda x, y, *pairs: [-4 * math.pi**2 * sigma * f**2 * y for f, sigma in zip(*pairs, strict=True)],
)
_fourier_rules(
    ndimage.fourier_shift,
    "shift",
    lambda x, y, frequencies, _: [-2j * math.pi * f * y for f in frequencies],
)
_fourier_rules(ndimage.fourier_uniform, "size", lambda x, y, *pairs: _box_slopes(x, *pairs))
_fourier_rules(ndimage.fourier_ellipsoid, "size", lambda x, y, *pairs: _ball_slopes(x, *pairs))
