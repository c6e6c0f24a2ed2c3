"""The rules of picking elements, against finite differences."""

import functools

import numpy as np
import pytest

from chainrules_core import NoTangent, add_inplace, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.several_array_checks import check_several
from tests.chainrules.structured_checks import check_symmetric

MATRIX = normal(3, 4)
CUBE = normal(2, 3, 4)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((MATRIX, 5), {}),
        ((MATRIX, -1), {}),
        ((MATRIX, [5, 1, 5, -1]), {}),
        ((MATRIX, np.array([[0, 1], [0, 0]])), {}),
        ((CUBE, [2, 2, 0], 1), {}),
        ((CUBE, [[0, -1], [1, 1]]), {"axis": -1}),
        ((CUBE, 1, 0), {}),
        ((MATRIX, [3, -5, 7], 1), {"mode": "wrap"}),
        ((MATRIX, [3, -5, 7], 1), {"mode": "clip"}),
        ((MATRIX, [30, -5]), {"mode": "wrap"}),
        ((MATRIX, [], 1), {}),
        ((1.5, [0, 0]), {}),
        ((np.array(1.5), [0, 0], 0), {}),
        ((normal(3, dtype=complex), [0, 0, 2]), {}),
    ],
)
def test_take(args, options):
    """Along an axis or of all elements, in each mode; an index that is there twice adds up."""
    check_rule(np.take, *args, **options)


@pytest.mark.parametrize("options", [{}, {"mode": "wrap"}, {"axis": 0}])
def test_what_is_taken_is_added_in_place(options):
    """So that a loop that takes rows of a large table does not make a table for each of them."""
    x, indices = normal(5), np.array([3, 3, 1])
    y, pullback = rrule(np.take, x, indices, **options)
    total = np.zeros(5)

    assert y.tolist() == x[[3, 3, 1]].tolist()
    assert add_inplace(total, pullback(np.array([1.0, 10.0, 100.0]))[1]) is total
    assert total.tolist() == [0.0, 100.0, 0.0, 11.0, 0.0]


def test_take_refuses_to_write():
    """Writing into an array leaves no trace."""
    with pytest.raises(TypeError, match=r"np\.take.*out="):
        rrule(np.take, MATRIX, [0], out=np.zeros(1))
    with pytest.raises(IndexError):
        rrule(np.take, MATRIX, [4], axis=1)


def test_choices_and_conditions_refuse_to_write():
    """An array to write into may be given by position."""
    x, y = normal(2), np.zeros(2)
    for call in ((np.choose, [1, 0], (x, x), y), (np.compress, [True, True], x, None, y)):
        tangents = (NoTangent(), NoTangent(), call[2], *(NoTangent(),) * (len(call) - 3))
        for rule in (rrule, functools.partial(frule, tangents)):
            with pytest.raises(TypeError, match=rf"np\.{call[0].__name__}.*out="):
                rule(*call)
    assert not y.any()


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((MATRIX, np.array([[0], [2], [3]]), 1), {}),
        ((MATRIX, np.array([[0, 0, -1, 2]])), {"axis": 0}),
        ((CUBE, np.argsort(CUBE, axis=1)), {"axis": 1}),
        ((MATRIX, np.array([1, 1, 5]), None), {}),
        ((normal(1, 4), np.array([[0, 1], [2, 2], [3, 3]]), 1), {}),
        ((normal(2, 2, dtype=complex), np.array([[1, 1], [0, 1]]), 0), {}),
    ],
)
def test_take_along_axis(args, options):
    """One index for each element; an array with one row serves all rows of indices."""
    check_rule(np.take_along_axis, *args, **options)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        (([True, False, True], MATRIX, 0), {}),
        (([True, False, True], MATRIX), {"axis": 0}),
        ((np.array([0, 1, 1, 0]), MATRIX), {"axis": -1}),
        (([False, True, True], MATRIX), {}),
        (([False] * 4, MATRIX, 1), {}),
        (([True, False], normal(2, dtype=complex)), {}),
    ],
)
def test_compress(args, options):
    """Along an axis or of all elements; a condition may be shorter than the array."""
    check_rule(np.compress, *args, **options)


@pytest.mark.parametrize("x", [MATRIX, normal(3, 4, dtype=complex)])
def test_extract(x):
    """Where a condition holds, of the shape of the array."""
    check_rule(np.extract, MATRIX > 0, x)
    check_rule(np.extract, np.zeros((3, 4), dtype=bool), x)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((np.array([0, 1, 0]), [normal(3), normal(3, seed=1)]), {}),
        ((np.array([[0], [1]]), (normal(3), normal(2, 1))), {}),
        ((np.array([0, 1, 2]), [1.5, normal(3), normal(1)]), {}),
        ((np.array([0, 5, -1]), [normal(3), normal(3, seed=1)]), {"mode": "wrap"}),
        ((np.array([0, 5, -1]), [normal(3), normal(3, seed=1)]), {"mode": "clip"}),
        ((1, [normal(3), normal(3, dtype=complex)]), {}),
        ((np.array([1, 0, 1]), normal(2, 3)), {}),
    ],
)
def test_choose(args, options):
    """Between arrays that broadcast, in each mode."""
    check_several(np.choose, *args, **options)


def test_symmetric_matrices():
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_symmetric(np.take, [0, 3])
    check_symmetric(np.take, [0, 1], 1)
