"""Assignments have no derivative, and what they choose has."""

import numpy as np
from scipy.optimize import linear_sum_assignment

from chainrules.ad import grad
from chainrules_testutils import test_frule, test_rrule


def test_an_assignment():
    """It consists of integers."""
    costs = np.array([[4.0, 1.0], [2.0, 3.0]])
    test_frule(linear_sum_assignment, costs)
    test_rrule(linear_sum_assignment, costs)
    gradient = grad(lambda costs: np.sum(costs[linear_sum_assignment(costs)]))(costs)
    np.testing.assert_array_equal(gradient, [[0.0, 1.0], [1.0, 0.0]])
