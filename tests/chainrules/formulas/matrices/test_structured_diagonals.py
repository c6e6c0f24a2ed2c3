"""Matrices with one diagonal, against NumPy's."""

import numpy as np
import pytest

from chainrules.formulas.matrices.structured_diagonals import with_one_diagonal
from chainrules_core.structured import Bidiagonal, Diagonal
from tests.chainrules.rule_checks import normal


@pytest.mark.parametrize("offset", range(-6, 7))
def test_with_one_diagonal(offset):
    """The adjoint of `np.diagonal`: the same inner product, for diagonals outside of the matrix too."""
    A, y_bar = normal(5, 5), normal(max(5 - abs(offset), 0), seed=1)
    A_bar = with_one_diagonal(A, y_bar, offset)

    assert A_bar.shape == (5, 5)
    np.testing.assert_allclose(np.vdot(np.asarray(A_bar), A), np.vdot(y_bar, np.diagonal(A, offset)))


@pytest.mark.parametrize(("offset", "kind"), [(0, Diagonal), (1, Bidiagonal), (-1, Bidiagonal)])
def test_memory(offset, kind):
    """Diagonals beside the main one are stored as diagonals."""
    assert isinstance(with_one_diagonal(normal(5, 5), normal(5 - abs(offset)), offset), kind)
