"""What the tests of linear systems share: right sides, the mark of stacks, checks of second derivatives."""

import numpy as np
import pytest
import scipy

from tests.chainrules.rule_checks import check_quickly, check_second_derivative, normal

SCIPY = tuple(int(part) for part in scipy.__version__.split(".")[:2])

# SciPy 1.15 takes no stacks in most functions.
stacks = pytest.mark.skipif(SCIPY < (1, 16), reason="stacks since SciPy 1.16")

RIGHT_SIDES = [(4,), (4, 2)]


def right_side(shape, dtype=np.float64):
    """A vector, or columns."""
    return normal(*shape, dtype=dtype, seed=1)


def in_single_precision(x):
    """The same numbers as float32 or complex64."""
    return x.astype(np.complex64 if x.dtype.kind == "c" else np.float32)


def check_factored(f, factor, extra, B, **fkwargs):
    """Check a function of a pair, a factor and something constant, and of a right side.

    Both modes in single precision, and the second derivative by both; the first one is checked by the caller.
    """
    check_quickly(f, (in_single_precision(factor), extra), in_single_precision(B), **fkwargs)
    if factor.dtype == B.dtype == np.float64:
        check_second_derivative(lambda factor, B: f((factor, extra), B, **fkwargs), factor, B)
