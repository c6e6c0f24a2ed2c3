"""Shapes and dtypes of results, without calls."""

import numpy as np
import pytest

jax = pytest.importorskip("jax")

from chainrules.adapters.calls import flat_call  # noqa: E402 - after the question for the framework
from chainrules.adapters.flat_functions import PullbackOf, PushforwardOf  # noqa: E402 - likewise
from chainrules.adapters.jax.arrays import is_tensor  # noqa: E402 - likewise
from chainrules.adapters.jax.descriptions import described  # noqa: E402 - likewise
from chainrules.adapters.jax.mapped import Mapped  # noqa: E402 - likewise
from chainrules.adapters.jax.promises import PromisedCall  # noqa: E402 - likewise

X, ROWS = np.ones((2, 3), np.float32), np.array([1, 0])


def promised_call(*arrays):
    """A call with two results, the second of which is an integer."""
    tensors, call = flat_call(
        lambda x, i: (x[i], np.argmax(x)), tuple(map(jax.numpy.asarray, arrays)), {}, is_tensor
    )
    return PromisedCall(call, tensors, None)


def test_they_are_those_of_the_values():
    """For a call, its derivatives, derivatives of these, and rows of each."""
    call = promised_call(X, ROWS)
    push = PushforwardOf(call, (True, False))
    pull = PullbackOf(call, (0,), (True, False))
    rows = [np.stack([x] * 4) for x in (X, ROWS)]
    y_bar = X[ROWS]
    for function, arrays in [
        (call, [X, ROWS]),
        (push, [X, ROWS, X]),
        (pull, [X, ROWS, y_bar]),
        (PushforwardOf(pull, (True, False, True)), [X, ROWS, y_bar, X, y_bar]),
        (Mapped(call, 4, (True, True)), rows),
        (Mapped(pull, 4, (True, True, True)), [*rows, np.stack([y_bar] * 4)]),
        (Mapped(pull, 4, (False, False, True)), [X, ROWS, np.stack([y_bar] * 4)]),
        (PushforwardOf(Mapped(call, 4, (True, True)), (True, False)), [*rows, rows[0]]),
        (
            PullbackOf(Mapped(call, 4, (True, False)), (0,), (True, False)),
            [rows[0], ROWS, np.stack([y_bar] * 4)],
        ),
    ]:
        values = function.value(arrays).arrays
        assert [(y.shape, y.dtype) for y in described(function, arrays)] == [
            (np.shape(y), np.asarray(y).dtype) for y in values
        ]


def test_others_are_refused():
    """Whoever makes another flat function describes it."""
    with pytest.raises(NotImplementedError, match=r"an? (Flat|Argument)Call"):
        described(promised_call(X, ROWS).call, [X, ROWS])
