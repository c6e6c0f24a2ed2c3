"""Tests of `chainrules_core.structured.uniform_scaling`."""

import copy
import pickle

import numpy as np
import pytest

from chainrules.ad import vjp
from chainrules_core import AbstractArray, DimensionMismatchError, ZeroTangent
from chainrules_core.structured import Diagonal, I, Symmetric, SymTridiagonal, UniformScaling
from chainrules_core.structured.operations import add, matmul, multiply, solve
from tests.chainrules_core.structured.matrices import MAKERS, assert_holds_its_fields, matrix

X = np.arange(4.0).reshape(2, 2)


def test_the_identity():
    """The identity has ones on its diagonal, in every precision and of every size."""
    assert I == UniformScaling(True)
    assert (X.astype(np.float32) @ I).dtype == np.float32
    assert I(2) == np.eye(2)


def test_sums_with_matrices():
    """The number is added to the diagonal, on both sides."""
    eye = np.eye(2)

    for result, expected in (
        *((X + I, X + eye), (I + X, X + eye), (X - 2 * I, X - 2 * eye), (2 * I - X, 2 * eye - X)),
        (np.add(X, I), X + eye),
    ):
        np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("kind", MAKERS)
def test_sums_and_products_with_structured_matrices(kind):
    """They keep their kind, but for ones on the diagonal."""
    A = matrix(kind)

    assert A + 2 * I == A.to_dense() + 2 * np.eye(4)
    assert A - I == A.to_dense() - np.eye(4)
    assert I - A == np.eye(4) - A.to_dense()
    assert A @ (2 * I) == (2 * I) @ A == 2 * A
    assert type(A + I) is type(A) or kind.startswith("Unit")


def test_products():
    """Products with vectors, with matrices and with each other multiply by the number."""
    np.testing.assert_array_equal((3 * I) @ X, 3 * X)
    np.testing.assert_array_equal(X @ (3 * I), 3 * X)
    np.testing.assert_array_equal((3 * I) @ np.ones(2), [3.0, 3.0])
    assert (2 * I) @ (3 * I) == (2 * I) * (3 * I) == 6 * I
    assert 2 * I + I == I * 3
    assert 2 * I - I == I
    assert -I == -1 * I
    assert I / 2 == UniformScaling(0.5)


def test_solutions():
    """Solving a system divides by the number."""
    np.testing.assert_array_equal(np.linalg.solve(2 * I, X), X / 2)
    np.testing.assert_allclose(np.linalg.solve(np.diag([1.0, 2.0]), 2 * I), np.diag([2.0, 1.0]))
    assert np.linalg.solve(2 * I, I) == np.linalg.inv(2 * I) == I / 2
    assert np.linalg.solve(Diagonal([1.0, 2.0]), I) == Diagonal([1.0, 0.5])


def test_numbers_that_are_traced():
    """Operations are those with the number, which its system traces."""
    y, pullback = vjp(lambda k: (k * I) @ X + k * I, 3.0)

    np.testing.assert_array_equal(y, 3.0 * X + 3.0 * np.eye(2))
    assert pullback(np.ones((2, 2))) == (X.sum() + 2.0,)


@pytest.mark.parametrize("operation", [add, multiply, matmul, solve])
def test_whatever_it_meets(operation):
    """A multiple of the identity decides, also beside a matrix that would decide itself."""

    class Own: ...

    def before(x: Own, y: object): ...
    def behind(x: object, y: Own): ...

    operation.dispatch(before)
    operation.dispatch(behind)
    for pair in ((I, Own()), (Own(), I)):
        method, _ = operation.resolve_method(pair)
        assert method.__module__ == UniformScaling.__module__
    assert operation.resolve_method((I, I))[0].__name__.endswith("_scalings")


def test_parts():
    """Conjugates and parts are those of the number."""
    J = UniformScaling(1 + 2j)

    assert J.T is J
    assert J.H == J.conj() == np.conj(J) == UniformScaling(1 - 2j)
    assert J.real == np.real(J) == I
    assert J.imag == np.imag(J) == 2 * I
    assert abs(3 * I * -1) == 3 * I
    assert (I * 2.0)[0, 0] == 2.0
    assert (I * 2.0)[0, 1] == (I * 0.0)[0, 1] == 0.0
    assert J.dtype == np.complex128
    assert J.copy() is J


def test_elementwise_products_need_a_size():
    """``A * I`` is refused; the message says to write ``A @ I``."""
    for product in (lambda: X * I, lambda: I * X):
        with pytest.raises(TypeError, match="@"):
            product()


def test_only_square_matrices_have_a_diagonal():
    """A sum with a vector is refused, which could be a row or a column."""
    for x in (np.ones(2), np.ones((2, 3)), 1.0):
        with pytest.raises(DimensionMismatchError, match="square"):
            I + x


def test_no_size_no_array():
    """A conversion to an array is refused; the message says how to get a size."""
    with pytest.raises(TypeError, match=r"UniformScaling\(True\)\(n\)"):
        np.asarray(I)
    with pytest.raises(TypeError, match=r"UniformScaling\(True\)\(n\)"):
        np.exp(I)
    assert not isinstance(I, AbstractArray)


def test_only_numbers_scale():
    """A product with a vector is refused, which would be a `Diagonal`."""
    with pytest.raises(TypeError, match="Diagonal"):
        UniformScaling(np.ones(2))


def test_equality_and_copies():
    """Multiples of the identity are equal if their numbers are; there is no hash."""
    assert I != 2 * I
    assert I != 1
    assert pickle.loads(pickle.dumps(2 * I)) == copy.deepcopy(2 * I) == 2 * I
    assert repr(2 * I) == "UniformScaling(2)"
    with pytest.raises(TypeError, match="unhashable"):
        hash(I)


def test_zeros():
    """Arithmetic with tangents is that of their own table."""
    assert I + ZeroTangent() is I
    assert I * ZeroTangent() is ZeroTangent()


def test_symmetry_is_kept():
    """The identity is symmetric."""
    assert type(Symmetric(np.eye(2)) + I) is Symmetric
    assert type(SymTridiagonal([1.0, 2.0], [3.0]) - I) is SymTridiagonal


def test_what_all_kinds_are():
    """Their fields stay, their text makes them again, and their elements decide whether they are equal."""
    assert_holds_its_fields(UniformScaling(2.0))
