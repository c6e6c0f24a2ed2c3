"""Cotangents in the form that users expect."""

from dataclasses import dataclass

import numpy as np
import pytest
import scipy.sparse

from chainrules.ad import grad
from chainrules.ad.modes.natural_gradients import Owned, in_tangent_space, natural_gradient
from chainrules.ad.modes.nodes import input_node, propagate
from chainrules.ad.modes.reverse_trace import ReverseTrace
from chainrules.ad.traced.tracing import flat_records, traced
from chainrules_core import DimensionMismatchError, NoTangent, StructuralTangent, ZeroTangent
from chainrules_core.structured import Diagonal
from tests.chainrules.rule_checks import normal, read_only


@dataclass
class Data:
    """A dataclass."""

    a: object
    name: str = "name"


def gradient_of(x, *x_bars):
    """The gradient by `x`, if these cotangents have arrived at its numbers and arrays."""
    _, nodes = traced(x, ReverseTrace(), input_node)
    cotangents = propagate(list(zip(flat_records(nodes), x_bars, strict=False)))
    return natural_gradient(x, nodes, cotangents, Owned())


def test_numbers_and_arrays():
    """The gradient of a number or an array has its type and precision."""
    assert isinstance(gradient_of(1.5, np.float64(2.0)), float)
    assert type(gradient_of(np.float32(1.5), 2.0)) is np.float32
    assert gradient_of(normal(2, dtype=np.float32), np.ones(2)).dtype == np.float32
    assert gradient_of(normal(2), np.array([1 + 1j, 2.0])).tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    "x", [1.5, np.float32(1.5), 1j, normal(2, 0), normal(3, dtype=np.complex64), np.array(1.5)]
)
def test_zeros(x):
    """A number that no cotangent arrived at has zeros, in its shape and precision."""
    for zero in (gradient_of(x), gradient_of(x, ZeroTangent())):
        assert type(zero) is type(x)
        assert np.asarray(zero).dtype == np.asarray(x).dtype
        assert np.shape(zero) == np.shape(x)
        assert not np.any(zero)


def test_containers():
    """The same containers; a `Tangent` for a dataclass; what has no derivative has none."""
    x = {"a": [1.5, (2, "text")], "b": Data(2.5), "c": (), "d": None}

    assert gradient_of(x, 3.0, 4.0) == {
        "a": [3.0, (NoTangent(), NoTangent())],
        "b": StructuralTangent[Data](a=4.0, name=NoTangent()),
        "c": (),
        "d": NoTangent(),
    }
    assert gradient_of(3) == NoTangent()
    for empty in ([], (), {}, [2, "text"]):
        assert gradient_of(empty) == type(empty)([NoTangent()] * len(empty))


def test_zeros_inside_another_differentiation():
    """Zeros are numbers inside another differentiation too."""
    assert grad(lambda x: x * x + grad(lambda y: 1.0)(x))(3.0) == 6.0
    assert grad(lambda x: x + grad(lambda y: 1.0)({"a": [x]})["a"][0])(3.0) == 1.0
    assert grad(lambda x: np.sum(x + grad(lambda y: 1.0)(x)))(normal(2)).tolist() == [1.0, 1.0]


def test_misfits_are_refused():
    """A cotangent that does not fit the argument, from a wrong rule, is refused."""
    with pytest.raises(DimensionMismatchError):
        in_tangent_space(normal(2), normal(3))
    assert in_tangent_space(x := normal(2), x_bar := normal(2)) is x_bar
    assert x is not x_bar


def test_arrays_belong_to_the_caller():
    """An array is copied if somebody else may hold it: a view, a constant, one that was given before."""
    owned, x = Owned(), normal(3)

    assert owned(x) is x
    for other in (x, x[:], x.reshape(3, 1), read_only(normal(3)), np.broadcast_to(1.0, (3,))):
        copy = owned(other)
        assert not np.shares_memory(copy, other)
        assert copy.flags.writeable
        np.testing.assert_array_equal(copy, other)
    assert owned(1.5) == 1.5
    lent = normal(2)
    assert not np.shares_memory(Owned([lent])(lent), lent)


def test_structured_and_sparse_arrays_belong_to_the_caller():
    """The arrays inside a structured or sparse gradient belong to the caller too."""
    owned, D, A = Owned(), Diagonal(normal(3)), scipy.sparse.csr_array(np.eye(3))

    owned(D)
    assert not np.shares_memory(owned(D).diag, D.diag)
    first = owned(A)
    for name in ("indices", "indptr"):
        assert not np.shares_memory(getattr(first, name), getattr(A, name))
    assert not np.shares_memory(owned(A).data, A.data)
    B = scipy.sparse.coo_array(np.eye(3))
    assert not np.shares_memory(owned(B).data, B.data)


@pytest.mark.parametrize(
    "x",
    [
        1.5,
        np.float32(1.5),
        1j,
        normal(2),
        normal(2, dtype=np.float32),
        scipy.sparse.csr_array(np.eye(2)),
        Diagonal(normal(2)),
    ],
    ids=lambda x: type(x).__name__,
)
def test_zeros_in_the_tangent_space(x):
    """They have the class, precision, shape and pattern of the value, also where no cotangent arrived."""
    for zero in (in_tangent_space(x, ZeroTangent()), in_tangent_space(x, NoTangent()), gradient_of(x)):
        assert type(zero) is type(x)
        assert np.shape(zero) == np.shape(x)
        assert getattr(zero, "dtype", None) == getattr(x, "dtype", None)
        assert getattr(zero, "nnz", 0) == getattr(x, "nnz", 0)
        assert not np.any(np.asarray(zero.toarray() if scipy.sparse.issparse(zero) else zero))
