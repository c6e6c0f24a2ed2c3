"""The rules of matrix and vector products, against finite differences."""

import numpy as np
import pytest

from chainrules_core import AbstractThunk, rrule
from tests.chainrules.rule_checks import check_rule, normal

SHAPES = [
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((3,), (3, 2)),
    ((2, 3), (3, 4)),
    ((5, 2, 3), (3, 4)),
    ((2, 3), (5, 3, 4)),
    ((5, 2, 3), (5, 3, 4)),
    ((1, 2, 3), (5, 3, 4)),
    ((4, 1, 2, 3), (5, 3, 2)),
    ((3,), (5, 3, 2)),
    ((5, 2, 3), (3,)),
    ((0, 3), (3, 2)),
    ((2, 0), (0, 3)),
    ((0, 2, 3), (3, 2)),
]


@pytest.mark.parametrize(("a", "b"), SHAPES)
def test_matmul(a, b):
    """Vectors, matrices and stacks that broadcast, with and without elements."""
    check_rule(np.matmul, normal(*a), normal(*b, seed=1))


@pytest.mark.parametrize(("a", "b"), SHAPES[:5])
@pytest.mark.parametrize(
    "dtypes", [(np.float32, np.float32), (complex, complex), (float, complex), (complex, float)]
)
def test_matmul_of_other_elements(a, b, dtypes):
    """Single precision, complex matrices, and a real one with a complex one."""
    check_rule(np.matmul, normal(*a, dtype=dtypes[0]), normal(*b, dtype=dtypes[1], seed=1))


def test_matmul_of_views():
    """Transposed and sliced matrices."""
    check_rule(np.matmul, normal(3, 4).T, normal(6, 4, seed=1)[::2, ::-1])


def test_matmul_with_a_constant_costs_one_product():
    """Each cotangent is computed when it is asked for."""
    _, *x_bars = rrule(np.matmul, normal(2, 3), normal(3, 2))[1](np.eye(2))

    assert all(isinstance(x_bar, AbstractThunk) for x_bar in x_bars)
