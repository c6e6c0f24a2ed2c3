"""Arrays between JAX and NumPy."""

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402 - after the question for the framework

from chainrules.adapters import AdapterError  # noqa: E402 - likewise
from chainrules.adapters.jax.arrays import (  # noqa: E402 - likewise
    canonical_dtype,
    check_dtypes,
    host_arrays,
    is_array,
    is_tensor,
    jax_arrays,
    numpy_array,
)


def test_what_a_tensor_is():
    """An array of JAX, with numbers or traced; nothing of NumPy."""
    seen = []
    jax.jit(lambda x: seen.append(is_tensor(x)))(1.0)
    assert seen == [True]
    assert is_tensor(jnp.ones(2))
    assert not any(map(is_tensor, (np.ones(2), np.float64(1.0), 1.0, "x", jax.ShapeDtypeStruct((), float))))


def test_what_an_array_is():
    """A number or an array, of NumPy or of JAX."""
    assert all(map(is_array, (np.ones(2), np.float32(1.0), np.int8(1), True, 1, 1.0, 1j, jnp.ones(2))))
    assert not any(map(is_array, ("x", None, [1.0], jax.ShapeDtypeStruct((), float))))
    seen = []
    jax.jit(lambda x: seen.append(is_array(x)))(1.0)
    assert seen == [True]


def test_functions_own_their_arguments():
    """They may write into them, and get numbers where there are no axes."""
    x = jnp.ones(3)
    array = numpy_array(x)
    array[0] = 7.0
    assert x[0] == 1.0
    assert isinstance(numpy_array(jnp.float32(2.0)), np.float32)


def test_jax_owns_results():
    """An array that somebody else holds is copied."""
    y = np.ones(4)
    (held,) = jax_arrays("f", [y])
    y[...] = 7.0
    np.testing.assert_array_equal(held, 1.0)


@pytest.mark.usefixtures("single_precision")
def test_rounding():
    """To 32 bits, where JAX has no 64; never to infinity, and never to other integers."""
    assert canonical_dtype(np.float64) == np.float32
    (y,) = host_arrays("f", [np.array([0.1, np.inf, np.nan])])
    assert y.dtype == np.float32
    np.testing.assert_array_equal(np.isfinite(y), [True, False, False])
    for y in (np.array([1e39]), np.array([2**31]), np.array([1e39j])):
        with pytest.raises(AdapterError, match="too large"):
            host_arrays("f", [y])


def test_dtypes():
    """Those of NumPy pass."""
    check_dtypes("f", [jnp.ones(2, dtype) for dtype in (bool, int, "uint8", "float16", float, complex)])
    with pytest.raises(AdapterError, match=r"f was given .* bfloat16"):
        check_dtypes("f", [jnp.ones(2, jnp.bfloat16)])
