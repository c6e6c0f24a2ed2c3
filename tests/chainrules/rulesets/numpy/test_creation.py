"""Functions that create arrays."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules_core import NoTangent, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import normal


@pytest.mark.parametrize("f", [np.zeros_like, np.ones_like], ids=lambda f: f.__name__)
def test_does_not_depend_on_the_values(f):
    """The result has the argument's shape, and does not move with it."""
    test_frule(f, normal(3, 4))
    test_rrule(f, normal(3, 4))


def test_empty_like_passes_no_derivative():
    """What stands in a new array by chance depends on nothing."""
    y, pullback = rrule(np.empty_like, normal(3))

    assert y.shape == (3,)
    assert pullback(np.ones(3)) == (NoTangent(), NoTangent())


def test_in_a_program():
    """A program may start from an array of zeros."""
    np.testing.assert_array_equal(grad(lambda x: np.sum(np.zeros_like(x) + x))(normal(3)), np.ones(3))
