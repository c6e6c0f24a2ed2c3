"""Tangents among the arguments of NumPy's functions, and of SciPy's sparse arrays."""

from dataclasses import dataclass

import numpy as np
import pytest
import scipy.sparse

from chainrules_core import (
    DerivativeNotImplementedError,
    MutateThunkError,
    NoTangent,
    Tangent,
    ZeroTangent,
    not_implemented,
    thunk,
    unthunk,
)

ZEROS = pytest.mark.parametrize("zero", [ZeroTangent(), NoTangent()], ids=repr)


@dataclass
class Foo:
    """A primal."""

    x: float


@ZEROS
def test_zeros_and_arrays(zero):
    """H1: sums are the array itself, products the zero, and no array of objects arises."""
    a = np.ones(2)
    assert a + zero is a
    assert zero + a is a
    assert a - zero is a
    assert np.add(a, zero) is a
    assert np.subtract(a, zero) is a
    np.testing.assert_array_equal(zero - a, [-1.0, -1.0])
    assert a * zero is zero
    assert zero * a is zero
    assert np.multiply(a, zero) is zero
    assert a @ zero is zero
    assert np.matmul(zero, a) is zero
    assert zero / a is zero
    assert np.negative(zero) is zero
    assert np.positive(zero) is zero
    assert np.conjugate(zero) is zero
    for scalar in (np.float32(1.0), np.float64(1.0), np.complex64(1.0), np.int64(1)):
        assert scalar + zero is scalar
        assert scalar * zero is zero


@ZEROS
def test_in_place(zero):
    """`a += zero` leaves the array as it is, `a *= zero` clears it; both keep the object."""
    a = b = np.ones(2)
    a += zero
    assert a is b
    np.testing.assert_array_equal(a, [1.0, 1.0])
    a -= zero
    assert a is b
    a *= zero
    assert a is b
    np.testing.assert_array_equal(b, [0.0, 0.0])


@ZEROS
def test_out(zero):
    """The sum with a zero is written where it is asked for."""
    a, out = np.array([1.0, 2.0]), np.zeros(2)
    assert np.add(a, zero, out=out) is out
    np.testing.assert_array_equal(out, a)
    assert np.sum(zero, out=np.array(1.0)) == 0.0


@ZEROS
def test_sparse(zero):
    """Sparse arrays take zeros as dense ones do."""
    for container in (scipy.sparse.csr_array, scipy.sparse.csc_array, scipy.sparse.coo_array):
        A = container(np.eye(2))
        assert A + zero is A
        assert zero + A is A
        assert A - zero is A
        assert A * zero is zero
        assert zero * A is zero
        assert A @ zero is zero
        assert zero @ A is zero
        np.testing.assert_array_equal((zero - A).toarray(), -np.eye(2))


def test_sparse_and_other_tangents():
    """Not implemented derivatives propagate, structural tangents are refused."""
    A, ni = scipy.sparse.csr_array(np.eye(2)), not_implemented("unknown")
    assert A + ni is ni
    assert ni + A is ni
    assert A @ ni is ni
    assert A * ni is ni
    with pytest.raises(TypeError):
        A + Tangent[Foo](x=1.0)
    with pytest.raises(TypeError):
        A * Tangent[Foo](x=1.0)
    with pytest.raises(TypeError):
        A @ Tangent[tuple](1.0, 2.0)


@ZEROS
def test_linear_functions_of_zeros(zero):
    """NumPy's linear functions give the zero; so do products where only one argument is."""
    A = np.eye(2)
    assert np.sum(zero, axis=0) is zero
    assert np.reshape(zero, (2, 3)) is zero
    assert np.transpose(zero) is zero
    assert np.real(zero) is zero
    assert np.imag(zero) is zero
    assert np.dot(A, zero) is zero
    assert np.tensordot(zero, A) is zero
    assert np.einsum("ij,jk->ik", A, zero) is zero
    assert np.broadcast_to(zero, (2, 2)) is zero


@ZEROS
def test_other_functions_take_zeros_for_numbers(zero):
    """Elsewhere a zero is the number 0.0, which leaves the precision of the others alone."""
    x = np.array([1.0, 2.0], dtype=np.float32)
    chosen = np.where([True, False], x, zero)
    np.testing.assert_array_equal(chosen, [1.0, 0.0])
    assert chosen.dtype == np.float32
    np.testing.assert_array_equal(np.full_like(x, zero), [0.0, 0.0])
    assert np.linalg.norm(zero) == 0.0


def test_products_of_zeros_in_functions():
    """Of two zeros in a product ZeroTangent wins, as with the operator."""
    assert np.dot(ZeroTangent(), NoTangent()) is ZeroTangent()
    assert np.dot(NoTangent(), ZeroTangent()) is ZeroTangent()
    assert np.dot(not_implemented("unknown"), ZeroTangent()) is ZeroTangent()


@ZEROS
def test_comparison(zero):
    """A zero equals no array, and the answer is one bool."""
    assert (np.ones(2) == zero) is False
    assert (np.zeros(2) != zero) is True
    assert np.equal(zero, zero) is True
    assert np.not_equal(zero, zero) is False


@ZEROS
def test_nonlinear_functions_are_refused(zero):
    """Tangents are vectors; functions that are not linear have no meaning for them."""
    for ufunc in (np.exp, np.sqrt, np.maximum):
        with pytest.raises(TypeError):
            ufunc(*[zero] * ufunc.nin)
    with pytest.raises(TypeError):
        np.add(np.ones(2), zero, where=[True, False])


def test_functions_of_unknown_derivatives():
    """Linear functions pass them on, others say what is missing."""
    ni = not_implemented("unknown")
    assert np.sum(ni) is ni
    assert np.dot(np.eye(2), ni) is ni
    with pytest.raises(DerivativeNotImplementedError):
        np.where(True, ni, 1.0)
    with pytest.raises(DerivativeNotImplementedError):
        np.add(1.0, ni, out=np.zeros(2))


def test_structural_tangents_are_refused():
    """They are no arrays: NumPy's functions raise, and no array of objects arises."""
    t = Tangent[Foo](x=1.0)
    for call in (lambda: np.sum(t), lambda: np.ones(2) * t, lambda: np.ones(2) + t, lambda: np.exp(t)):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(TypeError):
        np.add(t, t, out=np.zeros(2))
    objects = np.array([None, None])
    with pytest.raises(TypeError):
        np.multiply(t, np.ones(2), out=objects)
    assert objects.tolist() == [None, None]
    assert (np.ones(2) == t) is False
    for convert in (np.asarray, np.array, lambda x: np.array([x, x])):
        with pytest.raises(TypeError, match="no array"):
            convert(Tangent[tuple](1.0, 2.0))


def test_thunks_in_nested_sequences():
    """H12: thunks inside lists and tuples of arguments take part by their values."""
    t = thunk(lambda: np.array([1.0, 2.0]))
    np.testing.assert_array_equal(np.stack([t, t]), [[1.0, 2.0], [1.0, 2.0]])
    np.testing.assert_array_equal(np.concatenate((t, np.ones(1))), [1.0, 2.0, 1.0])
    np.testing.assert_array_equal(np.block([[t, t], [t, t]]), [[1.0, 2.0] * 2] * 2)
    np.testing.assert_array_equal(np.einsum("i,i->i", t, t), [1.0, 4.0])
    np.testing.assert_array_equal(np.sum(a=t), 3.0)


def test_ufuncs_of_thunks():
    """Calls with keywords, methods of ufuncs and non-linear ufuncs see the value."""
    t = thunk(lambda: np.array([1.0, 2.0]))
    np.testing.assert_array_equal(np.exp(t), np.exp([1.0, 2.0]))
    assert np.add.reduce(t) == 3.0
    np.testing.assert_array_equal(np.add.outer(t, t), [[2.0, 3.0], [3.0, 4.0]])
    np.testing.assert_array_equal(np.add(t, 1.0, where=[True, True], out=np.zeros(2)), [2.0, 3.0])
    np.testing.assert_array_equal(np.maximum(t, 1.5), [1.5, 2.0])
    np.testing.assert_array_equal(np.equal(t, 1.0), [True, False])
    target = np.zeros(2)
    np.add.at(target, [0, 1], t)
    np.add.at(target, thunk(lambda: [0, 1]), t)
    np.testing.assert_array_equal(target, [2.0, 4.0])


def test_thunks_in_sparse_arithmetic():
    """A thunk meets SciPy's sparse arrays with its value."""
    A = scipy.sparse.csr_array(np.eye(2))
    dense = thunk(lambda: np.array([1.0, 2.0]))
    np.testing.assert_array_equal(A @ dense, [1.0, 2.0])
    np.testing.assert_array_equal((A + thunk(lambda: A)).toarray(), 2 * np.eye(2))
    np.testing.assert_array_equal((A @ thunk(lambda: A)).toarray(), np.eye(2))


def test_thunks_add_to_arrays_in_place():
    """`a += t` writes the sum with the value of the thunk into `a`."""
    a = b = np.ones(2)
    a += thunk(lambda: np.array([1.0, 2.0]))
    assert a is b
    np.testing.assert_array_equal(a, [2.0, 3.0])


WRITES = {
    "item": lambda t: t.__setitem__(0, 1.0),
    "delete": lambda t: t.__delitem__(0),
    "ufunc": lambda t: np.add(1.0, 2.0, out=t),
    "function": lambda t: np.sum([1.0, 2.0], out=t),
    "copyto": lambda t: np.copyto(t, 1.0),
    "at": lambda t: np.add.at(t, 0, 1.0),
    "fill_diagonal": lambda t: np.fill_diagonal(t, 1.0),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES.keys())
def test_writing_into_thunks_is_refused(write):
    """Writing into a thunk raises an error that says `unthunk`, and changes nothing."""
    value = np.zeros((2, 2))
    with pytest.raises(MutateThunkError, match="unthunk"):
        write(thunk(lambda: value))
    np.testing.assert_array_equal(value, 0.0)


def test_reductions_of_zeros_by_ufunc_methods_are_refused():
    """A zero has no axis to reduce along."""
    with pytest.raises(TypeError):
        np.add.reduce(ZeroTangent())


class Traced(np.lib.mixins.NDArrayOperatorsMixin):
    """A carrier as AD systems have them: it answers only for types that it knows."""

    def __init__(self, value):
        self.value = value

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        if not all(isinstance(x, Traced | float | np.ndarray) for x in inputs):
            return NotImplemented
        return Traced(ufunc(*(x.value if isinstance(x, Traced) else x for x in inputs), **kwargs))

    def __array_function__(self, func, types, args, kwargs):
        if not all(issubclass(cls, Traced | np.ndarray) for cls in types):
            return NotImplemented
        return Traced(func(*(x.value if isinstance(x, Traced) else x for x in args), **kwargs))

    def __array__(self, dtype=None, copy=None):
        raise TypeError("the trace would end here")


@ZEROS
def test_traced_values_and_zeros(zero):
    """Zeros are identities and absorb beside the values of AD systems, which need not know them."""
    x = Traced(np.array([1.0, 2.0]))
    assert x + zero is x
    assert zero + x is x
    assert x * zero is zero
    assert zero @ x is zero
    assert np.dot(x, zero) is zero


def test_traced_values_and_thunks():
    """Thunks take part by their values, traced ones as well."""
    x = Traced(np.array([1.0, 2.0]))
    t = thunk(lambda: x)
    for result, wanted in [
        (t + 1.0, [2.0, 3.0]),
        (x + t, [2.0, 4.0]),
        (t * thunk(lambda: 2.0), [2.0, 4.0]),
        (np.exp(t), np.exp([1.0, 2.0])),
        (np.sum(t), 3.0),
        (np.dot(x, t), 5.0),
        (unthunk(-t), [-1.0, -2.0]),
    ]:
        assert isinstance(result, Traced)
        np.testing.assert_array_equal(result.value, wanted)


def test_traced_fields():
    """The fields of structural tangents may be traced."""
    t = 2.0 * (Tangent[Foo](x=Traced(1.0)) + Tangent[Foo](x=Traced(2.0)))
    assert t.x.value == 6.0
    assert (Foo(Traced(1.0)) + t).x.value == 7.0


def test_arrays_of_objects_hold_structural_tangents():
    """Arrays of structural tangents, made element by element, add element by element."""
    xs = np.empty(2, dtype=object)
    xs[0], xs[1] = Tangent[Foo](x=1.0), Tangent[Foo](x=2.0)
    doubled = xs + xs
    assert doubled[1] == Tangent[Foo](x=4.0)
