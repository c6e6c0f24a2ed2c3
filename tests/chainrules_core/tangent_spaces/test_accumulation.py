"""Tests of `chainrules_core.tangent_spaces.accumulation`."""

from copy import deepcopy
from dataclasses import dataclass

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from numpy.lib.stride_tricks import as_strided

from chainrules_core import (
    BadInplaceError,
    DimensionMismatchError,
    InplaceableThunk,
    NoTangent,
    Tangent,
    ZeroTangent,
    add_inplace,
    debugging,
    is_inplaceable_destination,
    not_implemented,
    thunk,
)
from tests.python_calls import functions_run_by


def inplaceable(value):
    """The thunk of an array that can add itself in place."""

    def add(x_bar):
        x_bar += value
        return x_bar

    return InplaceableThunk(add, thunk(lambda: value))


@dataclass
class Line:
    """A dataclass."""

    slope: float


def dense(x):
    """The elements of a number, an array or a sparse array."""
    return x.toarray() if scipy.sparse.issparse(x) else x


# --- The sum ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "y", "total"),
    [
        (12, 4, 16),
        (12.0, 4.0, 16.0),
        (np.float32(12), 4 + 1j, 16 + 1j),
        (12, thunk(lambda: 4), 16),
        (thunk(lambda: 12), 4, 16),
        (thunk(lambda: 12), thunk(lambda: 4), 16),
        (16, ZeroTangent(), 16),
        (16, NoTangent(), 16),
        (ZeroTangent(), 16, 16),
        (Tangent[Line](slope=1.0), Tangent[Line](slope=2.0), Tangent[Line](slope=3.0)),
        (Line(1.0), Tangent[Line](slope=2.0), Line(3.0)),
        ((1.0,), Tangent[tuple](2.0), (3.0,)),
    ],
)
def test_what_cannot_be_written_into_is_added(x, y, total):
    """The sum is what ``+`` says, thunks by their values."""
    assert add_inplace(x, y) == total


def test_not_implemented_stays_so():
    """A derivative that nobody has written spoils the sum, without an error."""
    unknown = not_implemented("for the test")
    assert add_inplace(np.ones(2), unknown) is unknown
    assert add_inplace(unknown, np.ones(2)) is unknown


@pytest.mark.parametrize("zero", [ZeroTangent(), NoTangent()])
def test_zeros_leave_the_other_as_it_is(zero):
    """Adding zero returns the other operand as the same object, and computes no thunk."""
    x = np.ones(2)
    lazy = thunk(lambda: pytest.fail("not to be computed"))

    assert add_inplace(x, zero) is x
    assert add_inplace(zero, x) is x
    assert add_inplace(lazy, zero) is lazy


@pytest.mark.parametrize(
    "y",
    [
        np.full((2, 2), 2.0),
        np.full((2, 2), 2, np.int8),
        np.full((2, 2), 2.0, np.float32),
        np.full((2, 2), 2.0).T,
        thunk(lambda: np.full((2, 2), 2.0)),
        thunk(lambda: thunk(lambda: np.full((2, 2), 2.0))),
        inplaceable(np.full((2, 2), 2.0)),
        scipy.sparse.csr_array(np.full((2, 2), 2.0)),
        scipy.sparse.csc_matrix(np.full((2, 2), 2.0)),
        scipy.sparse.coo_array(([1.0, 1.0, 2.0, 2.0, 2.0], ([0, 0, 0, 1, 1], [0, 0, 1, 0, 1])), shape=(2, 2)),
    ],
    ids=lambda y: type(y).__name__,
)
def test_an_array_is_written_into(y):
    """Dense, sparse (with several entries for one position) and lazy arrays are added to the same memory."""
    x = np.ones((2, 2))

    total = add_inplace(x, y)

    assert total is x
    np.testing.assert_array_equal(x, np.full((2, 2), 3.0))


@pytest.mark.parametrize(
    ("x", "y"),
    [
        (np.ones(3), np.full(3, 2j)),
        (np.ones(3, np.float32), np.full(3, 2j, np.complex64)),
        (np.ones(3, int), np.full(3, 0.5)),
        (np.ones(3, int), np.full(3, 2)),
        (np.broadcast_to(1.0, 3), np.ones(3)),
        (np.ones(3), np.full(3, None)),
        (np.array([1, 2, 3], object), np.ones(3)),
    ],
)
def test_an_array_that_cannot_hold_the_sum_is_not_written_into(x, y):
    """The sum is a new array, and `x` is what it was."""
    before = x.copy()
    if y.dtype == object:
        y = np.array([0.5, 2j, 1], object)

    total = add_inplace(x, y)

    assert total is not x
    np.testing.assert_array_equal(x, before)
    np.testing.assert_array_equal(total, before + y)


def test_a_read_only_array_is_not_written_into():
    """A primal may be protected."""
    x = np.ones(3)
    x.flags.writeable = False

    np.testing.assert_array_equal(add_inplace(x, np.ones(3)), np.full(3, 2.0))
    np.testing.assert_array_equal(add_inplace(x, inplaceable(np.ones(3))), np.full(3, 2.0))
    np.testing.assert_array_equal(x, np.ones(3))


def test_overlapping_memory():
    """Elements that share memory are not added to twice; `x` and `y` may overlap each other."""
    row = np.ones(3)
    repeated = as_strided(row, (2, 3), (0, 8))
    sliding = as_strided(np.ones(4), (3, 2), (8, 8))

    np.testing.assert_array_equal(add_inplace(repeated, np.ones((2, 3))), np.full((2, 3), 2.0))
    np.testing.assert_array_equal(add_inplace(sliding, np.ones((3, 2))), np.full((3, 2), 2.0))
    np.testing.assert_array_equal(row, np.ones(3))
    x = np.arange(4.0)
    np.testing.assert_array_equal(add_inplace(x[1:], x[:-1]), [1.0, 3.0, 5.0])


def test_arrays_without_axes_take_numbers():
    """A number has the shape of a 0-d array."""
    x = np.array(1.0)

    assert add_inplace(x, 2.0) is x
    assert add_inplace(x, np.float32(2.0)) is x
    assert x == 5.0
    assert add_inplace(1.0, np.array(2.0)) == 3.0


@pytest.mark.parametrize(
    ("x", "y"),
    [
        (np.ones((4, 4)), np.ones((2, 2))),
        (np.ones((4, 4)), np.ones(16)),
        (np.ones((4, 4)), np.ones((4, 1))),
        (np.ones((2, 2)), np.ones(2)),
        (np.ones(4), 21.0),
        (np.ones(1), 21.0),
        (21.0, np.ones(4)),
        (np.ones(4), np.float64(21.0)),
        (np.ones(4), np.array(21.0)),
        (np.ones(4), thunk(lambda: 21.0)),
        (np.ones(4), scipy.sparse.csr_array(np.ones((4, 4)))),
        (scipy.sparse.csr_array(np.ones((2, 2))), np.ones((1, 2))),
        (np.ones((3, 3), int), np.ones(3)),
    ],
)
def test_nothing_is_broadcast(x, y):
    """Tangents of one primal have one shape: anything else is a mistake, and leaves `x` as it is."""
    before = deepcopy(x)

    with pytest.raises(DimensionMismatchError):
        add_inplace(x, y)
    assert np.all(dense(x) == dense(before))


@pytest.mark.parametrize(
    ("x", "y"), [((1.0,), (2.0,)), ([1.0], [2.0]), ("a", "b"), (b"a", b"b"), ([1.0], np.ones(1)), ({}, {})]
)
def test_nothing_is_concatenated(x, y):
    """Raw sequences are no tangents, for their ``+`` is no addition."""
    with pytest.raises(TypeError, match=r"Tangent\["):
        add_inplace(x, y)


def test_common_sums_go_a_short_way():
    """Numbers, plain arrays, and what adds itself to one, are told by their class."""
    x = np.ones(2)
    for left, right in ((1.0, 2j), (x, x), (x, inplaceable(np.ones(2)))):
        ran = functions_run_by(lambda left=left, right=right: add_inplace(left, right))
        assert not {"is_inplaceable_ndarray", "_refuse_broadcasting", "unthunk_fully"} & ran.keys()


def test_sparse_arrays_that_are_dicts_too():
    """SciPy's `dok_array` is a dict, and yet it is added as an array."""
    A, x = scipy.sparse.eye_array(3, format="dok"), np.ones((3, 3))

    assert add_inplace(x, A) is x
    np.testing.assert_array_equal(x, np.ones((3, 3)) + np.eye(3))


def test_sparse_arrays_are_not_written_into():
    """The sum has a sparsity pattern of its own; of a sparse and a dense one it is a dense array."""
    x, y = map(scipy.sparse.csr_array, (np.diag([1.0, 2.0]), np.array([[0.0, 1.0], [0.0, 0.0]])))

    total = add_inplace(x, y)

    np.testing.assert_array_equal(total.toarray(), [[1.0, 1.0], [0.0, 2.0]])
    np.testing.assert_array_equal(x.toarray(), np.diag([1.0, 2.0]))
    assert not is_inplaceable_destination(x)


@pytest.mark.parametrize("x", [scipy.sparse.csr_matrix(np.eye(2)), np.ones((2, 2), int)])
@pytest.mark.parametrize("y", [np.ones((2, 2)), scipy.sparse.csr_matrix(np.eye(2, dtype=complex))])
def test_sums_with_sparse_matrices_are_no_np_matrix(x, y):
    """SciPy's older sparse classes make an `np.matrix`, whose products mean something else."""
    assert not isinstance(add_inplace(x, y), np.matrix)


@given(
    x=st.sampled_from(["float32", "float64", "complex64", "complex128", "int64", "bool"]),
    y=st.sampled_from(["float32", "float64", "complex64", "complex128", "int64", "bool"]),
    shape=st.sampled_from([(), (3,), (2, 3), (0,)]),
)
def test_the_value_is_that_of_the_sum(x, y, shape):
    """Whether written in place or not, and whatever the dtypes: small integers are exact in all of them."""
    a, b = np.ones(shape, x), np.ones(shape, y)

    np.testing.assert_array_equal(add_inplace(a.copy(), b), a + b)


# --- Destinations ----------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "longdouble", "complex64", "complex128"])
def test_writeable_arrays_of_numbers_are_destinations(dtype):
    """So are their views, whatever the strides, if no two elements share memory."""
    x = np.ones((4, 6), dtype)

    for view in (x, x.T, x[1:], x[:, 2], x[::2, ::-1], x[:, :-1], x[::2, None], np.empty((0, 3), dtype)):
        assert is_inplaceable_destination(view)


@pytest.mark.parametrize(
    "x",
    [
        *(1, 1.0, 2j, (1.0,), [1.0], "a", None, range(3), np.float64(1)),
        *(np.ones(3, int), np.ones(3, bool), np.ones(3, object), np.array(["a"])),
        *(np.broadcast_to(np.ones(3), (2, 3)), as_strided(np.ones(3), (2, 3), (0, 8))),
        *(as_strided(np.ones(4), (3, 2), (8, 8)), as_strided(np.ones(5), (2, 3), (16, 8))),
        *(as_strided(np.ones(4), (2,), (4,)), np.ma.array([1.0]), ZeroTangent(), Tangent[Line](slope=1.0)),
    ],
    ids=repr,
)
def test_in_doubt_nothing_is_a_destination(x):
    """Numbers, integers, overlapping elements, subclasses and other types are never added to in place."""
    assert not is_inplaceable_destination(x)


def test_third_parties_add_their_destinations():
    """A class says that it can be written into, and is, by its own ``+=``, with values of its own."""

    class Accumulator:
        def __init__(self, total):
            self.total = total

        def __add__(self, other):
            return Accumulator(self.total + other.total)

        def __iadd__(self, other):
            self.total += other.total
            return self

    x = Accumulator(1.0)
    assert add_inplace(x, Accumulator(2.0)) is not x

    @is_inplaceable_destination.dispatch
    def is_inplaceable_accumulator(x: Accumulator):
        return True

    assert add_inplace(x, Accumulator(2.0)) is x
    assert x.total == 3.0


# --- InplaceableThunk ------------------------------------------------------------------------------


def test_an_inplaceable_thunk_adds_itself_only_where_it_may():
    """Where it may not add itself in place, its value is added."""
    lazy = InplaceableThunk(lambda _: pytest.fail("not a destination"), thunk(lambda: np.full(2, 0.5)))

    np.testing.assert_array_equal(add_inplace(np.ones(2, int), lazy), [1.5, 1.5])
    np.testing.assert_array_equal(add_inplace(np.broadcast_to(1.0, 2), lazy), [1.5, 1.5])


def test_the_value_of_an_inplaceable_thunk_is_not_computed_in_place():
    """Adding in place does not compute the value of the thunk."""
    x, y = np.ones(2), InplaceableThunk(lambda x: np.add(x, 1, out=x), thunk(lambda: pytest.fail("unused")))

    assert add_inplace(x, y) is x
    np.testing.assert_array_equal(x, [2.0, 2.0])


def test_outside_of_debug_mode_what_add_returns_is_the_sum():
    """What `add` returns counts as the sum, unchecked, since a check would cost at every addition."""
    bad = InplaceableThunk(lambda _: 77 * np.ones(2), thunk(lambda: np.ones(2)))

    np.testing.assert_array_equal(add_inplace(np.ones(2), bad), [77.0, 77.0])


def test_debug_mode_finds_a_bad_inplaceable_thunk():
    """The error shows the thunk, what it was given and what it returned."""
    bad = InplaceableThunk(lambda _: np.full(2, 77.0), thunk(lambda: np.ones(2)))

    with debugging(), pytest.raises(BadInplaceError) as refused:
        add_inplace(np.full(2, 11.0), bad)

    message = str(refused.value)
    assert repr(bad) in message
    assert "array([11., 11.])" in message
    assert "array([77., 77.])" in message
    assert "equal" not in message


def test_debug_mode_finds_a_copy():
    """That the sum is right is not enough: the error says that the two are equal."""
    bad = InplaceableThunk(np.copy, thunk(lambda: np.zeros(2)))

    with debugging(), pytest.raises(BadInplaceError, match="equal, but they are not the same object"):
        add_inplace(np.ones(2), bad)


def test_debug_mode_accepts_a_good_inplaceable_thunk():
    """An `add` that returns the object that it was given passes."""
    x = np.ones(2)
    with debugging():
        assert add_inplace(x, inplaceable(np.ones(2))) is x


def test_debug_mode_finds_what_cannot_be_compared():
    """What `add` returns may be anything: then the error says no more than that it is something else."""

    class Incomparable:
        def __eq__(self, other):
            raise TypeError("never")

        __hash__ = None

    other = np.array([Incomparable(), Incomparable()])
    bad = InplaceableThunk(lambda _: other, thunk(lambda: np.ones(2)))
    with debugging(), pytest.raises(BadInplaceError) as raised:
        add_inplace(np.zeros(2), bad)
    assert "The two are equal" not in str(raised.value)


def test_what_has_no_memory_of_its_own_is_added_by_its_own_operator():
    """An array that is computed later is added by its own operator."""

    class Lazy:
        __array_ufunc__ = None
        shape = (2,)

        def __radd__(self, x):
            return "the sum", x

    assert add_inplace(np.ones(2), Lazy())[0] == "the sum"


def test_complex_entries_make_a_complex_sum():
    """A real array has no room for complex entries: the sum is a new, complex array."""
    total = add_inplace(np.zeros((2, 2)), scipy.sparse.csr_array(1j * np.eye(2)))
    np.testing.assert_array_equal(total, 1j * np.eye(2))
