"""Functions that ask for the shape and type of an array."""

import numpy as np
import pytest

from chainrules_core import NoTangent, frule, rrule
from tests.chainrules.rule_checks import check_quickly, normal


@pytest.mark.parametrize("f", [np.shape, np.ndim, np.size, np.result_type], ids=lambda f: f.__name__)
def test_does_not_depend_on_the_values(f):
    """The rules answer as the function does, and pass no derivative."""
    x = normal(3, 4)

    y, pullback = rrule(f, x)

    assert y == f(x)
    assert pullback(NoTangent()) == (NoTangent(), NoTangent())
    assert frule((NoTangent(), x), f, x) == (f(x), NoTangent())


def test_answers_about_shapes_and_kinds():
    """Integers and truth values."""
    check_quickly(np.broadcast_shapes, (3, 1), (4,))
    check_quickly(np.iterable, normal(3))
