"""The rules of the elements of structured arrays, against finite differences."""

import operator

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules_core import rrule, unthunk
from chainrules_core.structured import Diagonal, Tridiagonal
from tests.chainrules.rule_checks import normal
from tests.chainrules.structured_checks import check_structured_rule, matrices, name_of

INDICES = {
    "an element": (1, 1),
    "elements beside the diagonal": (2, 1),
    "an element far from the diagonal": (0, 3),
    "an element, from the end": (-1, -2),
    "NumPy's integers": (np.int64(1), np.intp(2)),
    "a row": 1,
    "a column": (slice(None), 2),
    "a block": (slice(1, 3), slice(0, 2)),
    "rows, repeatedly": [0, 2, 0],
    "elements": ([0, 1, 1], [0, 1, 2]),
    "a mask": np.eye(4, dtype=bool),
}


@pytest.mark.parametrize("index", INDICES.values(), ids=INDICES)
@pytest.mark.parametrize("A", matrices() + matrices(dtype=complex), ids=name_of)
def test_getitem(A, index):
    """Elements, rows, columns, blocks and selections."""
    check_structured_rule(operator.getitem, A, index)


def test_a_loop_over_elements():
    """Programs that go through a matrix element by element have the gradient of the whole."""
    T = Tridiagonal(normal(3), normal(4), normal(3))

    gradient = grad(lambda T: sum(T[i, j] ** 2 for i in range(4) for j in range(4)))(T)

    np.testing.assert_allclose(np.asarray(gradient), 2 * T.to_dense())


def test_memory_of_an_element_is_that_of_the_diagonals():
    """Nothing here has as many elements as the dense matrix."""
    n = 10**6
    D = Diagonal(np.ones(n))

    _, pullback = rrule(operator.getitem, D, (7, 7))
    D_bar = unthunk(pullback(2.0)[1])

    assert D_bar.diag[7] == np.sum(D_bar.diag) == 2.0
