"""The parts and the leaves of nested values."""

import functools
import types

import numpy as np
import pytest
import scipy.sparse

from chainrules_core import NoTangent, Tangent, thunk
from chainrules_testutils import rand_tangent, test_approx, test_frule, test_rrule, to_vec
from chainrules_testutils.values.parts import is_sparse, leaves, map_leaves, parts, with_parts
from tests.chainrules_testutils.rules_under_test import Foo, scaled_by


@pytest.mark.parametrize(
    ("x", "names"),
    [
        (Foo(1.0, 2.0), ["A", "c"]),
        ((1.0, 2.0), [0, 1]),
        ({"a": 1.0}, ["a"]),
        (scaled_by(2.0), ["a"]),
        (functools.partial(max, 1.0), ["func", "args", "keywords"]),
        (Tangent[Foo](c=1.0), ["c"]),
        (Tangent[tuple](1.0, 2.0), [0, 1]),
        (np.array([1.0, "a"], dtype=object), [(0,), (1,)]),
        (np.ones(2), []),
        (1j, []),
        (np.complex64(1j), []),
        (np.clongdouble(1j), []),
        (Foo, []),
        (NoTangent(), []),
        (scipy.sparse.eye_array(2), []),
        (thunk(lambda: 1.0), []),
        ("text", []),
    ],
)
def test_parts(x, names):
    """Fields, items, cells and elements are parts; numbers and arrays of them have none."""
    assert list(parts(x)) == names


def test_with_parts():
    """A value is rebuilt from parts, of its own class."""
    assert with_parts((1.0, "a"), {0: 2.0, 1: "b"}) == (2.0, "b")
    assert with_parts({"a": 1.0}, {"a": 2.0}) == {"a": 2.0}
    assert with_parts(Foo(1.0, 2.0), {"A": 3.0, "c": 4.0}) == Foo(3.0, 4.0)
    assert with_parts(scaled_by(2.0), {"a": 5.0})(2.0) == 10.0
    assert with_parts(Tangent[Foo](c=1.0), {"c": 2.0}) == Tangent[Foo](c=2.0)


def test_leaves():
    """The leaves are the values without parts, with thunks computed."""
    x = (1.0, {"a": [2.0, thunk(lambda: (3.0, 4.0))]}, Tangent[Foo](c=5.0))

    assert list(leaves(x)) == [1.0, 2.0, 3.0, 4.0, 5.0]


def test_map_leaves():
    """What no leaf changes in stays the same object."""
    x = ([1.0], {"a": 2})

    assert map_leaves(lambda leaf: leaf * 2, x) == ([2.0], {"a": 4})
    assert map_leaves(lambda leaf: leaf, x) is x


def test_recursive_functions_have_no_endless_parts():
    """A function is no part of itself."""

    def endless():
        return endless()

    assert parts(endless) == {}
    assert list(leaves(endless)) == [endless]


def test_sparse():
    """Sparse arrays are told by their class; zeros, which have every attribute, are none."""
    assert is_sparse(scipy.sparse.csr_array(np.eye(2)))
    assert not is_sparse(NoTangent())
    assert not is_sparse(np.eye(2))


def holding_itself(kind):
    """A value that is reached again from its parts."""
    if kind == "list":
        x = [1.0]
        x.append((x, 2.0))
        return x
    if kind == "dict":
        x = {"a": 1.0}
        x["self"] = x
        return x
    x = types.SimpleNamespace(a=1.0)
    x.child = types.SimpleNamespace(parent=x)
    return x


@pytest.mark.parametrize("kind", ["list", "dict", "object"])
@pytest.mark.parametrize(
    "function", [to_vec, rand_tangent, lambda x: list(leaves(x)), lambda x: map_leaves(abs, x)]
)
def test_values_that_hold_themselves(function, kind):
    """The error says so, again and again; the same part twice is no cycle."""
    x, shared = holding_itself(kind), [1.0]

    for _ in range(2):
        with pytest.raises(ValueError, match=r"a \w+ holds itself, directly or through others"):
            function(x)
    function([shared, (shared, shared)])


def test_testers_refuse_values_that_hold_themselves():
    """Arguments, results, and what is compared."""
    x = holding_itself("list")

    for call in (
        lambda: test_rrule(len, x),
        lambda: test_frule(lambda x: holding_itself("list"), 1.0),
        lambda: test_approx(x, x),
    ):
        with pytest.raises(ValueError, match="a list holds itself"):
            call()
