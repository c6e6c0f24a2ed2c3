"""Tests of `chainrules_core.tangent_spaces.projection.arrays`."""

import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from chainrules_core import (
    DimensionMismatchError,
    NoTangent,
    ProjectTo,
    Tangent,
    ZeroTangent,
    register_carrier,
    thunk,
)
from chainrules_core.tangent_spaces.projection import ArrayProjector, IdentityProjector, NoTangentProjector
from tests.chainrules_core.boxes import UncalledBackend
from tests.chainrules_core.tangent_spaces.projection.values import assert_are_values

FLOATING = ["float16", "float32", "float64", "longdouble", "complex64", "complex128", "clongdouble"]


@pytest.mark.parametrize("number", [2, 2.0, np.float32(2), np.int8(2), True, np.True_], ids=repr)
def test_numbers_fit_arrays_without_axes(number):
    """They become arrays of the primal's dtype, and are refused by other arrays."""
    x_bar = ProjectTo(np.ones((), np.float32))(number)

    assert (type(x_bar), x_bar.dtype, x_bar.shape, x_bar) == (np.ndarray, np.float32, (), number)
    with pytest.raises(DimensionMismatchError):
        ProjectTo(np.ones(1))(number)


@pytest.mark.parametrize("dtype", FLOATING)
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0,), (1, 0, 2)])
def test_an_array_that_fits_is_returned_as_it_is(dtype, shape):
    """What fits is returned as the same object, whatever its strides."""
    x, x_bar = np.ones(shape, dtype), np.ones(shape, dtype)
    transposed = np.ones(shape[::-1], dtype).T

    assert ProjectTo(x)(x_bar) is x_bar
    assert ProjectTo(x)(transposed) is transposed


@pytest.mark.parametrize("dtype", FLOATING)
@pytest.mark.parametrize("dtype_bar", [*FLOATING, "int64", "bool", "uint8"])
def test_arrays_take_the_primals_precision(dtype, dtype_bar):
    """The projection has the primal's dtype, and the cotangent's values as far as that holds them."""
    x_bar = np.array([0, 1, 1]).astype(dtype_bar)

    projected = ProjectTo(np.ones(3, dtype))(x_bar)

    assert projected.dtype == dtype
    np.testing.assert_array_equal(projected, x_bar)


def test_a_real_primal_takes_the_real_part():
    """The cotangent of a real array is real; no warning says that something was discarded."""
    x_bar = np.array([1 + 2j, 3 - 4j])

    np.testing.assert_array_equal(ProjectTo(np.ones(2))(x_bar), [1.0, 3.0])
    assert ProjectTo(np.ones(2, np.float32))(x_bar).dtype == np.float32


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint16"])
def test_arrays_of_integers_are_perturbed_as_floats(dtype):
    """A rule, not the projector, knows which arguments are indices."""
    project = ProjectTo(np.ones(2, dtype))

    assert project == ArrayProjector(np.dtype(np.float64), (2,))
    np.testing.assert_array_equal(project(np.array([1, 2])), [1.0, 2.0])


@pytest.mark.parametrize("x", [np.array([True]), np.array([], bool), np.array(["a"]), np.array([b"a"])])
def test_arrays_of_what_cannot_be_perturbed_cannot_either(x):
    """Booleans and strings have no tangent, however many."""
    assert ProjectTo(x) == NoTangentProjector()
    assert ProjectTo(x)(np.ones(1)) is NoTangent()


def test_arrays_of_dates_are_left_to_rules():
    """What perturbs a date only a rule knows."""
    assert ProjectTo(np.array(["2020-01-01"], dtype="datetime64[D]")) == IdentityProjector()


def test_the_byte_order_is_the_machines():
    """A cotangent need not be in the order of the file that the primal was read from."""
    x_bar = np.ones(2)

    assert ProjectTo(np.ones(2, dtype=">f8"))(x_bar) is x_bar


@pytest.mark.parametrize(
    ("shape", "shape_bar"),
    [
        ((3,), (1, 3)),
        ((3,), (1, 1, 3)),
        ((1, 3), (3,)),
        ((1, 1, 2, 3), (2, 3)),
        ((), (1, 1)),
        ((1,), ()),
        ((0,), (1, 0)),
    ],
)
def test_leading_axes_of_length_one_come_and_go(shape, shape_bar):
    """NumPy broadcasts by axes in front, so these do not tell shapes apart."""
    projected = ProjectTo(np.ones(shape))(np.full(shape_bar, 2.0))

    assert isinstance(projected, np.ndarray)
    np.testing.assert_array_equal(projected, np.full(shape, 2.0), strict=True)


@pytest.mark.parametrize(
    ("shape", "shape_bar"),
    [
        ((3,), (3, 1)),
        ((3,), (4,)),
        ((3,), (3, 3)),
        ((2, 3), (3, 2)),
        ((2, 3), (6,)),
        ((), (3,)),
        ((3,), ()),
        ((1,), (0,)),
    ],
)
def test_other_shapes_are_refused(shape, shape_bar):
    """The error names both shapes."""
    with pytest.raises(DimensionMismatchError) as refused:
        ProjectTo(np.ones(shape))(np.ones(shape_bar))

    assert str(shape) in str(refused.value)
    assert str(shape_bar) in str(refused.value)


@pytest.mark.parametrize("x_bar", [3.14, 3, np.float32(3), 3.14 + 1j, np.complex64(3 + 1j)])
def test_a_number_for_an_array_without_axes_becomes_one(x_bar):
    """A reduction to 0-d gives NumPy scalars, so a rule cannot help it."""
    projected = ProjectTo(np.array(1.0))(x_bar)

    assert isinstance(projected, np.ndarray)
    np.testing.assert_array_equal(projected, np.array(np.real(x_bar), dtype=float), strict=True)


@pytest.mark.parametrize("x_bar", [3.14, np.float64(3.0), 2j, True])
@pytest.mark.parametrize("shape", [(3,), (1,), (1, 1), (0,)])
def test_a_number_for_an_array_with_axes_is_refused(shape, x_bar):
    """A number is no cotangent of an array, which broadcasting would hide."""
    with pytest.raises(DimensionMismatchError, match="full_like"):
        ProjectTo(np.ones(shape))(x_bar)


@pytest.mark.parametrize("x_bar", [[1.0, 2.0], (1.0, 2.0), "ab", None, memoryview(b"ab")])
def test_what_is_no_array_is_refused(x_bar):
    """Raw lists are no arrays; the error says what is."""
    with pytest.raises(TypeError, match="array of the primal's shape"):
        ProjectTo(np.ones(2))(x_bar)


def test_structural_tangents_are_refused_unless_of_arrays():
    """A structural tangent of another type is no cotangent of an array."""
    with pytest.raises(TypeError, match="no cotangent"):
        ProjectTo(np.ones(2))(Tangent[tuple](1.0, 2.0))


@pytest.mark.parametrize("x", [np.ma.array([1.0, 2.0], mask=[0, 1]), np.ma.array([1, 2])])
def test_masked_arrays_are_refused(x):
    """Neither a primal nor a cotangent may be masked."""
    with pytest.raises(TypeError, match="filled"):
        ProjectTo(x)
    with pytest.raises(TypeError, match="filled"):
        ProjectTo(np.ones(2))(x)


@pytest.fixture
def matrix():
    """An `np.matrix`, of which NumPy warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        return np.matrix([[1.0, 2.0]])


def test_matrices_are_refused_as_primals(matrix):
    """The products of an `np.matrix` are not those that rules write."""
    with pytest.raises(TypeError, match="asarray"):
        ProjectTo(matrix)


def test_a_matrix_becomes_an_array_as_a_cotangent(matrix):
    """SciPy's sparse matrices make an `np.matrix` now and then."""
    projected = ProjectTo(np.ones(2))(matrix)

    assert type(projected) is np.ndarray
    np.testing.assert_array_equal(projected, [1.0, 2.0])


def test_arrays_of_objects_become_numbers():
    """Zeros and thunks among the elements of a cotangent become numbers where the primal has numbers."""
    x_bar = np.array([1, ZeroTangent(), 2 + 3j, thunk(lambda: 4.0)], dtype=object)

    projected = ProjectTo(np.ones(4, np.float32))(x_bar)

    np.testing.assert_array_equal(projected, np.array([1, 0, 2, 4], np.float32), strict=True)


def test_arrays_of_objects_are_projected_element_by_element():
    """Each element has a projector of its own."""
    projected = ProjectTo(np.array([1.0, 1j], object))(np.array([2 + 1j, 2 + 1j], object))

    assert projected.tolist() == [2.0, 2 + 1j]


def test_a_sparse_cotangent_stays_sparse():
    """A cotangent of a dense array may be of any kind of array, in the primal's precision."""
    x_bar = scipy.sparse.csr_array(np.diag([1.0, 2.0]))

    assert ProjectTo(np.ones((2, 2)))(x_bar) is x_bar
    projected = ProjectTo(np.ones((2, 2), np.float32))(x_bar * (1 + 1j))
    assert scipy.sparse.issparse(projected)
    assert projected.dtype == np.float32
    np.testing.assert_array_equal(projected.toarray(), np.diag([1.0, 2.0]))


def test_subclasses_of_ndarray_stay_what_they_are():
    """A subclass with the primal's shape and dtype fits."""

    class Annotated(np.ndarray):
        pass

    x_bar = np.ones(2).view(Annotated)

    assert ProjectTo(np.ones(2))(x_bar) is x_bar
    assert ProjectTo(x_bar) == ProjectTo(np.ones(2))


class TracedArray:
    """A carrier of an array: it has a shape and a dtype, and what else is done with it is traced."""

    def __init__(self, primal, trace=()):
        self.primal, self.trace = primal, trace

    shape = property(lambda self: self.primal.shape)
    dtype = property(lambda self: self.primal.dtype)

    def astype(self, dtype):
        """NumPy's method, traced."""
        return TracedArray(self.primal.astype(dtype), (*self.trace, "astype"))

    def __array_function__(self, func, types, args, kwargs):
        return TracedArray(func(self.primal, *args[1:], **kwargs), (*self.trace, func.__name__))

    def __array__(self, dtype=None, copy=None):
        raise AssertionError("a projector must not compute a traced cotangent")

    __float__ = __len__ = __iter__ = __array__


class TracedNumber:
    """A carrier of a Python number, which has neither shape nor dtype."""

    def __init__(self, primal):
        self.primal = primal

    real = property(lambda self: TracedNumber(self.primal.real))


@pytest.fixture(autouse=True, scope="module")
def _carriers():
    register_carrier(__name__, "TracedArray", UncalledBackend())
    register_carrier(__name__, "TracedNumber", UncalledBackend())


def test_a_carrier_that_fits_passes():
    """A traced array of the primal's shape and dtype is returned as the same object."""
    x_bar = TracedArray(np.ones(3))

    assert ProjectTo(np.ones(3))(x_bar) is x_bar
    assert ProjectTo(TracedArray(np.ones(3)))(x_bar) is x_bar


def test_projecting_a_carrier_is_traced():
    """What does not fit is done by functions that an AD system can trace."""
    x_bar = TracedArray(np.array([[1 + 2j, 3 + 4j]]))

    projected = ProjectTo(np.ones(2, np.float32))(x_bar)

    assert projected.trace == ("reshape", "real", "astype")
    np.testing.assert_array_equal(projected.primal, np.array([1, 3], np.float32), strict=True)


def test_the_shape_of_a_carrier_is_checked():
    """A traced array of another shape is refused as any array is."""
    with pytest.raises(DimensionMismatchError):
        ProjectTo(np.ones(2))(TracedArray(np.ones((2, 1))))


def test_a_carrier_of_a_number_fits_an_array_without_axes():
    """A traced number is a number: it fits 0-d arrays and no others."""
    x_bar = TracedNumber(2.0)

    assert ProjectTo(np.array(1.0))(x_bar) is x_bar
    assert ProjectTo(np.array(1.0))(TracedNumber(2 + 1j)).primal == 2.0
    with pytest.raises(DimensionMismatchError):
        ProjectTo(np.ones(1))(x_bar)


def test_projectors_are_values():
    """A projector keeps no data, is equal to its copies, and its repr evaluates back to it."""
    project = ProjectTo(np.ones((2, 3), np.complex64))

    assert project == ProjectTo(np.zeros((2, 3), np.complex64))
    assert project != ProjectTo(np.ones((2, 3)))
    assert project != ProjectTo(np.ones((3, 2), np.complex64))
    assert pickle.loads(pickle.dumps(project)) == project
    assert hash(pickle.loads(pickle.dumps(project))) == hash(project)
    assert eval(repr(project), {"ArrayProjector": ArrayProjector, "dtype": np.dtype}) == project


numeric = st.sampled_from([*FLOATING[:6], "int32", "bool", "object"]).map(np.dtype)


@given(data=st.data(), shape=arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3))
def test_projecting_twice_is_projecting_once(data, shape):
    """A projected cotangent fits: it is returned as the same object."""
    x = np.zeros(shape, data.draw(numeric.filter(lambda dtype: dtype.kind not in "bO")))
    elements = st.integers(0, 1)
    x_bar = data.draw(
        arrays.arrays(data.draw(numeric), (1,) * data.draw(st.integers(0, 2)) + shape, elements=elements)
    )

    projected = ProjectTo(x)(x_bar)

    assert projected.shape == x.shape
    assert projected.dtype == (x.dtype if x.dtype.kind in "fc" else np.float64)
    assert ProjectTo(x)(projected) is projected
    np.testing.assert_array_equal(projected.astype(complex).ravel(), x_bar.astype(complex).ravel())


def test_arrays_of_other_libraries_keep_their_precision():
    """A dtype that is not NumPy's is left to the library."""

    class Foreign:
        dtype = "float32 of another library"
        shape = (2,)

    x_bar = Foreign()
    assert ProjectTo(np.ones(2))(x_bar) is x_bar


def test_projectors_of_other_primals_are_others():
    """Equal for equal tangent spaces, hashable, picklable; their text makes them again."""
    assert_are_values(*(np.ones(2), np.ones(3), np.ones((2, 1)), np.ones(2, np.float32), np.ones(2, complex)))
