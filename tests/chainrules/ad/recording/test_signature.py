"""The signature of a call."""

import numpy as np
import pytest

from chainrules.ad import compiled, grad
from chainrules.ad.recording.signature import (
    UnknownArgumentError,
    described,
    leaves_of,
    objects_in,
    repeated,
    with_leaves,
)

# What is refused has a line each, which the sample is to reach.
pytestmark = pytest.mark.every_case


def signature(x):
    """Of one argument."""
    return leaves_of(x, [])


@pytest.mark.parametrize(
    ("x", "y", "same"),
    [
        (1.0, 2.0, True),
        (1.0, np.float64(1.0), False),
        (1, 2, False),
        (True, 1, False),
        ("a", "b", False),
        (np.ones(2), np.zeros(2), True),
        (np.ones(2), np.ones(3), False),
        (np.ones(2), np.ones(4)[::2], False),
        (np.ones(2), np.ones(2, np.float32), False),
        ([1.0], (1.0,), False),
        ({"a": 1.0, "b": 2.0}, {"b": 1.0, "a": 2.0}, False),
        ({"a": [np.ones(2)]}, {"a": [np.zeros(2)]}, True),
        (np.int64(1), 1, False),
    ],
)
def test_what_is_part_of_it(x, y, same):
    """Structure, kinds of numbers and arrays, and the values of everything else."""
    assert (signature(x) == signature(y)) is same
    hash(signature(x))


@pytest.mark.parametrize(
    "x", [object(), np.array(["a"]), np.ones(2).astype(">f8"), {1.5: 2}, {1, 2}, np.ma.ones(2)]
)
def test_unknown_arguments(x):
    """They are refused."""
    with pytest.raises(UnknownArgumentError):
        signature(x)


def test_leaves():
    """They are taken out and put back in one order."""
    x = np.ones(2)
    given = {"a": [x, 1], "b": (2.0, x)}
    leaves = []
    leaves_of(given, leaves)
    assert len(leaves) == 3
    assert repeated(leaves) == (0, 1, 0)
    assert with_leaves(given, iter("xyz")) == {"a": ["x", 1], "b": ("y", "z")}


def test_objects_are_known_by_identity():
    """Functions, classes, the user's objects; a bound method by its object, as it is made at each look."""

    class Model:
        def loss(self, x):
            return x

    model, other = Model(), Model()
    first, second = (leaves_of([model, np.sin, Model, model.loss], []) for _ in range(2))
    assert first == second
    for a, b in ((model, other), (model.loss, other.loss), (np.sin, np.cos), (Model.loss, lambda x: x)):
        assert leaves_of(a, []) != leaves_of(b, [])
    assert [*objects_in(({"m": model}, [1.0, np.ones(2), "a", None], np.sin))] == [model, np.sin]
    with pytest.raises(UnknownArgumentError, match="an instance of MaskedArray"):
        leaves_of(np.ma.array([1.0]), [])


def test_description():
    """Arrays by dtype and shape, numbers by class, all else as it is; long text is cut."""
    x = {"w": [np.ones((2, 3), np.float32), 1.0], "n": (3, None, np.float32(1.0))}, "text", "x" * 80
    assert described(x) == "({'w': [float32[2, 3], float], 'n': (3, None, float32)}, 'text', <str>)"


def test_broadcast_arrays():
    """They can be written into, but warn where anybody asks for that."""
    (x, _) = np.broadcast_arrays(np.arange(3.0), np.zeros((2, 3)))
    gradient = compiled(grad(lambda x: np.sum(np.sin(x))))
    for _ in range(3):
        np.testing.assert_array_equal(gradient(x), np.cos(x))
