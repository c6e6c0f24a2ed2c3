"""Tests of results by example."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from chainrules.adapters.calls import flat_call  # noqa: E402 - after the question for the framework
from chainrules.adapters.errors import AdapterError  # noqa: E402 - after the question for the framework
from chainrules.adapters.torch.examples import example_outcome  # noqa: E402 - after the question for the framework


def outcome(f, *kinds):
    """What a function of tensors of some kinds returns."""
    tensors = [torch.empty(shape, dtype=dtype) for shape, dtype in kinds]
    _, function = flat_call(f, tuple(tensors), {}, lambda x: isinstance(x, torch.Tensor))
    return example_outcome(function, kinds)


@pytest.mark.parametrize(
    "f",
    [
        np.linalg.cholesky,
        np.linalg.inv,
        lambda A: np.log(A[0, 0]) + np.arccos(A[0, 1]) + np.sqrt(A[1, 0]),
    ],
)
def test_matrices_that_most_functions_take(f):
    """A function that wants positive definite matrices gets some."""
    (y,) = outcome(f, ((3, 3), torch.float32)).arrays
    assert np.isfinite(y).all()


def test_functions_that_want_negative_numbers():
    """There are some among those of the second example."""

    def f(x):
        if np.all(x > 0):
            raise ValueError
        return x[0]

    assert outcome(f, ((5,), torch.float64)).arrays[0] < np.inf


def test_types_and_shapes():
    """Arrays and numbers of the types and shapes of the tensors; integers are zero."""
    kinds = [((), torch.complex64), ((2, 3), torch.float16), ((2,), torch.int64), ((), torch.bool)]
    z, x, i, b = outcome(lambda *args: args, *kinds).arrays
    assert (z.dtype, np.shape(z)) == (np.complex64, ())
    assert (x.dtype, x.shape) == (np.float16, (2, 3))
    assert (i.dtype, i.tolist()) == (np.int64, [0, 0])
    assert (b.dtype, bool(b)) == (np.bool_, False)


def test_functions_that_take_neither():
    """The error says what was tried, and what the function said."""

    def f(x):
        raise ValueError("no numbers at all")

    with pytest.raises(AdapterError, match=r"float64 of shape \(2,\).*no numbers at all"):
        outcome(f, ((2,), torch.float64))


@pytest.mark.parametrize("shape", [(3, 3), (1, 2, 3, 3)])
def test_matrices_are_symmetric_and_positive_definite(shape):
    """All of them, in a stack too; the numbers of others are small."""
    (A,) = outcome(lambda A: A, (shape, torch.float64)).arrays
    np.testing.assert_array_equal(A, np.swapaxes(A, -1, -2))
    assert (np.linalg.eigvalsh(A) > 0.0).all()
    assert (np.abs(A - shape[-1] * np.eye(shape[-1])) <= 0.75).all()
    (B,) = outcome(lambda B: B, ((2, 3), torch.float64)).arrays
    assert ((B >= 0.25) & (B <= 0.75)).all()
