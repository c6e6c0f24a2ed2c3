"""The cotangent of the argument of a linear function of SciPy, beside the function itself; splines too."""

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.fft
from scipy import ndimage, signal
from scipy.interpolate import (
    Akima1DInterpolator,
    BSpline,
    CubicSpline,
    PchipInterpolator,
    make_interp_spline,
    splrep,
)

from benchmarks.measure import Row, fastest
from chainrules.ad import grad
from chainrules_core import rrule, unthunk

RNG = np.random.default_rng(0)
SEQUENCE, IMAGE = RNG.normal(size=100_000), RNG.normal(size=(512, 512))
KNOTS, PLACES = np.concatenate([[0.0] * 3, np.linspace(0.0, 1.0, 998), [1.0] * 3]), RNG.uniform(size=100_000)
COEFFICIENTS = RNG.normal(size=1000)
MATRIX = np.array([[0.9, 0.2], [-0.1, 1.05]])
POINTS, VALUES = np.sort(RNG.uniform(size=10_000)), RNG.normal(size=10_000)

# The function, its arguments, the place of the one that it is linear in, and the most that the ratio may be.
CALLS = (
    (signal.lfilter, (*signal.butter(4, 0.2), SEQUENCE), 2, 2.5),
    (signal.convolve, (SEQUENCE, RNG.normal(size=101)), 0, 2.5),
    (scipy.fft.dct, (SEQUENCE,), 0, 2.5),
    (ndimage.gaussian_filter, (IMAGE, 2.0), 0, 2.5),
    (ndimage.affine_transform, (IMAGE, MATRIX), 0, 2.5),
    (ndimage.zoom, (IMAGE, 0.7), 0, 2.5),
    (ndimage.shift, (IMAGE, (1.3, -2.4)), 0, 2.5),
    (ndimage.rotate, (IMAGE, 20.0), 0, 2.5),
)

# What makes a spline through values, and its coefficients.
SPLINES = (
    ("CubicSpline", lambda y: CubicSpline(POINTS, y).c),
    ("PchipInterpolator", lambda y: PchipInterpolator(POINTS, y).c),
    ("Akima1DInterpolator", lambda y: Akima1DInterpolator(POINTS, y).c),
    ("make_interp_spline", lambda y: make_interp_spline(POINTS, y).c),
    ("splrep", lambda y: splrep(POINTS, y)[1]),
)


def rows() -> Iterator[Row]:
    """The adjoint of each, which is never a matrix."""
    for f, args, place, target in CALLS:
        y, pullback = rrule(f, *args)
        times = fastest(
            lambda f=f, args=args: f(*args),
            lambda pullback=pullback, y=y, place=place: unthunk(pullback(y)[1 + place]),
        )
        yield Row(f"cotangent of {f.__name__}", "the function", times[1] / times[0], target)
    times = fastest(lambda: _spline(COEFFICIENTS), lambda: grad(_spline)(COEFFICIENTS))
    yield Row("gradient of BSpline evaluation", "the function", times[1] / times[0], 2.5)
    for name, coefficients in SPLINES:
        weights = RNG.normal(size=np.shape(coefficients(VALUES)))

        def loss(y: Any, weights: Any = weights, coefficients: Any = coefficients) -> Any:
            return np.sum(coefficients(y) * weights)

        times = fastest(functools.partial(loss, VALUES), functools.partial(grad(loss), VALUES))
        yield Row(f"gradient through {name}", "its making", times[1] / times[0], 2.5)


def _spline(c: Any) -> Any:
    return np.sum(BSpline(KNOTS, c, 3)(PLACES))
