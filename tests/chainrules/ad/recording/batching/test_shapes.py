"""Functions that move elements, beside loops."""

import numpy as np
import pytest

from tests.chainrules.ad.recording.batching.loops import agrees_with_loop, check_gradients

A = np.random.default_rng(1).normal(size=(3, 4))
SQUARE = np.random.default_rng(2).normal(size=(4, 4)) + 4.0 * np.eye(4)
V = np.random.default_rng(3).normal(size=4)


SHAPES = [
    (lambda x: x.reshape(2, -1), (3, 4)),
    (lambda x: np.reshape(x, (4, 3)), (3, 4)),
    (np.ravel, (3, 4)),
    (lambda x: x.T.flatten(), (3, 4)),
    (lambda x: x.T, (2, 3, 4)),
    (lambda x: np.transpose(x, (1, 2, 0)), (2, 3, 4)),
    (lambda x: x.transpose(-1, 0, 1), (2, 3, 4)),
    (lambda x: np.swapaxes(x, 0, -1), (2, 3, 4)),
    (lambda x: np.moveaxis(x, [0, 1], [-1, 0]), (2, 3, 4)),
    (lambda x: np.expand_dims(x, (0, -1)), (3,)),
    (np.squeeze, (1, 3, 1)),
    (lambda x: np.broadcast_to(x, (2, 3)), (2, 1)),
    (lambda x: np.broadcast_to(x, (2, 3)), ()),
    (lambda x: np.concatenate([x, A]), (3, 4)),
    (lambda x: np.concatenate([x, A], axis=-1), (3, 4)),
    (lambda x: np.concatenate([A, x], axis=None), (3, 4)),
    (lambda x: np.stack([x, A], axis=1), (3, 4)),
    (lambda x: np.stack([x, A], axis=-1), (3, 4)),
    (lambda x: np.hstack([x, 1.0, x]), ()),
    (lambda x: np.hstack([x, A]), (3, 4)),
    (lambda x: np.vstack([x, A[0]]), (4,)),
    (lambda x: np.array([[x, 1.0], [0.0, x * x]]), ()),
    (lambda x: np.array([x, 2], dtype=np.float32), ()),
    (lambda x: np.asarray(x, dtype=np.float32), (3,)),
    (lambda x: x.astype(np.float32), (3,)),
    (np.diag, (3,)),
    (np.diag, (3, 4)),
    (lambda x: np.diagonal(x, 1, 0, 2), (3, 4, 4)),
    (lambda x: np.trace(x, axis1=-1, axis2=0), (3, 4, 3)),
    (np.tril, (3, 4)),
    (np.zeros_like, (3, 4)),
    (lambda x: np.full_like(x, 2.0), (3,)),
    (lambda x: np.where(x > 0.0, x, A), (4,)),
    (lambda x: np.clip(x, -1.0, V), (3, 4)),
    (lambda x: x.clip(0.0), (3, 4)),
    (lambda x: np.interp(x, np.arange(4.0), V), (3,)),
]


@pytest.mark.every_case  # each form is one of its own
@pytest.mark.parametrize(("f", "shape"), SHAPES)
def test_shapes(f, shape):
    """Functions that move elements, and make arrays of arrays."""
    assert agrees_with_loop(f, shape) == set()


@pytest.mark.every_case  # each form is one of its own
@pytest.mark.parametrize(("f", "shape"), SHAPES[:15])
def test_gradients_of_both_orders(f, shape):
    """The gradients of a vectorized function are the vectorized gradients."""
    check_gradients(f, shape)


BY_ROWS = {
    "reshape": (lambda x: np.reshape(x, (4, 3), order="F"), (3, 4)),
    "reshape without a copy": (lambda x: np.reshape(x, (4, 3), copy=True), (3, 4)),
    "transpose": (lambda x: np.transpose(x, np.argsort(np.abs(x[0]))), (2, 2)),
    "swapaxes": (lambda x: np.swapaxes(x, axis1=0, axis2=1), (3, 4)),
    "diag": (lambda x: np.diag(x, 1), (3, 4)),
    "concatenate": (lambda x: np.concatenate([x, A], dtype=np.float32, casting="same_kind"), (3, 4)),
    "array": (lambda x: np.array([x, x], order="F"), (3,)),
    "full_like": (lambda x: np.full_like(A, x[0]), (3,)),
}


@pytest.mark.every_case  # each is refused in its own place
@pytest.mark.parametrize("name", BY_ROWS)
def test_item_by_item(name):
    """What has no form runs item by item."""
    f, shape = BY_ROWS[name]
    assert agrees_with_loop(f, shape) == {name.partition(" ")[0]}
