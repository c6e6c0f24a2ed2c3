"""Rows and columns in another order."""

import numpy as np

from chainrules.formulas.matrices.row_orders import (
    columns_in_order,
    inverse_order,
    permutation_by,
    rows_in_order,
)
from tests.chainrules.rule_checks import normal


def test_permutation_by_pivots():
    """Rows change places one after another; a matrix may have more rows than pivots."""
    np.testing.assert_array_equal(permutation_by([2, 2], 4), [2, 0, 1, 3])
    np.testing.assert_array_equal(permutation_by([[0, 1], [1, 1]], 2), [[0, 1], [1, 0]])
    np.testing.assert_array_equal(permutation_by(np.zeros(0, int), 2), [0, 1])


def test_orders():
    """One order for all matrices of a stack, one for each, one matrix for all orders, and the way back."""
    X, order, orders = normal(2, 3, 4), np.array([1, 2, 0]), np.array([[1, 2, 0], [0, 2, 1]])
    np.testing.assert_array_equal(rows_in_order(X, order), X[:, order])
    np.testing.assert_array_equal(rows_in_order(X, orders)[1], X[1][orders[1]])
    np.testing.assert_array_equal(rows_in_order(X[0], orders)[1], X[0][orders[1]])
    np.testing.assert_array_equal(rows_in_order(rows_in_order(X, orders), inverse_order(orders)), X)
    np.testing.assert_array_equal(columns_in_order(X[0].T, order), X[0][order].T)
