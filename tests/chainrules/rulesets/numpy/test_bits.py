"""Bit-wise operations."""

import numpy as np
import pytest

from chainrules_testutils import test_frule, test_rrule

BINARY = [np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.left_shift, np.right_shift]
UNARY = [np.invert, np.packbits, np.unpackbits, np.bitwise_count]


@pytest.mark.parametrize("f", BINARY, ids=lambda f: f.__name__)
def test_two_operands(f):
    """On arrays of integers and numbers."""
    test_frule(f, np.array([5, 9]), 3)
    test_rrule(f, np.array([5, 9]), 3)


@pytest.mark.parametrize("f", UNARY, ids=lambda f: f.__name__)
def test_one_operand(f):
    """On an array of bytes."""
    test_frule(f, np.array([5, 9], dtype=np.uint8))
    test_rrule(f, np.array([5, 9], dtype=np.uint8))
