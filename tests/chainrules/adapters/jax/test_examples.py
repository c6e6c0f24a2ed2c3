"""Calls with made-up numbers."""

import warnings

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402 - after the question for the framework
import scipy.linalg  # noqa: E402 - likewise

from chainrules.adapters import AdapterError  # noqa: E402 - likewise
from chainrules.adapters.calls import flat_call  # noqa: E402 - likewise
from chainrules.adapters.jax import from_jax  # noqa: E402 - likewise
from chainrules.adapters.jax.arrays import is_tensor  # noqa: E402 - likewise
from chainrules.adapters.jax.examples import example_array, value_by_example  # noqa: E402 - likewise


def struct(shape, dtype=float):
    """The shape and dtype of an array."""
    return jax.ShapeDtypeStruct(shape, np.dtype(dtype))


def tried(f, *specimens):
    """The arrays that a function returns for made-up numbers."""
    _, call = flat_call(f, tuple(jnp.zeros(x.shape, x.dtype) for x in specimens), {}, is_tensor)
    return value_by_example(call, specimens).arrays


@pytest.mark.parametrize(
    "f",
    [np.linalg.inv, np.linalg.cholesky, np.linalg.eigh, scipy.linalg.sqrtm, scipy.linalg.expm],
    ids=lambda f: f.__name__,
)
def test_functions_of_matrices_accept_them(f):
    """They are symmetric and positive definite, in stacks too."""
    tried(f, struct((4, 4)))
    A = example_array(struct((2, 3, 3)))
    np.testing.assert_array_equal(A, np.swapaxes(A, -1, -2))
    assert np.all(np.linalg.eigvalsh(A) > 0)


@pytest.mark.parametrize("dtype", [np.float32, np.complex64, np.int8, bool])
def test_shapes_and_dtypes(dtype):
    """They are as is said; without axes, a number."""
    assert example_array(struct((2, 3), dtype)).shape == (2, 3)
    assert type(example_array(struct((), dtype))) is np.dtype(dtype).type


def test_integers_are_indices():
    """Of whatever is not empty."""
    assert [y.shape for y in tried(np.take, struct((4,)), struct((2, 2), int))] == [(2, 2)]


def test_known_arrays_are_taken_as_they_are():
    """Only what is not known is made up."""
    np.testing.assert_array_equal(example_array(jnp.arange(3)), [0, 1, 2])


def test_nonsense_is_no_warning():
    """The numbers mean nothing."""

    def complaining(x):
        warnings.warn("these numbers make no sense", stacklevel=2)
        return np.log(-x)

    tried(complaining, struct((3,)))


def test_errors():
    """They say what to write; those of ours stay."""
    with pytest.raises(AdapterError, match=r"raised ZeroDivisionError: .*abstract=g"):
        tried(lambda x: 1 / 0, struct((3,)))
    with pytest.raises(AdapterError, match="returned a scipy"):
        tried(scipy.sparse.csr_array, struct((3, 3)))


def test_functions_of_jax_are_not_traced():
    """A trial happens at once, though JAX traces the program around it."""
    seen = []

    def program(x):
        seen.extend(tried(from_jax(jnp.sin), struct((3,))))
        return x

    jax.jit(program)(1.0)
    assert type(seen[0]) is np.ndarray


@pytest.mark.parametrize("shape", [(3, 3), (1, 2, 3, 3)])
def test_matrices_are_symmetric_and_positive_definite(shape):
    """All of them, in a stack too."""
    A = example_array(struct(shape))
    np.testing.assert_array_equal(A, np.swapaxes(A, -1, -2))
    assert (np.linalg.eigvalsh(A) > 0.0).all()
