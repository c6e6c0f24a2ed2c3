"""The primitive by which JAX calls flat functions."""

import threading

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402 - after the question for the framework

from chainrules.adapters.calls import flat_call  # noqa: E402 - likewise
from chainrules.adapters.jax.arrays import is_tensor  # noqa: E402 - likewise
from chainrules.adapters.jax.call_primitive import called  # noqa: E402 - likewise
from chainrules.adapters.jax.callbacks import is_in_callback  # noqa: E402 - likewise
from chainrules.adapters.jax.promises import PromisedCall  # noqa: E402 - likewise

x = jnp.array([0.5, 2.0])


def flat(f):
    """A function of one array."""
    tensors, call = flat_call(f, (x,), {}, is_tensor)
    return PromisedCall(call, tensors, None)


def test_values_at_once():
    """Nothing is compiled, and no callback runs."""
    (y,) = called(flat(lambda x: 2 * x if not is_in_callback() else x), x)
    np.testing.assert_array_equal(y, 2 * x)


def test_values_in_compiled_programs():
    """A callback runs."""
    (y,) = jax.jit(lambda x: called(flat(lambda x: 2 * x if is_in_callback() else x), x))(x)
    np.testing.assert_array_equal(y, 2 * x)


def test_programs_name_the_function():
    """And describe its results."""
    assert "name=numpy.cumsum" in str(jax.make_jaxpr(lambda x: called(flat(np.cumsum), x))(x))
    assert jax.eval_shape(lambda x: called(flat(np.cumsum), x), x)[0].shape == (2,)


def test_unused_calls_are_dropped():
    """They have no effects."""
    calls = []
    f = flat(lambda x: calls.append(threading.get_ident()) or x)
    compiled = jax.jit(lambda x: (called(f, x), 2 * x)[1])
    compiled(x)
    calls.clear()
    compiled(x)
    assert calls == []
