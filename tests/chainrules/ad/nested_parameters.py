"""Parameters in every kind of container, and a loss that depends on them."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from chainrules_core.structured import Diagonal


@dataclass(frozen=True)
class Layer:
    """A frozen dataclass, with a flag and text beside its numbers."""

    w: Any
    bias: Any = 0.0
    trained: bool = True
    name: str = "layer"


class Pair(NamedTuple):
    """A named tuple."""

    first: Any
    second: Any


class Model:
    """An instance of an ordinary class."""

    def __init__(self, scale):
        self.scale = scale
        self.layers = [Layer(np.ones((2, 2)), 0.5), Layer([1.0, (2.0, 3)])]
        self.size = 2
        self.activation = np.tanh


def parameters():
    """Parameters in every kind of container."""
    return {
        "model": Model(2.0),
        "pair": Pair(np.float32(1.5), [np.ones(2, np.float32)]),
        "z": 1 + 2j,
        "matrices": (Diagonal(np.arange(2.0)), sparse.csr_array(np.eye(2))),
        "steps": 3,
        "flags": np.array([True]),
        "none": None,
    }


def loss(p):
    """A number that depends on all of them."""
    model, pair, (D, A) = p["model"], p["pair"], p["matrices"]
    first, second = model.layers
    return (
        np.sum(model.activation(first.w) * first.bias * model.scale)
        + second.w[0] * second.w[1][0] ** second.w[1][1]
        + pair.first * np.sum(pair.second[0])
        + abs(p["z"]) ** p["steps"]
        + np.sum((D @ np.ones(2) + A @ np.ones(2)) ** 2)
    )
