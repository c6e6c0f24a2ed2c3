"""Operators that have no derivative."""

import operator

import pytest

from chainrules_testutils import test_frule, test_rrule

COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]
BITS = [operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift]


@pytest.mark.parametrize(
    ("f", "args"),
    [
        *((f, (1.5, 2.5)) for f in (*COMPARISONS, operator.is_, operator.is_not)),
        *((f, (6, 2)) for f in BITS),
        *((f, (6,)) for f in (operator.inv, operator.invert, operator.index, operator.not_, operator.truth)),
    ],
)
def test_no_derivative(f, args):
    """Comparisons, operations on bits, truth values."""
    test_frule(f, *args)
    test_rrule(f, *args)
