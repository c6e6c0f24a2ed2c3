"""Tests of the projection of a product, against the projection of the dense product."""

import numpy as np
import pytest

from chainrules.formulas.matrices.structured_products import product_onto
from chainrules_core import ProjectTo
from chainrules_core.structured import Diagonal, Tridiagonal
from tests.chainrules.rule_checks import normal
from tests.chainrules.structured_checks import matrices, name_of


@pytest.mark.parametrize("A", matrices(), ids=name_of)
def test_product_onto(A):
    """Ordinary and structured factors."""
    pairs = [
        (normal(4, 2), normal(2, 4, seed=1)),
        (normal(4, 1), normal(1, 4, seed=1)),
        *zip(matrices(), matrices(seed=1), strict=True),
        (Diagonal(normal(4)), normal(4, 4)),
        (normal(4, 4), Tridiagonal(normal(3), normal(4), normal(3))),
    ]
    for X, Y in pairs:
        expected = ProjectTo(A)(np.asarray(X) @ np.asarray(Y))
        actual = product_onto(A, X, Y)
        np.testing.assert_allclose(np.asarray(actual), np.asarray(expected), atol=1e-13)
        assert type(ProjectTo(A)(actual)) is type(actual)


def test_stacks_of_products_with_one_row():
    """A stack of rows is no column."""
    X, Y = normal(3, 1, 2), normal(3, 2, 1, seed=1)

    actual = product_onto(Diagonal(normal(1)), X, Y)

    np.testing.assert_allclose(actual.diag, (X @ Y).sum(0)[0])


@pytest.mark.parametrize("A", matrices(), ids=name_of)
def test_products_of_stacks_are_added(A):
    """A matrix that broadcasts over stacks gets the sum."""
    X, Y = normal(3, 4, 2), normal(3, 2, 4, seed=1)

    actual = product_onto(A, X, Y)

    np.testing.assert_allclose(np.asarray(actual), np.asarray(ProjectTo(A)((X @ Y).sum(0))), atol=1e-13)
