"""The linear operations on tangents of all kinds."""

from dataclasses import dataclass

import numpy as np
import pytest
import scipy.sparse

from chainrules_core import DimensionMismatchError, NoTangent, Tangent, Thunk, ZeroTangent, not_implemented
from chainrules_core.tangents.linear_operations import (
    add_tangents,
    adjoint,
    conjugate_tangent,
    dot,
    imag,
    iszero,
    muladd,
    norm,
    real,
    scale_tangent,
    subtract,
    transpose,
)


@dataclass
class Foo:
    """A primal."""

    x: complex
    y: complex = 0j


ZEROS = [ZeroTangent(), NoTangent()]
A = np.array([[1.0 + 2.0j, 3.0], [0.0, 1.0j]])


@pytest.mark.parametrize("raw", [(1.0,), [1.0], "a", b"a", {"a": 1.0}, {1.0}, True, np.bool_(True)], ids=repr)
def test_raw_containers_and_bools_do_not_add(raw):
    """H2, H7: Python would concatenate them, or count; the error says what to write."""
    with pytest.raises(TypeError, match="not a tangent"):
        add_tangents(raw, raw)
    with pytest.raises(TypeError, match="not a tangent"):
        subtract(1.0, raw)


def test_raw_containers_are_not_repeated():
    """A product with a number would repeat them; True is a factor like any other."""
    for raw in ((1.0,), [1.0], "a"):
        with pytest.raises(TypeError, match="not a tangent"):
            scale_tangent(2, raw)
    assert scale_tangent(True, 2.0) == 2.0


def test_operators_as_functions():
    """On anything else they are the operators."""
    assert add_tangents(1.0, 2.0) == 3.0
    assert subtract(1.0, 2.0) == -1.0
    assert scale_tangent(2.0, 3.0) == 6.0
    assert muladd(2.0, 3.0, 4.0) == 10.0
    assert add_tangents((1.0,), Tangent[tuple](2.0)) == (3.0,)


@pytest.mark.parametrize("zero", ZEROS, ids=repr)
def test_nobody_is_asked_for_a_sum_with_zero(zero):
    """A primal whose `+` takes anything, as that of an array of objects, does not meet the zero."""

    class Greedy:
        def __add__(self, other):
            raise AssertionError("asked")

        __radd__ = __add__

    x = Greedy()
    assert add_tangents(x, zero) is add_tangents(zero, x) is x


@pytest.mark.parametrize("zero", ZEROS, ids=repr)
def test_functions_of_zeros(zero):
    """Linear functions of a zero are that zero; its norm is 0."""
    for function in (conjugate_tangent, real, imag, transpose, adjoint):
        assert function(zero) is zero
    assert norm(zero) == 0.0
    assert iszero(zero)


def test_functions_of_arrays():
    """On arrays and numbers they are NumPy's; transposing is of the last two axes."""
    np.testing.assert_array_equal(conjugate_tangent(A), A.conj())
    np.testing.assert_array_equal(real(A), A.real)
    np.testing.assert_array_equal(imag(A), A.imag)
    np.testing.assert_array_equal(transpose(A), A.T)
    np.testing.assert_array_equal(adjoint(A), A.conj().T)
    stack = np.arange(24.0).reshape(2, 3, 4)
    np.testing.assert_array_equal(transpose(stack), np.swapaxes(stack, 1, 2))
    vector = np.ones(2)
    assert transpose(vector) is vector
    assert conjugate_tangent(1 + 2j) == 1 - 2j
    assert adjoint(1 + 2j) == 1 - 2j
    assert norm(A) == pytest.approx(np.sqrt(15.0), abs=0, rel=1e-15)
    assert norm(-3.0) == 3.0


def test_functions_of_sparse_arrays():
    """Sparse arrays stay sparse."""
    sparse = scipy.sparse.csr_array(A)
    for function in (conjugate_tangent, transpose, adjoint):
        result = function(sparse)
        assert scipy.sparse.issparse(result)
        np.testing.assert_array_equal(result.toarray(), function(A))
    assert norm(sparse) == pytest.approx(norm(A), abs=0, rel=1e-15)
    assert dot(sparse, sparse) == dot(A, A)
    assert not iszero(sparse)
    assert iszero(0 * sparse)


def test_functions_of_thunks():
    """A function of a thunk gives the same as of its value."""
    t = Thunk(lambda: A)
    for function in (conjugate_tangent, real, imag, transpose, adjoint):
        np.testing.assert_array_equal(function(t), function(A))
    assert norm(t) == norm(A)
    assert dot(t, A) == dot(A, t) == dot(A, A)
    assert iszero(Thunk(lambda: 0.0))


def test_functions_of_structures():
    """A function of a structural tangent acts field by field on the given fields."""
    t = Tangent[Foo](x=3.0 + 4.0j)
    assert conjugate_tangent(t) == Tangent[Foo](x=3.0 - 4.0j)
    assert np.conjugate(t) == conjugate_tangent(t)
    assert real(t) == Tangent[Foo](x=3.0)
    assert imag(t) == Tangent[Foo](x=4.0)
    assert norm(t) == 5.0
    assert norm(Tangent[Foo](x=3.0, y=Tangent[tuple](4.0, NoTangent()))) == 5.0
    for function in (transpose, adjoint):
        with pytest.raises(TypeError, match="not defined"):
            function(t)


def test_iszero():
    """Zeros, numbers and arrays that are 0, and tangents of these are zero; unknown ones are not."""
    assert iszero(0.0)
    assert iszero(np.zeros(2))
    assert not iszero(np.array([0.0, 1.0]))
    assert iszero(Tangent[Foo]())
    assert iszero(Tangent[Foo](x=0.0, y=Tangent[tuple](ZeroTangent(), np.zeros(2))))
    assert not iszero(Tangent[Foo](x=0.0, y=1.0))
    assert not iszero(not_implemented("unknown"))
    assert type(iszero(np.zeros(2))) is bool


def test_dot_conjugates_its_first_operand():
    """The inner product of C^n; of structural tangents the sum over their fields."""
    assert dot(1j, 1j) == 1.0
    assert dot(A, 2.0 * A) == pytest.approx(30.0, abs=0, rel=1e-15)
    x, y = Tangent[Foo](x=1j, y=2.0), Tangent[Foo](x=1j)
    assert dot(x, y) == 1.0
    assert dot(x, x) == 5.0
    assert dot(Tangent[tuple](1.0, np.ones(2)), Tangent[tuple](2.0, np.ones(2))) == 4.0


def test_dot_of_what_does_not_fit():
    """Different shapes, and different primals, have no inner product."""
    with pytest.raises(DimensionMismatchError):
        dot(np.ones(2), np.ones(3))
    with pytest.raises(DimensionMismatchError):
        dot(np.ones(2), 1.0)
    for other in (Tangent[tuple](1.0), 1.0, np.ones(2)):
        with pytest.raises(TypeError, match="dot is not defined"):
            dot(Tangent[Foo](x=1.0), other)
    with pytest.raises(TypeError, match="not a tangent"):
        dot((1.0,), (1.0,))


def test_conjugates_of_what_has_no_method():
    """NumPy's, of a list for one; of what has one, its own."""
    np.testing.assert_array_equal(conjugate_tangent([1j, 2.0]), [-1j, 2.0])
    assert conjugate_tangent(2.0 + 1.0j) == 2.0 - 1.0j
    assert conjugate_tangent(ZeroTangent()) is ZeroTangent()
