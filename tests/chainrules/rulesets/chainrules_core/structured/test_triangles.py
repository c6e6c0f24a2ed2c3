"""The rules of the triangles of structured arrays, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules_core.structured import Tridiagonal
from tests.chainrules.rule_checks import normal
from tests.chainrules.structured_checks import check_structured_rule, matrices, name_of


@pytest.mark.parametrize("f", [np.tril, np.triu])
@pytest.mark.parametrize("A", matrices() + matrices(dtype=complex), ids=name_of)
def test_triangles(f, A):
    """Of every kind of matrix, with cotangents of both forms where the triangle is a structure."""
    check_structured_rule(f, A)
    for k in (-1, 1):
        check_structured_rule(f, A, k)
    check_structured_rule(f, A, k=1)


def test_a_field_of_a_triangle():
    """A program that takes fields pulls back the structural form."""
    T = Tridiagonal(normal(2), normal(3), normal(2))

    gradient = grad(lambda T: np.sum(np.tril(T).ev ** 2))(T)

    np.testing.assert_allclose(gradient.dl, 2 * T.dl)
    assert not np.any(gradient.d)
    assert not np.any(gradient.du)
