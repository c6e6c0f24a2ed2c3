"""Tensors of two AD systems in one call."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.adapters import AdapterError
from chainrules.adapters.calls import flat_call


class Tensor:
    """Stands for the tensor of a framework."""


class Holder:
    """Holds what it is given."""

    def __init__(self, held):
        self.held = held

    def __call__(self, x):
        """Nothing that matters."""
        return x


def is_tensor(x):
    """Whether a value is one of these tensors."""
    return isinstance(x, Tensor)


def called(f, *args, **kwargs):
    """A function of `x` that gives it to a call with a tensor, in the arguments that are made of it."""

    def g(x):
        flat_call(
            f, (Tensor(), *(make(x) for make in args)), {k: make(x) for k, make in kwargs.items()}, is_tensor
        )
        return x

    return g


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        ([lambda x: x], {}),
        ([lambda x: [1.0, {"x": x}]], {}),
        ([], {"y": lambda x: x}),
    ],
)
def test_a_traced_value_beside_a_tensor_is_refused(args, kwargs):
    """It would be a constant."""
    with pytest.raises(AdapterError, match=r"tests\.Tensor and chainrules\.TracedValue"):
        grad(called(lambda x, y: x, *args, **kwargs))(2.0)


def test_what_objects_hold_is_their_affair():
    """An object may hold tensors of another system, and compute with them."""
    assert grad(called(lambda x, y: x, Holder))(2.0) == 1.0


def test_a_list_that_holds_itself():
    """It is looked into once."""
    itself = [np.ones(2)]
    itself.append(itself)

    assert flat_call(lambda x, y: x, (Tensor(), itself), {}, is_tensor)[1].args[1] is itself
