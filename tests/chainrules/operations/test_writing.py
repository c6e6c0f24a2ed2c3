"""Writing into an array, as a function with rules."""

import numpy as np
import pytest

from chainrules.operations.writing import written
from chainrules_core import NoTangent, frule
from tests.chainrules.rule_checks import check_rule, normal

# An index, and the shape of what it picks of an array of shape (3, 4).
PLACES = [
    ((1, 2), ()),
    (0, (4,)),
    (-1, (4,)),
    (slice(1, None), (2, 4)),
    ((slice(None), 1), (3,)),
    ((..., slice(None, None, 2)), (3, 2)),
    (..., (3, 4)),
    ([0, 2], (2, 4)),
    (np.array([0, 2]), (2, 4)),
    ((np.array([0, 2, 0]), np.array([1, 3, 1])), (3,)),
    (np.array([[0, 1], [1, 0]]), (2, 2, 4)),
    (np.arange(12).reshape(3, 4) % 5 == 0, (3,)),
    (slice(0, 0), (0, 4)),
]


@pytest.mark.parametrize(("index", "shape"), PLACES)
def test_written(index, shape):
    """The rules agree with differences at every kind of index, for values that are repeated too."""
    check_rule(written, normal(3, 4), normal(*shape, seed=1), index)
    check_rule(written, normal(3, 4), 0.7, index)
    check_rule(written, normal(3, 4, dtype=complex), normal(*shape, dtype=complex, seed=1), index)


def test_complex_tangent_written_into_a_real_one():
    """Complex arrays, such as ``x + 1j``, may have real tangents; nothing of the other is lost."""
    z, v = normal(3, dtype=complex), 1.0 + 2.0j

    _, y_dot = frule((NoTangent(), np.ones(3), 3.0 - 4.0j, NoTangent()), written, z, v, 1)

    np.testing.assert_array_equal(y_dot, [1.0, 3.0 - 4.0j, 1.0])


def test_the_last_of_several_values_for_one_element_stays():
    """Those before it have no influence."""
    index = np.array([0, 1, 0])
    check_rule(written, normal(3), normal(3, seed=1), index)
    np.testing.assert_array_equal(written(np.zeros(2), np.array([1.0, 2.0, 3.0]), index), [3.0, 2.0])


def test_the_array_itself_stays():
    """The result shares no memory with the argument, and has its order in memory."""
    x = np.asfortranarray(normal(2, 3))
    before = x.copy()
    y = written(x, 5.0, 0)

    np.testing.assert_array_equal(x, before)
    assert not np.shares_memory(x, y)
    assert y.strides == x.strides
