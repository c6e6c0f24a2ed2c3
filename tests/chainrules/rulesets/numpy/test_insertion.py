"""The rules of adding and removing elements, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.structured_checks import check_symmetric

MATRIX = normal(3, 2)
INDICES = [1, -1, [0, 2], np.array([2, 0, 2]), slice(None, None, 2), [], np.array([True, False, True])]


@pytest.mark.parametrize("index", INDICES, ids=repr)
def test_delete(index):
    """By indices of every kind."""
    check_rule(np.delete, MATRIX, index, 0)
    check_rule(np.delete, normal(3, dtype=complex), index)


@pytest.mark.parametrize("options", [{}, {"axis": 1}, {"axis": -1}])
def test_delete_along_axes(options):
    """Of all elements, or along an axis."""
    check_rule(np.delete, MATRIX, [0, 1], **options)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((MATRIX, (2, 3)), {}),
        ((MATRIX, (5, 5)), {}),
        ((MATRIX,), {"new_shape": 20}),
        ((normal(0), (2, 2)), {}),
        ((1.5, (2, 2)), {}),
        ((normal(2, dtype=complex), 3), {}),
        ((MATRIX, 0), {}),
    ],
)
def test_resize(args, options):
    """Fewer elements, and more, which are repeated."""
    check_rule(np.resize, *args, **options)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((MATRIX, normal(2)), {}),
        ((MATRIX, 1.5), {}),
        ((MATRIX, normal(1, 2), 0), {}),
        ((MATRIX, normal(3, 2)), {"axis": -1}),
        ((normal(2), normal(3, dtype=complex)), {}),
        ((1.5, 2.5), {}),
        ((normal(0), normal(2)), {}),
    ],
)
def test_append(args, options):
    """All elements of both, or along an axis."""
    check_rule(np.append, *args, **options)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((MATRIX, 1, 1.5), {}),
        ((MATRIX, 1, 1.5, 0), {}),
        ((MATRIX, -1, normal(2)), {"axis": 0}),
        ((MATRIX, 1, normal(3), 1), {}),
        ((MATRIX, [1], normal(3, 1), 1), {}),
        ((MATRIX, [0, 2], normal(2, 2)), {"axis": 0}),
        ((MATRIX, [0, 2], 1.5, 0), {}),
        ((MATRIX, [2, 2, 5], normal(3)), {}),
        ((MATRIX, slice(0, 2), normal(2, 2), 0), {}),
        ((normal(3, dtype=complex), 1, normal(2)), {}),
        ((normal(0), 0, 1.5), {}),
    ],
)
def test_insert(args, options):
    """At indices of every kind; values that are broadcast get what all their copies get."""
    check_rule(np.insert, *args, **options)


ZEROS_AROUND = np.array([0.0, 0.0, 1.5, 0.0, 2.5, 0.0])


@pytest.mark.parametrize("trim", ["fb", "f", "b"])
def test_trim_zeros(trim):
    """What is cut off has no influence on the rest: the lengths are constant next to here."""
    y, pullback = rrule(np.trim_zeros, ZEROS_AROUND, trim)
    kept = slice(2 if "f" in trim else 0, 5 if "b" in trim else 6)
    expected = np.zeros(6)
    expected[kept] = range(1, len(y) + 1)

    np.testing.assert_array_equal(y, ZEROS_AROUND[kept])
    np.testing.assert_array_equal(pullback(np.arange(1.0, len(y) + 1))[1], expected)
    _, y_dot = frule((NoTangent(), np.arange(6.0), NoTangent()), np.trim_zeros, ZEROS_AROUND, trim)
    np.testing.assert_array_equal(y_dot, np.arange(6.0)[kept])


def test_trim_zeros_where_nothing_is_cut():
    """Then differences exist; and where everything is cut, there is nothing left."""
    check_rule(np.trim_zeros, normal(3))
    check_rule(np.trim_zeros, normal(3, dtype=complex), trim="f")
    np.testing.assert_array_equal(rrule(np.trim_zeros, np.zeros(3))[1](np.zeros(0))[1], np.zeros(3))


def test_trim_zeros_of_matrices():
    """Along all axes, or some."""
    x = np.pad(normal(2, 3), ((1, 0), (2, 1)))
    for options, kept in [({}, np.s_[1:, 2:5]), ({"axis": 1}, np.s_[:, 2:5]), ({"trim": "f"}, np.s_[1:, 2:])]:
        y, pullback = rrule(np.trim_zeros, x, **options)
        expected = np.zeros_like(x)
        expected[kept] = 1

        np.testing.assert_array_equal(y, x[kept])
        np.testing.assert_array_equal(pullback(np.ones_like(y))[1], expected)


def test_symmetric_matrices():
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_symmetric(np.delete, 1, 0)
    check_symmetric(np.append, normal(3))
    check_symmetric(np.insert, 1, 2.0)
    check_symmetric(np.trim_zeros)
