"""Instances of ordinary classes, named tuples and dataclasses, to be differentiated by."""

import threading
import types
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tests.chainrules.rule_checks import normal


class Layer(NamedTuple):
    """Parameters with names."""

    weights: object
    bias: object


@dataclass
class Model:
    """Parameters beside other settings."""

    layer: Layer
    scale: float
    name: str = "model"


@dataclass
class Data:
    """A dataclass."""

    x: object
    scale: object
    name: str = "name"


class Hundredfold(float):
    """A float with an operator of its own."""

    def __mul__(self, other):
        """Not that of floats."""
        return 100.0 * float(self) * other


class Dense:
    """A layer of a network, with things beside its parameters."""

    rate = 0.5

    def __init__(self, weights, bias):
        self.weights, self.bias = weights, bias
        self.name, self.size, self.lock, self.rng = "dense", 2, threading.Lock(), np.random.default_rng(0)

    def __call__(self, x):
        """Apply the layer."""
        with self.lock:
            return np.tanh(self.weights @ x + self.bias)

    def applied(self, x):
        """Apply the layer."""
        return self(x)


class Value:
    """An instance with one attribute."""

    def __init__(self, x):
        self.x = x


class Slotted:
    """Slots, of which one is private and one is not assigned."""

    __slots__ = ("__scale", "_x", "y")

    def __init__(self, x):
        self._x, self.__scale = x, 3.0

    def __setattr__(self, name, value):
        if hasattr(self, name):
            raise AttributeError(name)
        object.__setattr__(self, name, value)

    def scaled(self):
        """Both attributes multiplied."""
        return self.__scale * self._x


def dense():
    """A layer with three inputs and two outputs."""
    return Dense(normal(2, 3), normal(2))


def loss(layer):
    """A number that depends on a layer."""
    return np.sum(layer(np.arange(3.0)) ** 2)


def differences(f, layer, name):
    """The derivative by an attribute, by differences."""
    array = getattr(layer, name)
    result = np.empty_like(array)
    for index in np.ndindex(array.shape):
        moved = []
        for step in (1e-6, -1e-6):
            other = Dense(layer.weights.copy(), layer.bias.copy())
            getattr(other, name)[index] += step
            moved.append(f(other))
        result[index] = (moved[0] - moved[1]) / 2e-6
    return result


def tree(x):
    """A root with a leaf that points to it."""
    root = types.SimpleNamespace(x=x, parent=None, kids=[])
    root.kids.append(types.SimpleNamespace(x=2.0 * x, parent=root, kids=[]))
    return root
