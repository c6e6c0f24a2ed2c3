"""The rules of contractions and of Kronecker products, against finite differences."""

import numpy as np
import pytest

from tests.chainrules.rule_checks import check_kinds, check_rule, normal

FIRST, SECOND = normal(2, 3, 4), normal(4, 3, 5, seed=1)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((FIRST, SECOND, 1), {}),
        ((FIRST, SECOND, ([1, 2], [1, 0])), {}),
        ((FIRST, SECOND), {"axes": ((2, 1), (0, 1))}),
        ((FIRST, SECOND, (-1, 0)), {}),
        ((FIRST, SECOND, ([-2], [1])), {}),
        ((FIRST, normal(3, 4, 2)), {}),
        ((FIRST, normal(3), 0), {}),
        ((FIRST, FIRST, 3), {}),
        ((normal(2, 3, dtype=complex), normal(3, 2)), {"axes": ([0, 1], [1, 0])}),
        ((normal(2, 3), normal(3, 2, dtype=complex), 1), {}),
        ((normal(2, 0), normal(0, 3), 1), {}),
        ((normal(2, dtype=np.float32), normal(2), 1), {}),
        ((normal(2, 2), 1.5, 0), {}),
        ((1.5 - 0.5j, normal(3)), {"axes": 0}),
    ],
)
def test_tensordot(args, options):
    """Over any pairs of axes, in any order."""
    check_rule(np.tensordot, *args, **options)


@pytest.mark.parametrize(
    ("x", "y"),
    [
        (normal(2, 3), normal(3, 2, seed=1)),
        (normal(3), normal(2, 2)),
        (normal(2, 1, 2), normal(3)),
        (1.5, normal(2, 2)),
        (normal(2), np.array(1.5)),
        (normal(2, dtype=complex), normal(2, dtype=complex, seed=1)),
        (normal(2), normal(2, dtype=complex)),
        (normal(0, 2), normal(2, 2)),
    ],
)
def test_kron(x, y):
    """Arrays of equal and of different ranks."""
    check_rule(np.kron, x, y)


def test_operands_of_two_kinds():
    """The cotangent of a real operand is real beside a complex one."""
    check_kinds(np.tensordot, normal(2, 3), normal(3, 2, seed=1), 1)
    check_kinds(np.kron, normal(2, 2), normal(3, 1, seed=1))
