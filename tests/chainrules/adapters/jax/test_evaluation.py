"""Functions of JAX with arrays of NumPy."""

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402 - after the question for the framework

from chainrules.adapters import AdapterError  # noqa: E402 - likewise
from chainrules.adapters.jax.callbacks import in_callback  # noqa: E402 - likewise
from chainrules.adapters.jax.evaluation import Compiled, evaluating, to_numpy  # noqa: E402 - likewise


def test_compiled_once():
    """For arguments of one kind."""
    traces = []
    f = Compiled(lambda x: traces.append(x) or jnp.sin(x))
    for _ in range(3):
        np.testing.assert_allclose(f(np.ones(2)), np.sin(1.0))
    assert (len(traces), f.is_compiled) == (1, True)


NEEDING_VALUES = {
    "truth": lambda x: x if x[0] > 0 else -x,
    "index": lambda x: x[x > 0],
    "array": lambda x: jnp.asarray(np.asarray(x)),
    "integer": lambda x: x * range(3)[x.astype(int)[0]],
}


@pytest.mark.parametrize("needs", NEEDING_VALUES)
def test_functions_that_need_values(needs):
    """They are called as they are."""
    f = Compiled(NEEDING_VALUES[needs])
    for x in (jnp.array([1.0, 2.0]), jnp.array([2.0, 2.0])):
        np.testing.assert_allclose(f(x), NEEDING_VALUES[needs](x))
    assert not f.is_compiled


def test_errors_of_functions_stay():
    """A function that always needs what JAX traces raises JAX's error."""
    f = Compiled(jax.jit(lambda x: x if x > 0 else -x))
    for _ in range(2):
        with pytest.raises(jax.errors.TracerBoolConversionError):
            f(1.0)


@pytest.mark.usefixtures("single_precision")
@pytest.mark.parametrize(
    ("xs", "bits"),
    [
        ((np.ones(2),), 64),
        ((np.ones(2, np.float32),), 32),
        ((np.ones(2, np.complex64), 2.0), 32),
        ((np.ones(2, np.complex128), np.ones(2, np.float32)), 64),
        ((np.float32(1.0), np.int64(1)), 64),
        ((np.float32(1.0),), 32),
        ((np.float32(1.0), np.ones(2, np.float32)), 32),
        ((2.0,), 64),
    ],
)
def test_width(xs, bits):
    """It is that of the arrays; Python's numbers alone have 64 bits."""
    with evaluating("f", xs):
        y = jnp.zeros(2) + jnp.asarray(xs[0])
    assert jnp.finfo(y.dtype).bits == bits
    assert not jax.config.jax_enable_x64


def test_nothing_is_traced():
    """A function is evaluated at once, though JAX traces the program around it."""

    def program(x):
        with evaluating("f", ()):
            assert not isinstance(jnp.sin(np.ones(2)), jax.core.Tracer)
        return x

    jax.jit(program)(1.0)


def test_callbacks():
    """They are no place for JAX."""

    @in_callback
    def evaluate():
        with evaluating("a likelihood", ()):
            pass

    with pytest.raises(AdapterError, match=r"a likelihood is a function of JAX.*`to_jax\(from_jax\(f\)\)`"):
        evaluate()


def test_arrays_of_numpy():
    """They own their memory, and can be written into; numbers have no axes."""
    array, number = to_numpy("f", [jnp.ones(3), jnp.float32(2.0)])
    assert array.flags.owndata
    assert array.flags.writeable
    assert type(number) is np.float32
    with pytest.raises(AdapterError, match="f returned an array of bfloat16"):
        to_numpy("f", [jnp.ones(3, jnp.bfloat16)])


def test_numbers_of_python():
    """Results of functions that need values, and so are not compiled, may be some."""
    with evaluating("f", [2.0]):
        assert to_numpy("f", [2.0 * 3.0]) == (6.0,)
