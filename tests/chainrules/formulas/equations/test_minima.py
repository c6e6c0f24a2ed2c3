"""Minima: which bounds hold an unknown, and which cotangents are zero."""

import numpy as np
from scipy.optimize import Bounds

from chainrules.formulas.equations.minima import held_by_bounds, holds_zeros, missing_parts
from chainrules_core import NO_TANGENT, NotImplementedTangent, Tangent, ZeroTangent


def test_bounds():
    """As pairs, of which any may be missing, and as an object of SciPy's."""
    x = np.array([0.0, 1.0, 0.5])
    for bounds in ([(0.0, None), (None, 1.0), (0.0, 1.0)], Bounds(0.0, [2.0, 1.0, 1.0])):
        np.testing.assert_array_equal(held_by_bounds(x, bounds), [True, True, False])
    assert not np.any(held_by_bounds(x, None))
    assert not held_by_bounds(np.float64(0.0), (0.0, 1.0))


def test_zeros():
    """Of any structure."""
    assert holds_zeros(ZeroTangent())
    assert holds_zeros(Tangent[tuple](np.zeros(2), NO_TANGENT))
    assert not holds_zeros(Tangent[tuple](np.ones(2), NO_TANGENT))


def test_missing_parts():
    """Numbers have derivatives that nobody has; counts and messages have none."""
    tangent = missing_parts((1.5, 3, "text"), "a field")
    assert isinstance(tangent[0], NotImplementedTangent)
    assert tangent[1] == tangent[2] == NO_TANGENT
