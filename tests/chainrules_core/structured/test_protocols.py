"""Tests of `chainrules_core.structured.protocols`."""

from fractions import Fraction

import numpy as np
import pytest

from chainrules_core.structured import Diagonal, Symmetric, Tridiagonal, UniformScaling
from chainrules_core.structured.protocols import OPERATIONS, dense, is_number, keeps_zeros
from tests.chainrules_core.boxes import Box
from tests.chainrules_core.structured.matrices import MAKERS, matrix

D = Diagonal([1.0, 4.0])


@pytest.mark.parametrize("ufunc", [np.exp, np.cos, np.isfinite, np.logical_not])
def test_ufuncs_without_structure_make_dense_arrays(ufunc):
    """Where zero is not mapped to zero, nothing of the structure is left."""
    np.testing.assert_array_equal(ufunc(D), ufunc(D.to_dense()))


@pytest.mark.parametrize(
    "ufunc", [np.sqrt, np.sin, np.tanh, np.expm1, np.floor, np.sign, np.square, np.isnan]
)
def test_ufuncs_that_are_zero_at_zero_keep_the_structure(ufunc):
    """They are applied to the stored elements."""
    assert type(ufunc(D)) is Diagonal
    assert ufunc(D) == ufunc(D.to_dense())


def test_calls_with_carriers_are_left():
    """To the rules of their system."""
    x = Box(np.ones(2))

    assert D.__array_ufunc__(np.add, "__call__", D, x) is NotImplemented
    assert D.__array_function__(np.kron, (Diagonal, Box), (D, x), {}) is NotImplemented


def test_methods_and_keywords_of_ufuncs():
    """They work on dense arrays."""
    np.testing.assert_array_equal(np.add.reduce(D), [1.0, 4.0])
    np.testing.assert_array_equal(
        np.add(D, 1.0, where=np.eye(2, dtype=bool), out=np.zeros((2, 2))), np.diag([2.0, 5.0])
    )
    assert np.multiply.outer(D, [1.0]).shape == (2, 2, 1)


def test_writing_into_a_structured_array_is_refused():
    """The result need not have its structure."""
    with pytest.raises(TypeError, match="cannot be written into"):
        np.add(D, D, out=D)


def test_functions_without_a_method_make_dense_arrays():
    """Arguments in lists too."""
    np.testing.assert_array_equal(np.concatenate([D, D]), np.vstack([D.to_dense()] * 2))
    np.testing.assert_array_equal(np.einsum("ij->i", D), [1.0, 4.0])
    np.testing.assert_array_equal(np.linalg.eigvalsh(Symmetric(np.eye(2))), [1.0, 1.0])
    np.testing.assert_array_equal(np.kron(D, a := np.ones((1, 2))), np.kron(D.to_dense(), a))


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        (lambda A: A.__iadd__(A), 2 * np.diag([1.0, 4.0])),
        (lambda A: A.__isub__(A), np.zeros((2, 2))),
        (lambda A: A.__imul__(3), 3 * np.diag([1.0, 4.0])),
        (lambda A: A.__itruediv__(2), np.diag([0.5, 2.0])),
        (lambda A: A.__imatmul__(np.ones((2, 2))), np.array([[1.0, 1.0], [4.0, 4.0]])),
    ],
)
def test_in_place_operators(operation, expected):
    """In-place operators give the sum, the difference, the product and the quotient."""
    np.testing.assert_array_equal(np.asarray(operation(D.copy())), expected)


def test_powers():
    """Positive powers of numbers keep zeros; others are NumPy's, of dense arrays."""
    assert type(D**0.5) is Diagonal
    np.testing.assert_array_equal(D**0, np.ones((2, 2)))
    np.testing.assert_array_equal(2.0**D, [[2.0, 1.0], [1.0, 16.0]])


def test_functions_of_numbers_beside_the_array():
    """A function of the array and numbers keeps the structure if all of it maps zero to zero."""
    assert type(np.maximum(D, 0.0)) is Diagonal
    assert type(np.minimum(2.0, D)) is Diagonal
    np.testing.assert_array_equal(np.maximum(D, 2.0), np.maximum(D.to_dense(), 2.0))
    np.testing.assert_array_equal(np.hypot(D, D), np.hypot(D.to_dense(), D.to_dense()))


def test_which_functions_keep_zeros():
    """Whether a function keeps zeros is found out at a zero of the array's dtype, without warnings."""
    assert keeps_zeros(np.sin, D)
    assert not keeps_zeros(np.log, D)
    assert not keeps_zeros(np.modf, D)
    assert keeps_zeros(np.power, D, 0.5)
    assert not keeps_zeros(np.power, D, -1.0)
    assert not keeps_zeros(np.hypot, D, D)
    assert not keeps_zeros(np.multiply, D, np.ones(2))
    assert not keeps_zeros(np.sin, 0.0)


def test_quotients():
    """A quotient by a number keeps the structure; others are NumPy's, of dense arrays."""
    assert type(D / 2) is Diagonal
    np.testing.assert_array_equal(D / np.full((2, 2), 2.0), np.diag([0.5, 2.0]))


def test_arrays_of_objects():
    """Elements need only be numbers."""
    half = Fraction(1, 2)
    T = Tridiagonal(*(np.array(x, dtype=object) for x in ([half], [half, 2 * half], [half])))

    np.testing.assert_array_equal(T @ np.array([half, half], dtype=object), [half, 3 * half / 2])
    assert (T + T).d[0] == 1
    assert np.linalg.solve(T, np.array([half, half], dtype=object))[0] == 1


def test_dense_and_is_number():
    """`dense` gives an ordinary array, and `is_number` knows numbers and arrays without axes."""
    assert dense(3.0) == 3.0
    assert type(dense(D)) is np.ndarray
    assert all(map(is_number, (1, 2.0, 3j, True, np.float32(1), np.asarray(1.0))))
    assert not any(map(is_number, (np.ones(1), "1", None, D, UniformScaling(1.0))))


def test_sums_and_differences_with_lists():
    """A list stands for the array of its numbers, on either side."""
    D = Diagonal(np.array([1.0, 2.0]))
    A = [[1.0, 2.0], [3.0, 4.0]]

    np.testing.assert_array_equal(np.asarray(D - A), dense(D) - A)
    np.testing.assert_array_equal(np.asarray(A - D), A - dense(D))


def test_multiples_of_the_identity_add_up():
    """They hold no memory to write into: the sum is a new one."""
    J = K = UniformScaling(2.0)
    J += UniformScaling(3.0)

    assert J == UniformScaling(5.0)
    assert K == UniformScaling(2.0)


@pytest.mark.parametrize("ufunc", OPERATIONS, ids=lambda ufunc: ufunc.__name__)
@pytest.mark.parametrize("kind", MAKERS)
def test_every_operation_is_that_of_the_dense_matrix(ufunc, kind):
    """Of one matrix, of two, and of one and a number or an array."""
    A, B = matrix(kind, dtype="complex128"), matrix(kind, seed=1)
    if ufunc.nin == 1:
        np.testing.assert_allclose(np.asarray(ufunc(A)), ufunc(A.to_dense()))
        return
    full = 2.0 + np.arange(16.0).reshape(4, 4)
    for x, y in ((A, full), (full, A + 2.0), (A, B + 2.0 if ufunc is np.true_divide else B)):
        np.testing.assert_allclose(np.asarray(ufunc(x, y)), ufunc(np.asarray(x), np.asarray(y)), atol=1e-12)
    if ufunc is not np.matmul:
        np.testing.assert_allclose(np.asarray(ufunc(A, 2.0)), ufunc(A.to_dense(), 2.0))


def test_differences_of_bools_and_unsigned_integers():
    """They are those of the type to which both are promoted."""
    for dtype in ("bool", "uint8"):
        y = np.eye(2).astype(dtype)
        np.testing.assert_array_equal(np.asarray(np.subtract(Diagonal(np.array([3, 4])), y)), np.diag([2, 3]))
