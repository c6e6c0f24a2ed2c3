"""Functions in terms of the arrays in their arguments and results."""

from collections import OrderedDict

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402 - after the question for the framework

from chainrules.adapters import AdapterError  # noqa: E402 - likewise
from chainrules.adapters.jax.flattening import Flattened, Mark, Result  # noqa: E402 - likewise
from chainrules_core import NO_TANGENT  # noqa: E402 - likewise


def test_arguments():
    """Marks are replaced by arrays, in their order; the rest is constant."""
    leaves, tree = jax.tree_util.tree_flatten((({"b": Mark(1), "a": Mark(0)}, 2), {"c": "text"}))
    function = Flattened(
        lambda p, n, c: (p["a"] * n, p["b"], len(c)), tree, tuple((type(leaf), leaf) for leaf in leaves)
    )
    ys = function.flat(1.0, np.ones(2))
    result = function.result.filled(ys)
    assert result[0] == 2.0
    np.testing.assert_array_equal(result[1], [1.0, 1.0])
    assert result[2] == 4


def test_results_in_jax_order():
    """JAX sorts the keys of a dict; tangents are found by their keys."""
    whole = {"z": 1.0, "a": (2.0, None, OrderedDict(y=3.0, b=4.0))}
    ys, tree = jax.tree_util.tree_flatten(whole)
    result = Result(tree)
    assert result.parts(whole) == ys
    assert result.parts({"z": 1.0, "a": NO_TANGENT}).count(NO_TANGENT) == 3
    assert result.parts(result.tangent(ys)) == ys
    assert result.filled(ys) == whole


def test_one_array():
    """It is its own result."""
    result = Result(jax.tree_util.tree_structure(jnp.ones(2)))
    assert result.parts(3.0) == [3.0]
    assert result.tangent([3.0]) == 3.0


def test_containers_that_depend_on_shapes():
    """They are refused; the same containers are found again."""
    leaves, tree = jax.tree_util.tree_flatten(((Mark(0),), {}))
    function = Flattened(lambda x: [x] * len(x), tree, tuple((type(leaf), leaf) for leaf in leaves))
    for _ in range(2):
        assert len(function.flat(np.ones(2))) == 2
    with pytest.raises(
        AdapterError, match=r"returned .*\[\*, \*, \*\].* and .*\[\*, \*\].* for other shapes"
    ):
        function.flat(np.ones(3))
