"""A framework's tensors for the tests of the border: a `Tensor` holds an array, and that is all."""

from dataclasses import dataclass, field

import numpy as np

from chainrules.adapters.calls import flat_call


class Tensor:
    """Stands for the tensor of a framework."""

    __array_ufunc__ = None  # NumPy knows nothing of it

    def __init__(self, array):
        self.array = np.asarray(array)[()]


@dataclass
class Layer:
    """A dataclass with tensors."""

    weights: object
    offset: object = 0.0
    name: str = "layer"


class Model:
    """An ordinary class that is called, with tensors among its attributes."""

    def __init__(self, weights):
        self.weights = weights

    def __call__(self, x):
        """The product."""
        return self.weights * x


@dataclass
class Node:
    """A value that may hold itself."""

    x: object
    next: object = field(default=None, repr=False)


def is_tensor(x):
    """Whether a value is one of these tensors."""
    return isinstance(x, Tensor)


def flat(f, *args, **kwargs):
    """The arrays in the tensors of a call, and the call as a function of them."""
    tensors, call = flat_call(f, args, kwargs, is_tensor)
    return [tensor.array for tensor in tensors], call
