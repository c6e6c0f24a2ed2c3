"""Calls of flat functions for each row of stacked arrays."""

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402 - after the question for the framework

from chainrules.adapters.jax import to_jax  # noqa: E402 - likewise

rng = np.random.default_rng(0)
X = rng.normal(size=(2, 3, 4))


def test_one_call_for_all_rows():
    """JAX calls back once, and not for each row."""
    threads_of_calls = []

    def counted(x):
        threads_of_calls.append(x.shape)
        return np.cumsum(x)

    f = jax.jit(jax.vmap(to_jax(counted)))
    f(X[0])
    threads_of_calls.clear()
    np.testing.assert_allclose(f(X[0]), np.cumsum(X[0], axis=1))
    assert threads_of_calls == [(4,)] * 3
    assert str(jax.make_jaxpr(jax.vmap(to_jax(counted)))(X[0])).count("chainrules_call") == 1


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_every_axis(axis):
    """Of arguments and of results."""
    found = jax.vmap(to_jax(np.cumsum), in_axes=axis, out_axes=-1)(X)
    np.testing.assert_allclose(found, jax.vmap(jnp.cumsum, in_axes=axis, out_axes=-1)(X))


def test_derivatives_where_not_all_have_rows():
    """A cotangent for each row, also of what is the same for all; against JAX's own function."""

    def derivatives(f):
        def of_row(x, w):
            value, pull = jax.vjp(f, x, w)
            slope = jax.jvp(f, (x, w), (jnp.ones_like(x), 2 * w))[1]
            mixed = jax.jvp(lambda x: jax.vjp(f, x, w)[1](jnp.ones(2)), (x,), (x,))
            return value, pull(jnp.ones_like(value)), slope, mixed

        return jax.vmap(of_row, in_axes=(0, None))(X[0], W)

    W = jnp.asarray(rng.normal(size=(2, 4)))
    found = derivatives(to_jax(lambda x, w: np.sin(w @ x)))
    expected = derivatives(lambda x, w: jnp.sin(w @ x))
    for x, y in zip(*map(jax.tree_util.tree_leaves, (found, expected)), strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-10, atol=1e-12)


def test_no_rows():
    """The shape of the result is known all the same."""
    assert jax.vmap(to_jax(np.cumsum))(jnp.zeros((0, 4))).shape == (0, 4)
