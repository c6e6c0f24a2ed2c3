"""Bounds and constraints of a minimum: in SciPy's forms, and which of them hold it."""

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, NonlinearConstraint

from chainrules.formulas.equations.active_sets import (
    Candidate,
    Condition,
    Limits,
    Task,
    active_among,
    bounds_of,
    candidates_in,
    parts_of_constraint,
    residuals,
)
from chainrules_core import NoDerivativeError


@pytest.mark.parametrize(
    "bounds",
    [
        [(0.0, None), (None, 1.0)],
        Bounds([0.0, -np.inf], [np.inf, 1.0]),
        Limits([0.0, -np.inf], [np.inf, 1.0]),
        np.array([[0.0, np.inf], [-np.inf, 1.0]]),
    ],
)
def test_bounds(bounds):
    """As pairs, any of which may be missing, as an object of SciPy's, and as two arrays."""
    lower, upper = bounds_of(Task(np.sum, bounds), 2)
    np.testing.assert_array_equal(lower, [0.0, -np.inf])
    np.testing.assert_array_equal(upper, [np.inf, 1.0])


def test_one_bound_for_all():
    """A number stands for an array."""
    lower, upper = bounds_of(Task(np.sum, Limits(0, 2.0)), 3)
    np.testing.assert_array_equal(lower, np.zeros(3))
    np.testing.assert_array_equal(upper, np.full(3, 2.0))


X = np.array([0.5, 2.0])
CONSTRAINTS = [
    {"type": "eq", "fun": lambda x, a: x[0] * a, "args": (2.0,)},
    {"type": "ineq", "fun": lambda x: [x[1], x[0]]},
    LinearConstraint([[1.0, 1.0]], 0.0, 3.0),
    NonlinearConstraint(lambda x: x**2, -np.inf, [0.25, 9.0]),
    Bounds(0.0, [1.0, 2.0]),
]


def test_constraints():
    """Each has values, and limits for them."""
    parts = [parts_of_constraint(constraint, X) for constraint in CONSTRAINTS]
    for values, expected in zip(parts, ([1.0], [2.0, 0.5], [2.5], [0.25, 4.0], X), strict=True):
        np.testing.assert_array_equal(values[0], expected)
    found = [c.condition for item, three in enumerate(parts) for c in candidates_in(item, *three)]
    assert found == [Condition(0, 0, 0), Condition(3, 0, 1), Condition(4, 1, 1)]
    np.testing.assert_array_equal(residuals(Task(np.sum, None, CONSTRAINTS), X, found), [1.0, 0.0, 0.0])


def test_which_hold():
    """A multiplier is larger than the distance; an equation always holds."""
    rows = np.eye(3)
    candidates = [Candidate(Condition(-1, k, side), 1e-5, k == 2) for k, side in enumerate((0, 1, 0))]
    assert active_among("f", candidates, rows, np.array([1.0, 1.0, -1.0]), 1.0) == [True, False, True]
    with pytest.raises(NoDerivativeError, match=r"f: the solution is at a bound.* the multiplier 1e-09"):
        active_among("f", [Candidate(Condition(-1, 0, 0), 0.0, False)], rows[:1, :1], np.array([1e-9]), 1.0)
