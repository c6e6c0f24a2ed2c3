"""The cotangent of the argument of a linear function of SciPy, beside the function itself."""

from collections.abc import Iterator

import numpy as np
import scipy.fft
from scipy import ndimage, signal

from benchmarks.measure import Row, fastest
from chainrules_core import rrule, unthunk

RNG = np.random.default_rng(0)
SEQUENCE, IMAGE = RNG.normal(size=100_000), RNG.normal(size=(512, 512))
MATRIX = np.array([[0.9, 0.2], [-0.1, 1.05]])

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


def rows() -> Iterator[Row]:
    """The adjoint of each, which is never a matrix."""
    for f, args, place, target in CALLS:
        y, pullback = rrule(f, *args)
        times = fastest(
            lambda f=f, args=args: f(*args),
            lambda pullback=pullback, y=y, place=place: unthunk(pullback(y)[1 + place]),
        )
        yield Row(f"cotangent of {f.__name__}", "the function", times[1] / times[0], target)
