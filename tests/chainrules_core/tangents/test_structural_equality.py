"""Structural tangents are equal if their fields are."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse

from chainrules_core import MutableTangent, NoTangent, Tangent, ZeroTangent, thunk
from tests.chainrules_core.tangents.primals import Foo


def test_equality():
    """Same primal, same fields; order, precision, implicit zeros and thunks make no difference."""
    assert Tangent[Foo](A=1.0, c=2.0) == Tangent[Foo](c=np.float32(2.0), A=1.0)
    assert Tangent[Foo](A=1.0) == Tangent[Foo](A=1.0, c=ZeroTangent())
    assert Tangent[tuple](1.0, 2.0) == Tangent[tuple](1.0, thunk(lambda: 2.0))
    assert Tangent[dict]({"a": 1.0}) == Tangent[dict]({"a": 1.0, "b": ZeroTangent()})
    assert Tangent[Foo](A=Tangent[tuple](1.0)) == Tangent[Foo](A=Tangent[tuple](1.0))


def test_inequality():
    """Another primal, another value, another length, an explicit number 0.0: all differ."""
    assert Tangent[Foo](c=1.0) != Tangent[Foo](c=2.0)
    assert Tangent[Foo](A=1.0) != Tangent[Foo](A=1.0, c=1.0)
    assert Tangent[Foo](A=1.0, c=1.0) != Tangent[Foo](A=1.0)
    assert Tangent[tuple](1.0) != Tangent[list](1.0)
    assert Tangent[tuple](1.0) != Tangent[tuple](1.0, 1.0)
    assert Tangent[tuple](1.0) != (1.0,)
    assert Tangent[Foo](c=0.0) != Tangent[Foo]()
    assert Tangent[Foo](c=NoTangent()) != Tangent[Foo]()
    assert Tangent[Foo](c=1.0) != MutableTangent[Foo](c=1.0)
    assert Tangent[Any](1.0) != Tangent[Any](x=1.0)


def test_equality_of_arrays_is_a_bool():
    """H15: arrays are compared as a whole, shape included."""
    assert (Tangent[Foo](A=np.ones(2)) == Tangent[Foo](A=np.ones(2))) is True
    assert (Tangent[Foo](A=np.ones(2)) == Tangent[Foo](A=np.ones(3))) is False
    assert (Tangent[Foo](A=np.ones(2)) == Tangent[Foo](A=1.0)) is False
    assert (Tangent[Foo](A=np.ones(2)) == Tangent[Foo]()) is False
    assert (Tangent[Foo](A=np.array([1.0, 2.0])) == Tangent[Foo](A=np.array([1.0, 3.0]))) is False


def test_hash():
    """Equal tangents have equal hashes, whatever the order, precision, thunks and implicit zeros."""
    hashes = {
        hash(Tangent[Foo](A=1.0, c=2.0)),
        hash(Tangent[Foo](c=np.float32(2.0), A=1.0)),
        hash(Tangent[Foo](c=thunk(lambda: 2.0), A=1.0)),
    }
    assert len(hashes) == 1
    assert hash(Tangent[Foo](A=1.0)) == hash(Tangent[Foo](A=1.0, c=ZeroTangent()))
    assert hash(Tangent[tuple](1.0, thunk(lambda: 2.0))) == hash(Tangent[tuple](1.0, 2.0))
    assert hash(MutableTangent[Foo](c=np.float32(1.0))) == hash(MutableTangent[Foo](c=1.0))
    with pytest.raises(TypeError, match="unhashable"):
        hash(Tangent[Foo](A=np.ones(2)))


def test_equality_of_sparse_fields():
    """By shape and elements, whatever is stored; beside another kind of field they are no less compared."""
    A = scipy.sparse.csr_array(np.diag([1.0, 2.0]))

    assert Tangent[tuple](A) == Tangent[tuple](A.tocsc())
    assert Tangent[tuple](A) != Tangent[tuple](2.0 * A)
    assert Tangent[tuple](A) != Tangent[tuple](scipy.sparse.csr_array((2, 3)))
    assert Tangent[tuple](A) != Tangent[tuple](ZeroTangent())
    assert Tangent[tuple](A) == Tangent[tuple](A.toarray())
    assert Tangent[tuple](2.0 * A.toarray()) != Tangent[tuple](A)


def test_equality_of_fields_of_different_kinds():
    """Fields of different shapes differ, and so do a tangent and a number."""
    fields = [1.0, np.ones(2), np.zeros(0), Tangent[tuple](1.0), ZeroTangent()]
    for i, x in enumerate(fields):
        for j, y in enumerate(fields):
            assert (Tangent[tuple](x) == Tangent[tuple](y)) is (i == j)
