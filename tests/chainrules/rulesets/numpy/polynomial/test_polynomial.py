"""The rules of polynomials that are given by their roots, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from chainrules_core.structured import Symmetric
from tests.chainrules.rule_checks import check_quickly, check_rule, normal
from tests.chainrules.structured_checks import check_keeps_structure

polyvalfromroots = np.polynomial.polynomial.polyvalfromroots
X = np.array([-0.7, 0.1, 0.4, 0.9])


def test_values():
    """At one point and at many."""
    check_rule(polyvalfromroots, X, normal(3))
    check_quickly(polyvalfromroots, 0.5, normal(3))
    check_quickly(polyvalfromroots, X.reshape(2, 2), normal(3, 2))
    check_quickly(polyvalfromroots, X[:2], normal(3, 2), False)
    check_quickly(polyvalfromroots, X, normal(3, dtype=complex))
    check_quickly(polyvalfromroots, normal(0), normal(3))


def test_values_at_roots():
    """A factor of zero loses nothing."""
    check_quickly(polyvalfromroots, X, np.array([0.1, 0.4]))
    check_quickly(polyvalfromroots, X, np.array([0.1, 0.1]))


def test_constants_and_errors():
    """A zero tangent stays one; shapes are refused as NumPy refuses them."""
    zeros = (NoTangent(), ZeroTangent(), ZeroTangent())

    assert frule(zeros, polyvalfromroots, X, normal(2))[1] == ZeroTangent()
    with pytest.raises(ValueError, match=r"x\.ndim must be < r\.ndim"):
        rrule(polyvalfromroots, X, normal(3), False)


def test_roots_in_a_symmetric_matrix():
    """The cotangent is symmetric too."""
    check_keeps_structure(np.polynomial.polynomial.polyvalfromroots, 0.5, Symmetric(normal(3, 3)))
