"""Cotangents of other kinds of number than the result: complex of a real one, or of another precision."""

import numpy as np

from chainrules_core import NoTangent, rrule, scale_tangent
from chainrules_testutils import TestConfig, rand_tangent, test_approx
from chainrules_testutils.kinds import tangent_problems

OTHER_PRECISION = {"f": {4: np.float64, 8: np.float32}, "c": {8: np.complex128, 16: np.complex64}}


def check_other_cotangents(f, *args, **fkwargs):
    """Check that cotangents of the arguments are in their spaces, whatever kind of number is pulled back.

    Where all numbers are real, the imaginary part of a cotangent changes nothing.
    """
    y, pullback = rrule(TestConfig(), f, *args, **fkwargs)
    y_bar = rand_tangent(y, 0)
    if isinstance(y_bar, NoTangent):
        return
    x_bars = pullback(y_bar)
    check_spaces(args, pullback(scale_tangent(1 + 1j, y_bar)), "complex cotangent")
    for other in of_other_precision(y_bar):
        check_spaces(args, pullback(other), f"cotangent of {other.dtype}")
    if all(map(is_real, (y, *args))):
        for x_bar, other in zip(x_bars[1:], pullback(scale_tangent(1 + 1j, y_bar))[1:], strict=True):
            test_approx(other, x_bar, rtol=1e-4)


def check_spaces(args, x_bars, pulled_back):
    """Check that each cotangent is in the space of its argument."""
    problems = [
        problem
        for place, (x, x_bar) in enumerate(zip(args, x_bars[1:], strict=True), 1)
        for problem in tangent_problems(x, x_bar, f"{pulled_back} pulled back to argument {place}")
    ]
    assert problems == []


def of_other_precision(y_bar):
    """A number or an array in single precision where it is of double precision, and the reverse."""
    dtype = (
        np.asarray(y_bar).dtype
        if isinstance(y_bar, int | float | complex | np.generic | np.ndarray)
        else None
    )
    if dtype is not None and dtype.kind in OTHER_PRECISION:
        yield np.asarray(y_bar).astype(OTHER_PRECISION[dtype.kind][dtype.itemsize])[()]


def is_real(x):
    """Whether a value is an array of real numbers, or one."""
    return isinstance(x, float | np.generic | np.ndarray) and np.asarray(x).dtype.kind == "f"
