"""Constants of a call are as they were when JAX traced it."""

import numpy as np
import pytest

jax = pytest.importorskip("jax")

from chainrules.adapters.calls import flat_call  # noqa: E402 - after the question for the framework
from chainrules.adapters.jax import to_jax  # noqa: E402 - likewise
from chainrules.adapters.jax.own_constants import with_own_constants  # noqa: E402 - likewise

X = np.array([1.0, 2.0])


def weighted(x, weights):
    """A sum with constant weights in a list."""
    return np.sum(weights[0] * x * x)


def test_arrays_are_copied():
    """In arguments and keywords, and in containers; other values are the same objects."""
    marker = object()
    _, call = flat_call(weighted, ([X, (X, {"a": X})], marker), {"name": X}, lambda x: False)
    own = with_own_constants(call)
    (first, (second, third)), other = own.args
    for copy in (first, second, third["a"], own.kwargs["name"]):
        assert np.array_equal(copy, X)
        assert not np.may_share_memory(copy, X)
    assert other is marker


@pytest.mark.parametrize("compiled", [False, True])
def test_constant_that_is_changed_later(compiled):
    """A gradient is of the time of its value, and so is a compiled program."""
    weights = X.copy()

    def f(x):
        return to_jax(weighted)(x, [weights])

    with jax.enable_x64(True):
        y, pullback = jax.vjp(jax.jit(f) if compiled else f, jax.numpy.asarray(X))
        weights[:] = 100.0
        (gradient,) = pullback(1.0)
    assert float(y) == np.sum(X * X * X)
    assert np.array_equal(gradient, 2.0 * X * X)
