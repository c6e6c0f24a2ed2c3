"""Filters of images that are correlations along one axis after the other, and their adjoints.

A pass along an axis is ``y_i = Σ_k conj(w_k) x_(i+k-p)``, of an array that is extended beyond its ends. The
adjoint is a convolution of the cotangent, as long as the extended array, whose ends are then folded back.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.ndimage import correlate1d
from scipy.signal import correlate

from chainrules.formulas.arrays.neighbours import zero_padded
from chainrules.operations.extensions import extend, fold
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import conjugate
from chainrules_core import primitive

_correlate_along, _correlate = primitive(correlate1d), primitive(correlate)

# The names that the modes of `scipy.ndimage` have in `chainrules.operations.extensions`.
EXTENSIONS = {
    "reflect": "reflect",
    "grid-mirror": "reflect",
    "mirror": "mirror",
    "nearest": "nearest",
    "wrap": "wrap",
    "grid-wrap": "wrap",
    "constant": "constant",
    "grid-constant": "constant",
}


class Pass(NamedTuple):
    """A correlation along an axis.

    Attributes
    ----------
    axis
        The axis.
    weights
        A vector.
    mode, origin
        As `scipy.ndimage.correlate1d` takes them.
    slope
        The derivative of the weights by a parameter, or `None`.
    parameter
        The place of this parameter among those of the filter.
    """

    axis: int
    weights: Any
    mode: str = "reflect"
    origin: int = 0
    slope: Any = None
    parameter: int = 0


def run_pass(x: Any, step: Pass, cval: Any = 0.0) -> Any:
    """The result of one pass."""
    return _correlate_along(x, step.weights, step.axis, None, step.mode, cval, step.origin)


def run_passes(x: Any, passes: tuple[Pass, ...]) -> Any:
    """The result of several passes, of arrays that are zero beyond their ends if they are constant there."""
    for step in passes:
        x = run_pass(x, step)
    return x


def run_moved(x: Any, passes: tuple[Pass, ...], place: int, cval: Any) -> Any:
    """The derivative of several passes by the parameter that the weights of one of them depend on."""
    for step in passes[:place]:
        x = run_pass(x, step, cval)
    x = run_pass(x, passes[place]._replace(weights=passes[place].slope), cval)
    return run_passes(x, passes[place + 1 :])


def pull_passes(y_bar: Any, passes: tuple[Pass, ...]) -> Any:
    """The cotangent of the array, from that of the result."""
    for step in reversed(passes):
        size = shape_of(step.weights)[0]
        # As many zeros on each side as `correlate1d` reads of an array that is zero beyond its ends.
        padded = zero_padded(y_bar, (size - 1) // 2, size // 2, step.axis)
        turned = np.flip(conjugate(step.weights))
        y_bar = _correlate_along(padded, turned, step.axis, None, "constant")
        y_bar = fold(y_bar, *beyond(size, step.origin), EXTENSIONS[step.mode], step.axis)
    return y_bar


def pull_weights(y_bar: Any, x: Any, step: Pass, cval: Any) -> Any:
    """The cotangent of the weights of a pass."""
    before, after = beyond(shape_of(step.weights)[0], step.origin)
    extended = extended_by(x, before, after, EXTENSIONS[step.mode], step.axis, cval)
    aligned = (np.moveaxis(v, step.axis, -1) for v in (extended, y_bar))
    return np.reshape(_correlate(*aligned, "valid"), -1)


def extended_by(  # noqa: PLR0913, PLR0917 - how far and how on both sides
    x: Any, before: int, after: int, extension: str, axis: int, cval: Any
) -> Any:
    """The array extended along an axis, with a number beyond its ends if it is constant there."""
    y = extend(x, before, after, extension, axis)
    if extension != "constant":
        return y
    return y + (1.0 - extend(np.ones(shape_of(x)), before, after, extension, axis)) * cval


def beyond(size: int, origin: int) -> tuple[int, int]:
    """How far a correlation with so many weights reads beyond the first element, and beyond the last."""
    return size // 2 + origin, (size - 1) // 2 - origin


def gaussian_weights(sigma: Any, order: int, radius: int) -> tuple[Any, Any]:
    """The weights of a pass of a Gaussian filter, and their derivative by `sigma`.

    The Gaussian ``φ = exp(-x² / 2σ²)``, divided by its sum, has the derivative ``φ (x² - Σ φ x²) / σ³``. Its
    derivatives in `x` are ``q φ`` with polynomials that ``q_(n+1) = q_n' - x q_n / σ²`` makes.
    """
    x = np.arange(-radius, radius + 1.0)
    phi = np.exp(-0.5 / sigma**2 * x**2)
    phi = phi / np.sum(phi)
    phi_slope = phi * (x**2 - np.sum(phi * x**2)) / sigma**3
    powers = x[:, np.newaxis] ** np.arange(order + 1)
    derivative = np.diag(np.arange(1.0, order + 1), 1)
    times_x = np.diag(np.ones(order), -1)
    q = np.zeros(order + 1)
    q[0] = 1.0
    q_slope = np.zeros(order + 1)
    for _ in range(order):
        by_x = times_x @ q
        q, q_slope = (
            derivative @ q - by_x / sigma**2,
            derivative @ q_slope - times_x @ q_slope / sigma**2 + by_x * 2.0 / sigma**3,
        )
    q, q_slope = powers @ q, powers @ q_slope
    return np.flip(q * phi), np.flip(q_slope * phi + q * phi_slope)
