"""The rules of items and of sequences that are joined and repeated, against finite differences."""

import operator

import numpy as np
import pytest

from chainrules.ad import hvp
from chainrules_core import (
    InplaceableThunk,
    NoTangent,
    Tangent,
    ZeroTangent,
    add_inplace,
    debugging,
    frule,
    rrule,
)
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.container_checks import check_both_modes
from tests.chainrules.rule_checks import check_rule, normal, read_only

# --- getitem of an array -----------------------------------------------------------------------------------

VECTOR, MATRIX, CUBE = normal(4), normal(3, 4), normal(2, 3, 4)
MASK = MATRIX > 0

INDICES = {
    "integer": (VECTOR, 0),
    "negative integer": (VECTOR, -1),
    "NumPy's integer": (VECTOR, np.int64(2)),
    "slice": (VECTOR, slice(1, 3)),
    "backward slice": (VECTOR, slice(None, None, -2)),
    "empty slice": (VECTOR, slice(2, 2)),
    "slice of nothing": (VECTOR[:0], slice(None)),
    "newaxis": (VECTOR, None),
    "element": (MATRIX, (1, 2)),
    "row": (MATRIX, 1),
    "ellipsis": (MATRIX, ...),
    "ellipsis and integer": (MATRIX, (..., 1)),
    "newaxis and integer": (MATRIX, (None, 1)),
    "boolean array": (MATRIX, MASK),
    "boolean array of rows": (MATRIX, MASK[:, 0]),
    "boolean list": (VECTOR, [True, False, True, True]),
    "integer array": (MATRIX, np.array([0, 2])),
    "integer array with repeats": (MATRIX, np.array([0, 0, 2])),
    "integer array without axes": (VECTOR, np.array(1)),
    "list with repeats": (MATRIX, [0, 0, 2]),
    "empty list": (VECTOR, []),
    "pairs with repeats": (MATRIX, ([0, 0], [1, 1])),
    "integer array and slice": (MATRIX, (np.array([[0, 1], [1, 1]]), slice(1, 3))),
    "slice and integer array": (MATRIX, (slice(None), np.array([3, 3, 0]))),
    "integer, ellipsis and list": (CUBE, (0, ..., [1, 1])),
    "no axes": (np.array(1.5), ()),
    "no axes, ellipsis": (np.array(1.5), ...),
    "complex": (normal(3, 4, dtype=complex), (0, [1, 1])),
    "single precision": (normal(3, 4, dtype=np.float32), [0, 0]),
    "not contiguous": (normal(8)[::2], [0, 0, 1]),
    "read-only": (read_only(VECTOR), [0, 0, 1]),
}


@pytest.mark.parametrize(("x", "index"), INDICES.values(), ids=INDICES)
def test_getitem(x, index):
    """Indices of every kind: what an index picks several times gets the sum of the cotangents."""
    check_rule(operator.getitem, x, index)


@pytest.mark.parametrize("index", [1, slice(0, 2), [0, 0], np.array([True, False, True])])
def test_getitem_adds_in_place(index):
    """The cotangent adds itself into an array, which costs what the index picks, not what the array holds."""
    x = normal(3)
    y, pullback = rrule(operator.getitem, x, index)
    x_bar = pullback(np.ones_like(y))[1]
    accumulated = np.ones(3)

    assert isinstance(x_bar, InplaceableThunk)
    with debugging():
        total = add_inplace(accumulated, x_bar)
    assert total is accumulated
    np.testing.assert_array_equal(total, 1 + np.asarray(x_bar))


def test_getitem_of_a_real_array_adds_the_real_part():
    """A complex cotangent is brought to a real array before it is added in place."""
    x_bar = rrule(operator.getitem, normal(3), 0)[1](2.0 + 5.0j)[1]

    with debugging():
        np.testing.assert_array_equal(add_inplace(np.zeros(3), x_bar), [2.0, 0.0, 0.0])


@pytest.mark.parametrize("index", [(), ..., None, (None, ...), True, False], ids=repr)
@pytest.mark.parametrize("x", [np.float64(1.5), np.float32(1.5), np.complex128(1.5 + 0.5j)], ids=repr)
def test_getitem_of_a_number_of_numpy(x, index):
    """It is taken for an array without axes."""
    test_frule(operator.getitem, x, index)
    test_rrule(operator.getitem, x, index)
    assert hvp(lambda x: np.sum(np.abs(x[index]) ** 2), x, x) == pytest.approx(2 * x * (index is not False))


@pytest.mark.parametrize("index", [(), ...], ids=repr)
def test_getitem_of_a_real_number_takes_the_real_part(index):
    """In its precision."""
    x_bar = rrule(operator.getitem, np.float32(1.5), index)[1](2.0 + 5.0j)[1]

    assert x_bar == 2.0
    assert np.asarray(x_bar).dtype == np.float32


@pytest.mark.parametrize(("index", "kind"), [((), np.float32), (..., np.ndarray), (None, np.ndarray)])
def test_getitem_of_a_number_has_a_tangent_of_its_kind(index, kind):
    """A number for a number, an array for an array, in the precision of the result."""
    y, y_dot = frule((NoTangent(), 2.0, NoTangent()), operator.getitem, np.float32(1.5), index)

    assert type(y) is type(y_dot) is kind
    assert y_dot.dtype == np.float32
    assert y_dot.shape == y.shape


# --- getitem of a container --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("xs", "index"),
    [
        ([1.5, 2.5, 3.5], 1),
        ([1.5, 2.5, 3.5], -1),
        ([1.5, 2.5, 3.5], slice(None, None, -2)),
        ((1.5, normal(2)), 1),
        ((1.5, "on", normal(2)), slice(0, 2)),
        ({"a": 1.5, "b": normal(2)}, "b"),
        ({"a": [1.5, 2.5], "b": "on"}, "a"),
    ],
)
def test_getitem_of_containers(xs, index):
    """Items of lists, tuples and dicts, and slices."""
    check_both_modes(operator.getitem, xs, index)


def test_getitem_of_a_list_has_no_thought_for_other_items():
    """The other items of a list have zero cotangents."""
    assert rrule(operator.getitem, [1.5, 2.5], 0)[1](3.0)[1] == Tangent[list](3.0, ZeroTangent())
    assert rrule(operator.getitem, {"a": 1.5, "b": 2.5}, "b")[1](3.0)[1] == Tangent[dict]({"b": 3.0})


@pytest.mark.parametrize("f", [operator.concat, operator.add])
@pytest.mark.parametrize(("xs", "ys"), [([1.5], [2.5, normal(2)]), ((1.5, 2.5), ()), ((), (1.5, "on"))])
def test_join(f, xs, ys):
    """Lists and tuples that are joined give each item its cotangent."""
    check_both_modes(f, xs, ys)


@pytest.mark.parametrize("xs", [[1.5, 2.5], (1.5, normal(2))])
@pytest.mark.parametrize("n", [0, 1, 3])
def test_repeat(xs, n):
    """An item that is there several times gets the sum of the cotangents."""
    check_both_modes(operator.mul, xs, n)


def test_union():
    """The value of the second dict counts."""
    check_both_modes(operator.or_, {"a": 1.5, "b": 2.5}, {"b": 3.5, "c": normal(2)})


@pytest.mark.parametrize("f", [operator.contains, operator.countOf])
def test_no_derivative(f):
    """Truth values and counts have no derivative."""
    test_frule(f, [1.5, 2.5], 1.5)
    test_rrule(f, [1.5, 2.5], 1.5)


def test_no_derivative_of_places_and_lengths():
    """Integers have no derivative."""
    for f, args in ((operator.indexOf, (["a", "b"], "b")), (operator.length_hint, ([1.5, 2.5],))):
        test_frule(f, *args)
        test_rrule(f, *args)
