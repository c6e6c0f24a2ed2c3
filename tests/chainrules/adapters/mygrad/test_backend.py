"""`primitive`, called with mygrad's tensors."""

import numpy as np
import pytest

pytest.importorskip("mygrad")

import mygrad

from chainrules_core import primal_of, primitive

b = np.linspace(0.3, 0.9, 3)


def test_a_primitive_is_differentiated_by_mygrad():
    """As by `to_mygrad`, by keyword too."""
    solve, A, x = primitive(np.linalg.solve), np.eye(3) * 2.0, mygrad.tensor(b)
    solve(A, b=x).sum().backward()

    np.testing.assert_allclose(x.grad, np.full(3, 0.5))


def test_primal_is_the_array():
    """Rules for arrays serve tensors."""
    x = mygrad.tensor(b)

    assert primal_of(x) is x.data
