"""Closures are called again with the variables that they saw."""

import functools

import numpy as np
import scipy.linalg

from chainrules.adapters.closures import bound_closure


def test_closure_sees_what_it_saw():
    """A variable that is assigned to after the call has its old value."""
    factor = 2.0
    bound = bound_closure(lambda x: factor * x)
    factor = 5.0
    assert bound is not None
    assert bound.current()(1.0) == 2.0


def test_partial_of_a_closure():
    """A partial is looked into."""
    factor = 2.0
    bound = bound_closure(functools.partial(lambda y, x: factor * x * y, 3.0))
    factor = 5.0
    assert bound is not None
    assert bound.current()(1.0) == 6.0


def test_functions_whose_variables_stay():
    """Functions without variables, functions of modules and functions with rules are called as they are."""
    for f in (np.sin, np.sum, scipy.linalg.solve, lambda x: x, "text".join):
        assert bound_closure(f) is None
