"""Results are taken apart into numbers and arrays."""

import collections

import numpy as np
import pytest
from scipy import sparse

from chainrules.adapters import AdapterError
from chainrules.adapters.holes import filled
from chainrules.adapters.results import is_same, taken_apart
from chainrules_core.structured import Diagonal
from tests.chainrules.adapters.tensors import Layer
from tests.chainrules_core.boxes import Box


def test_numbers_and_arrays_are_taken_out():
    """In the order of the containers; strings and `None` stay."""
    y = {"a": np.ones(2), "b": [1, 2.0, True, None, "text", np.float32(3.0)], "c": Layer(1j)}
    leaves, template, holes = taken_apart(np.sin, y)
    assert leaves[0] is y["a"]
    assert leaves[1:] == [1, 2.0, True, np.float32(3.0), 1j, 0.0]
    assert template["b"] == [None] * 6 or template["b"][4] == "text"
    again = filled(template, holes, leaves)
    assert again["b"] == y["b"]
    assert again["c"] == y["c"]


@pytest.mark.parametrize(
    ("y", "kind"),
    [
        (sparse.eye_array(2), "a scipy dia_array"),
        (Diagonal(np.ones(2)), "a chainrules_core Diagonal"),
        (np.array([None, 1.0]), "an array of object"),
        (np.array(["text"]), "an array of <U4"),
        (np.array(["2026-01-01"], dtype="datetime64[D]"), r"an array of datetime64\[D\]"),
    ],
)
def test_other_arrays_are_refused(y, kind):
    """No framework could take them; the error names the function and what it returned."""
    with pytest.raises(AdapterError, match=f"sin returned {kind}"):
        taken_apart(np.sin, [1.0, y])


def test_carrier_in_a_result_is_refused():
    """The function computes with arrays: a framework's tensor that it returns came by another way."""
    with pytest.raises(AdapterError, match=r"returned a \S+Box: it computed with a tensor that is a global"):
        taken_apart(np.sin, [Box(1.0)])


def test_hidden_number_in_a_result_is_refused():
    """Its derivative would be lost."""
    with pytest.raises(AdapterError, match=r"sin returned numbers that are held by a deque"):
        taken_apart(np.sin, collections.deque([1.0]))


def times(scale):
    """A closure."""
    return lambda x: x * scale


def plus(scale):
    """Another one, with the same variables."""
    return lambda x: x + scale


def test_sameness():
    """Values are the same that have the same containers, with the same in them."""
    assert is_same({"a": (1, "x", None)}, {"a": (1, "x", None)})
    for other in ({"b": (1, "x", None)}, {"a": [1, "x", None]}, {"a": (1, "y", None)}, {"a": (1, "x")}, None):
        assert not is_same({"a": (1, "x", None)}, other)
    scale = 2.0
    one, same, another = (make(scale) for make in (times, times, plus))
    assert is_same(one, same)
    assert not is_same(one, another)
    assert not is_same(one, times(3.0))


def test_array_of_jax():
    """JAX's arrays are like NumPy's in many ways, and are refused as other tensors are."""
    jax = pytest.importorskip("jax")
    with pytest.raises(AdapterError, match=r"ArrayImpl: .* Give tensors as arguments, and call NumPy's"):
        taken_apart(jax.numpy.sin, jax.numpy.ones(2))


def test_a_constructor_of_a_structured_matrix():
    """Nobody can make an array of what it returns: the function that computes with it is to be adapted."""
    with pytest.raises(
        AdapterError, match=r"Diagonal returned a chainrules_core Diagonal.* Adapt the whole"
    ) as caught:
        taken_apart(Diagonal, Diagonal(np.ones(2)))
    assert "np.asarray" not in str(caught.value)
