"""The layers, and the losses."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainrules_core import primitive


def tanh(x: np.ndarray) -> np.ndarray:
    """The activation of a hidden layer."""
    return np.tanh(x)


def identity(x: np.ndarray) -> np.ndarray:
    """The activation of a last layer."""
    return x


# The derivative of each activation, from its value.
SLOPES: dict[Callable[[np.ndarray], np.ndarray], Callable[[np.ndarray], Any]] = {
    tanh: lambda y: 1.0 - y**2,
    identity: lambda y: 1.0,
}


@dataclass(frozen=True, eq=False)
class Dense:
    """``x -> activation(x @ W + b)``, for one `x` or a batch of rows."""

    W: np.ndarray
    b: np.ndarray
    activation: Callable[[np.ndarray], np.ndarray] = identity

    @primitive
    def __call__(self, x: np.ndarray) -> np.ndarray:
        """The activations."""
        return self.activation(x @ self.W + self.b)


@dataclass(frozen=True, eq=False)
class Chain:
    """Layers, one after the other; each may be any function."""

    layers: tuple[Callable[[np.ndarray], np.ndarray], ...]

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """The result of the last layer."""
        for layer in self.layers:
            x = layer(x)
        return x


def dense(sizes: list[int], rng: np.random.Generator) -> Chain:
    """A model of dense layers, with `tanh` between them."""
    activations = [tanh] * (len(sizes) - 2) + [identity]
    pairs = zip(sizes[:-1], sizes[1:], activations, strict=True)
    return Chain(
        tuple(
            Dense(rng.normal(size=(m, n)) / np.sqrt(m), np.zeros(n), activation) for m, n, activation in pairs
        )
    )


@primitive
def mean_squared_error(y: np.ndarray, target: np.ndarray) -> float:
    """The mean of the squares of the errors."""
    return np.mean((y - target) ** 2)


@primitive
def softmax_cross_entropy(scores: np.ndarray, labels: np.ndarray) -> float:
    """The mean of ``-log(softmax(scores)[label])`` over a batch of rows."""
    largest = np.max(scores, axis=-1, keepdims=True)
    logs = largest[:, 0] + np.log(np.sum(np.exp(scores - largest), axis=-1))
    return np.mean(logs - scores[np.arange(len(scores)), labels])
