"""`tree_map`: what it goes through, and what it says of trees that are not alike."""

import collections
import functools
import math

import numpy as np
import pytest
from scipy import sparse

from chainrules.ad import grad, jvp, tree_map
from chainrules_core import DerivativeNotImplementedError, NoTangent, Tangent, ZeroTangent, not_implemented
from chainrules_core.structured import Diagonal
from tests.chainrules.ad.nested_parameters import Layer, Model, Pair, loss, parameters


def test_step_of_descent():
    """The gradient as `grad` returns it: what has no tangent stays, all else moves, in its own class."""
    p = parameters()
    gradient = grad(loss)(p)
    moved = tree_map(lambda x, x_bar: x - 1e-3 * x_bar, p, gradient)

    assert loss(moved) < loss(p)
    assert type(moved["model"]) is Model
    assert moved["model"] is not p["model"]
    assert (moved["model"].size, moved["model"].activation) == (2, np.tanh)
    assert moved["model"].layers[1].w[1][1] == 3
    assert isinstance(moved["model"].layers[0], Layer)
    assert (moved["model"].layers[0].trained, moved["model"].layers[0].name) == (True, "layer")
    assert isinstance(moved["pair"], Pair)
    assert moved["pair"].second[0].dtype == np.float32
    assert isinstance(moved["matrices"][0], Diagonal)
    assert sparse.issparse(moved["matrices"][1])
    assert (moved["steps"], moved["none"]) == (3, None)
    assert p["model"].scale == 2.0

    np.testing.assert_allclose(moved["model"].layers[0].w, 1 - 1e-3 * gradient["model"].layers[0].w)


def test_gradient_first():
    """A tree of tangents has tangents as its result, also where the parameters give the numbers."""
    p = parameters()
    gradient = grad(loss)(p)
    decayed = tree_map(lambda x_bar, x: x_bar + 0.5 * x, gradient, p)

    assert type(decayed["model"]) is type(gradient["model"])
    assert decayed["model"].size == NoTangent()
    assert decayed["model"].layers[0].bias == gradient["model"].layers[0].bias + 0.25

    assert tree_map(lambda x_bar, x: x_bar + x, Tangent[Layer](w=1.0), Layer(2.0, 4.0)) == Tangent[Layer](
        w=3.0, bias=4.0
    )
    assert tree_map(np.add, Tangent[Layer](w=1.0), Tangent[Layer](bias=2.0)) == Tangent[Layer](
        w=1.0, bias=2.0
    )


def test_zeros():
    """A zero is an array of zeros where there is a leaf; what has no tangent is constant."""
    p = {"a": np.ones(2, np.float32), "b": [1.0]}

    moved = tree_map(lambda m, g: 0.5 * m + np.square(g), p, ZeroTangent())
    assert moved["a"].dtype == np.float32
    assert moved["b"] == [0.5]
    assert tree_map(lambda m, g: 0.5 * m, p, {"a": NoTangent(), "b": [1.0]})["a"] is p["a"]
    assert tree_map(lambda g, x: g + x, ZeroTangent(), {"b": Layer(1.0, 2.0)})["b"] == Tangent[Layer](
        w=1.0, bias=2.0
    )
    with pytest.raises(DerivativeNotImplementedError, match="not today"):
        tree_map(lambda x, x_bar: x, [1.0], [not_implemented("not today")])


def test_containers_are_new():
    """The tree of results shares no list or dict with the first tree; an object without leaves stays."""
    constant = functools.partial(max, 3)
    tree = {"a": [1.0], "b": [3], "c": constant}
    mapped = tree_map(lambda x: x, tree)
    mapped["a"].append(2.0)
    mapped["b"].append(4)

    assert tree == {"a": [1.0], "b": [3], "c": constant}
    assert mapped["c"] is constant


def test_integers_are_constants():
    """They stay, unless another tree has a leaf there; a tree of integers alone is an error."""
    assert tree_map(lambda x: 2 * x, {"n": 3, "x": 1.0}) == {"n": 3, "x": 2.0}
    assert tree_map(lambda rate, x: rate * x, {"x": 3}, {"x": 1.5}) == {"x": 4.5}
    assert tree_map(lambda x, x_bar: x - x_bar, {"n": 3}, {"n": NoTangent()}) == {"n": 3}
    assert tree_map(lambda x: x, {}) == {}
    with pytest.raises(TypeError, match=r"integers, and no real .* Write `2\.0` for `2`"):
        tree_map(lambda x: 2 * x, {"n": [np.arange(3)]})


def test_while_traced():
    """Trees of traced values are mapped, and calls of the function intercepted."""

    def f(p):
        y = tree_map(lambda x, scale: math.sin(x) * scale, p, {"a": [2.0], "b": 3.0})
        return y["a"][0] + y["b"]

    assert grad(f)({"a": [0.0], "b": 0.0}) == {"a": [2.0], "b": 3.0}
    assert jvp(f, ({"a": [0.0], "b": 0.0},), ({"a": [1.0], "b": 1.0},)) == (0.0, 5.0)


@pytest.mark.parametrize(
    ("other", "place"),
    [
        (
            {"layers": [Layer(1.0), Layer({"u": 1.0})]},
            r"\['layers'\]\[1\]\.w`: one has a dict .* the second a dict",
        ),
        ({"layers": [Layer(1.0)]}, r"\['layers'\]`: one has a list with the parts 0, 1 there"),
        (
            {"layers": [Layer([1.0]), Layer({"v": 1.0})]},
            r"\['layers'\]\[0\]\.w`: one has a float there, .* a list",
        ),
        ({"layers": [Layer(1.0), {"w": {"v": 1.0}}]}, r"\['layers'\]\[1\]`: one has a Layer"),
        ({"layers": [Layer(1.0), Tangent[Pair](first=1.0)]}, r"\['layers'\]\[1\]`: one has a Layer"),
        ({"layers": Tangent[list](Layer(1.0))}, r"\['layers'\]`"),
        (Tangent[dict]({"layer": 1.0}), r"tree`: one has a dict"),
        ({"layers": 2.0}, r"\['layers'\]`: one has a list .* the second a float"),
    ],
)
def test_trees_that_differ(other, place):
    """The error names the place, and what either tree has there."""
    tree = {"layers": [Layer(1.0), Layer({"v": 1.0})]}
    with pytest.raises(TypeError, match=rf"The trees of tree_map differ at `(tree)?.*{place}"):
        tree_map(lambda x, y: x + y, tree, other)
    with pytest.raises(TypeError, match="the third"):
        tree_map(lambda x, y, z: x + y, tree, tree, other)


def test_errors_of_the_function():
    """They are noted with the place."""
    with pytest.raises(ValueError, match="broadcast") as caught:
        tree_map(np.add, {"a": [1.0, np.ones(2)]}, {"a": [1.0, np.ones(3)]})
    assert caught.value.__notes__ == ["This is about what is at `tree['a'][1]`."]


def test_what_cannot_be_gone_through():
    """Nothing that holds numbers is passed over in silence."""
    shared = Model(1.0)
    with pytest.raises(TypeError, match=r"its tree, a dict, whose `\['a'\]` and `\['b'\]` are one Model"):
        tree_map(lambda x: x, {"a": shared, "b": shared})
    with pytest.raises(TypeError, match="its tree: numbers in it are held by a deque"):
        tree_map(lambda x: x, [collections.deque([1.0])])
    with pytest.raises(TypeError, match="its tree, which is or holds a generator"):
        tree_map(lambda x: x, [1.0, (x for x in [1.0])])
    holding_itself = [1.0]
    holding_itself.append(holding_itself)
    with pytest.raises(TypeError, match="holds itself"):
        tree_map(lambda x: x, holding_itself)
    with pytest.raises(RecursionError, match="nested in more than"):
        tree_map(lambda x: x, functools.reduce(lambda x, _: [x], range(500), 1.0))
    with pytest.raises(TypeError, match=r"f is a dict, not a function, which comes first"):
        tree_map({}, lambda x: x)
