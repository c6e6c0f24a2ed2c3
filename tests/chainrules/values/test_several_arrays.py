"""Tangents and cotangents of several arrays."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.values.several_arrays import (
    array_of,
    cotangent_in_lists,
    cotangents_of,
    projected,
    tangent_as_array,
    tangent_of,
    tangents_of,
    zero_of,
)
from chainrules_core import NoTangent, Tangent, ZeroTangent, thunk


def assert_all_equal(actual, expected):
    """Assert that two sequences hold equal arrays."""
    for x, y in zip(actual, expected, strict=True):
        np.testing.assert_array_equal(x, y)


def test_tangents_as_arrays():
    """Zeros become zeros, thunks are computed, lists are stacked."""
    xs = [np.ones(2), np.ones(3, dtype=np.float32), 1.5]
    dots = Tangent[tuple](ZeroTangent(), thunk(lambda: np.ones(3)), 2.0)

    assert_all_equal(tangents_of(xs, dots), [np.zeros(2), np.ones(3), 2.0])
    assert_all_equal(tangents_of(xs, NoTangent()), [np.zeros(2), np.zeros(3), 0.0])
    assert zero_of(xs[1]).dtype == np.float32
    nested = [[1.0, 2.0], [3.0, 4.0]]
    np.testing.assert_array_equal(
        tangent_as_array(nested, [[1.0, ZeroTangent()], NoTangent()]), [[1, 0], [0, 0]]
    )


def test_results():
    """The tangent of several results is structural; their cotangents come as any kind of container."""
    ys = (np.ones(2), np.ones(1))

    assert tangent_of(ys, [1.0, 2.0]) == Tangent[tuple](1.0, 2.0)
    assert tangent_of(list(ys), [1.0, 2.0]) == Tangent[list](1.0, 2.0)
    named = np.linalg.eigh(np.eye(2))
    assert tangent_of(named, [1.0, 2.0]) == Tangent[type(named)](eigenvalues=1.0, eigenvectors=2.0)
    for ys_bar in (Tangent[tuple](ZeroTangent(), np.ones(1)), (ZeroTangent(), np.ones(1))):
        assert_all_equal(cotangents_of(ys, ys_bar), [np.zeros(2), np.ones(1)])


def test_projection():
    """Of the items of a list onto a list, of those of an array onto an array."""
    bars = [np.ones(2), np.zeros(2)]

    assert isinstance(projected([np.ones(2), np.ones(2)], bars), Tangent[list])
    named = np.linalg.slogdet(np.eye(2))
    assert projected(named, [1.0, 2.0]) == Tangent[type(named)](sign=1.0, logabsdet=2.0)
    x_bar = projected(np.ones((2, 2), dtype=np.float32), bars)
    np.testing.assert_array_equal(x_bar, np.array([[1, 1], [0, 0]], np.float32), strict=True)


def test_nested_lists():
    """They become an array, and the cotangent of an array becomes that of lists; arrays stay."""
    lists, x = [(1.0, 2.0), [3.0, 4]], np.ones(2)

    np.testing.assert_array_equal(array_of(lists), [[1.0, 2.0], [3.0, 4.0]])
    assert array_of(x) is x
    assert array_of((1.0, 2.0)).tolist() == tangent_as_array((3.0, 4.0), (1.0, 2.0)).tolist() == [1.0, 2.0]
    assert array_of([]) == []
    assert array_of(()) == ()
    for make in (list, tuple):
        assert zero_of(make([1.0, 2.0])).shape == (2,)
        assert zero_of(make([make([1.0, 2.0])])).shape == (1, 2)
    cotangent = Tangent[list](Tangent[tuple](1.0, 2.0), Tangent[list](3.0, 4.0))
    assert cotangent_in_lists(lists, np.array([[1.0, 2.0], [3.0, 4.0]])) == cotangent
    assert cotangent_in_lists(lists, ZeroTangent()) == ZeroTangent()
    named = np.linalg.slogdet(np.eye(2))
    assert cotangent_in_lists(named, np.ones(2)) == Tangent[type(named)](sign=1.0, logabsdet=1.0)
    np.testing.assert_array_equal(cotangent_in_lists(x, np.array([1.0 + 2j, 3.0])), [1.0, 3.0])


@pytest.mark.parametrize("container", [list, tuple])
def test_zeros_like_traced_numbers(container):
    """They are zeros of floats, though NumPy would make an array of objects."""
    zeros = []
    grad(lambda x: (zeros.append(zero_of(container([x, 2.0]))), x)[1])(1.5)

    np.testing.assert_array_equal(zeros[0], np.zeros(2), strict=True)
