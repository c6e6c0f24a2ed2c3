"""Tests of `chainrules_core.structured.operations`: the tables are there to be extended."""

from dataclasses import dataclass

import numpy as np
import pytest

from chainrules_core.structured import Diagonal
from chainrules_core.structured.operations import add, matmul, multiply, solve


@dataclass
class Permutation:
    """A kind of one's own: a permutation of rows."""

    order: list


@matmul.dispatch
def matmul_permutation(x: Diagonal, y: Permutation):
    """The rows of the permuted diagonal matrix."""
    return x.to_dense()[:, y.order]


def test_a_method_for_a_kind_of_ones_own():
    """The operator finds the method that was added for a kind of one's own."""
    np.testing.assert_array_equal(matmul(Diagonal([1.0, 2.0]), Permutation([1, 0])), [[0.0, 1.0], [2.0, 0.0]])


@pytest.mark.parametrize(
    ("operation", "operator"), [(add, np.add), (multiply, np.multiply), (solve, np.linalg.solve)]
)
def test_ordinary_arrays(operation, operator):
    """Operations on ordinary arrays give the same as NumPy's."""
    A, B = np.eye(2) + 1, np.ones((2, 2))

    np.testing.assert_array_equal(operation(A, B), operator(A, B))
    np.testing.assert_array_equal(operation(A.tolist(), B.tolist()), operator(A, B))
