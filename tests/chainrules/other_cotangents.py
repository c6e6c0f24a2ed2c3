"""Cotangents of other kinds of number than the result: complex of a real one, or of another precision."""

import numpy as np

from chainrules_core import NoTangent, rrule, scale_tangent
from chainrules_testutils import TestConfig, rand_tangent, test_approx
from chainrules_testutils.kinds import tangent_problems

# For each precision another one, by NumPy's letters for them.
OTHER_PRECISION = {"e": "d", "f": "d", "d": "f", "g": "d", "F": "D", "D": "F", "G": "D"}


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
    if isinstance(y_bar, float | complex | np.generic | np.ndarray):
        letter = np.asarray(y_bar).dtype.char
        if letter in OTHER_PRECISION:
            yield np.asarray(y_bar).astype(OTHER_PRECISION[letter])[()]


def is_real(x):
    """Whether a value is an array of real numbers, or one."""
    return isinstance(x, float | np.generic | np.ndarray) and np.asarray(x).dtype.kind == "f"
