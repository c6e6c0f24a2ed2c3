"""Calls of primitives with arrays of JAX."""

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402 - after the question for the framework

from chainrules.ad import grad  # noqa: E402 - likewise
from chainrules.adapters import AdapterError, from_jax  # noqa: E402 - likewise
from chainrules.adapters.jax import backend  # noqa: E402 - likewise
from chainrules_core import primal_of, primitive  # noqa: E402 - likewise


def test_primitives_are_functions_of_jax():
    """With an array of JAX, or one that it traces."""
    x = jnp.array([0.5, 2.0])
    sine = primitive(np.sin)
    assert isinstance(sine(x), jax.Array)
    np.testing.assert_allclose(jax.jit(jax.grad(lambda x: jnp.sum(sine(x))))(x), np.cos(x))


def test_calls():
    """With keywords too."""
    y = backend.call(np.sum, (jnp.ones((2, 3)),), {"axis": 0})
    np.testing.assert_array_equal(y, [2.0, 2.0, 2.0])


def test_primals():
    """An array of JAX carries one of NumPy; a traced one carries nothing that has numbers."""
    assert type(primal_of(jnp.ones(2))) is np.ndarray
    with pytest.raises(AdapterError, match="has no numbers"):
        jax.jit(backend.primal)(1.0)


def test_functions_of_jax_that_capture_traced_values():
    """They take them as arguments."""

    def program(w):
        return from_jax(lambda x: jnp.sum(x * w))(np.ones(3))

    # The error is of JAX's number, or of the engine where that is asked first.
    with pytest.raises((AdapterError, TypeError), match=r"`(chainrules\.adapters\.)?from_jax\(f\)"):
        grad(program)(2.0)
    assert grad(lambda w: from_jax(lambda x, w: jnp.sum(x * w))(np.ones(3), w))(2.0) == 3.0
