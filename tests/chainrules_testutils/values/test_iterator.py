"""`TestIterator` has what it is asked to have."""

import numpy as np
import pytest

from chainrules_core import Tangent
from chainrules_testutils import TestIterator, rand_tangent, to_vec


def test_iteration():
    """It can be iterated over as often as one likes, and gives its items each time."""
    iterator = TestIterator([1.0, 2.0])

    assert list(iterator) == list(iterator) == [1.0, 2.0]
    assert repr(iterator) == "TestIterator([1.0, 2.0], has_length=True, has_dtype=True)"


def test_traits():
    """Length, shape and dtype are there if asked for."""
    iterator = TestIterator(np.ones((3, 2)))
    assert (len(iterator), iterator.shape, iterator.dtype) == (3, (3, 2), np.float64)

    iterator = TestIterator([1.0], has_length=False, has_dtype=False)
    assert not hasattr(iterator, "shape")
    assert not hasattr(iterator, "dtype")
    assert list(iterator) == [1.0]
    with pytest.raises(TypeError, match="no len"):
        len(iterator)


def test_equality():
    """Data and traits make two of them equal."""
    assert TestIterator([1.0]) == TestIterator([1.0])
    assert hash(TestIterator([1.0])) == hash(TestIterator([1.0]))
    assert TestIterator([1.0]) != TestIterator([2.0])
    assert TestIterator([1.0]) != TestIterator([1.0], has_dtype=False)
    assert TestIterator([1.0]) != [1.0]


def test_tangents():
    """It is a structure, whose data is perturbed."""
    iterator = TestIterator([1.0, 2.0])

    assert to_vec(iterator)[0].tolist() == [1.0, 2.0]
    assert type(rand_tangent(iterator)) is Tangent[TestIterator]
