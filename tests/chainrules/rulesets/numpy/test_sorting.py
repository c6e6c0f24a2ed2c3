"""The rules of sorting, against finite differences."""

import numpy as np
import pytest

from chainrules_core import DimensionMismatchError, NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal

MATRIX = normal(3, 4)


@pytest.mark.parametrize("options", [{}, {"axis": 0}, {"axis": -1}, {"axis": None}, {"kind": "stable"}])
@pytest.mark.parametrize(
    "x", [MATRIX, normal(4, 2, dtype=complex), normal(2, 3, dtype=np.float32), normal(3, 0)]
)
def test_sort(x, options):
    """Along any axis, flattened, complex numbers, no elements."""
    check_rule(np.sort, x, **options)


def test_sort_by_the_keyword_of_the_standard():
    """Its order is the one that the rule has anyway."""
    check_rule(np.sort, MATRIX, stable=True)


def test_sort_with_options_by_position():
    """Each option gets a cotangent."""
    check_rule(np.sort, MATRIX, 0, "mergesort")
    check_rule(np.sort, np.array([3, 1, 2]))


def test_sort_with_ties():
    """Equal elements keep their order, in both modes."""
    x = np.array([2.0, 1.0, 2.0, 1.0])
    y_bar = np.array([1.0, 10.0, 100.0, 1000.0])

    assert rrule(np.sort, x)[1](y_bar)[1].tolist() == [100.0, 1.0, 1000.0, 10.0]
    assert frule((NoTangent(), y_bar), np.sort, x)[1].tolist() == [10.0, 1000.0, 1.0, 100.0]


@pytest.mark.parametrize("special", [[], [0.5, 0.5], [0.0, -0.0], [np.nan, np.nan]])
def test_sort_of_many(special):
    """Whatever algorithm is fastest, the order is that of a stable one."""
    x = np.concatenate((special, normal(2000), special))
    order = np.argsort(x, kind="stable")
    y_bar = normal(x.size, seed=1)

    y, pullback = rrule(np.sort, x)

    np.testing.assert_array_equal(y, x[order])
    np.testing.assert_array_equal(np.signbit(y), np.signbit(x[order]))
    np.testing.assert_array_equal(pullback(y_bar)[1][order], y_bar)


def test_sort_with_nans():
    """They come last, with their cotangents."""
    x = np.array([np.nan, 2.0, 1.0])

    assert rrule(np.sort, x)[1](np.array([1.0, 10.0, 100.0]))[1].tolist() == [100.0, 10.0, 1.0]


@pytest.mark.parametrize("x", [normal(4), normal(2, 3, dtype=complex)])
def test_sort_complex(x):
    """The result is complex; a real argument has a real cotangent."""
    check_rule(np.sort_complex, x)


@pytest.mark.parametrize(
    ("args", "options"),
    [((1,), {}), (((0, 2), 0), {}), ((-1,), {"axis": 0}), ((5, None), {}), ((2,), {"kind": "introselect"})],
)
def test_partition(args, options):
    """Along any axis, flattened, around one element and several."""
    check_rule(np.partition, MATRIX, *args, **options)


@pytest.mark.parametrize("n", [5, 50, 500])
def test_partition_of_many(n):
    """The cotangents are in the order of the elements, whichever of many orders that is."""
    x = np.round(normal(n), 1)
    y, pullback = rrule(np.partition, x, n // 2)

    np.testing.assert_array_equal(y, np.partition(x, n // 2))
    np.testing.assert_array_equal(pullback(y)[1], x)
    np.testing.assert_array_equal(frule((NoTangent(), x, NoTangent()), np.partition, x, n // 2)[1], y)


@pytest.mark.parametrize(("f", "args"), [(np.sort, ()), (np.partition, (1,)), (np.sort_complex, ())])
def test_sorting_without_tangent(f, args):
    """A zero tangent gives a zero one."""
    assert frule((NoTangent(), ZeroTangent(), *args), f, MATRIX, *args)[1] == ZeroTangent()


@pytest.mark.parametrize(
    ("f", "args"), [(np.argsort, (MATRIX,)), (np.argpartition, (MATRIX, 1)), (np.lexsort, (MATRIX,))]
)
def test_orders_have_no_derivative(f, args):
    """They are integers."""
    check_rule(f, *args)


@pytest.mark.parametrize("f", [np.sort, np.sort_complex])
def test_longer_cotangents_are_refused(f):
    """A cotangent of more elements than there are is not cut to fit, along whichever axis."""
    for shape in ((3,), (2, 3)):
        _, pullback = rrule(f, normal(*shape))
        with pytest.raises(DimensionMismatchError):
            pullback(np.ones((*shape[:-1], 4)))


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.5.0", reason="younger than this NumPy")
def test_descending():
    """The largest first, and equal elements in their order."""
    for axis in (0, -1, None):
        check_rule(np.sort, normal(3, 4), axis=axis, descending=True)
    y, pullback = rrule(np.sort, np.array([1.0, 4.0, 1.0]), descending=True)
    assert y.tolist() == [4.0, 1.0, 1.0]
    assert pullback(np.array([1.0, 2.0, 3.0]))[1].tolist() == [2.0, 1.0, 3.0]


@pytest.mark.parametrize("find", [rrule, rrule.unchecked], ids=["checked", "unchecked"])
def test_a_cotangent_in_another_shape_is_refused(find):
    """Of a longer one the wrong elements would be picked."""
    _, pullback = find(np.partition, normal(3), 1)

    with pytest.raises(DimensionMismatchError):
        pullback(np.ones(4))
