"""Programs to differentiate, each written once for the NumPy of any AD system, and its gradient by hand."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

RNG = np.random.default_rng(0)


@dataclass(frozen=True)
class Program:
    """A function to differentiate by its one argument, and the cost that its gradient may have.

    Attributes
    ----------
    function
        ``function(np, x)``, where `np` is the NumPy of an AD system.
    by_hand
        The gradient in plain NumPy.
    targets
        For each peer, or `"by hand"`: the time that `chainrules.ad` may take, as a multiple of its time.
    without
        Peers that cannot run it, and why.
    """

    name: str
    function: Callable[[Any, Any], Any]
    x: Any
    by_hand: Callable[[Any], Any]
    targets: dict[str, float] = field(default_factory=dict)
    without: dict[str, str] = field(default_factory=dict)


# --- Small: all overhead ---------------------------------------------------------------------------

_TARGET = RNG.normal(size=30)


def _mse(np: Any, x: Any) -> Any:
    return np.mean((x - np.asarray(_TARGET)) ** 2)


def _mse_by_hand(x: Any) -> Any:
    difference = x - _TARGET
    np.mean(difference**2)
    return difference * (2 / difference.size)


def _chain(np: Any, x: Any) -> Any:
    for _ in range(100):
        x = np.sin(x)
    return x


def _chain_by_hand(x: float) -> Any:
    visited = []
    for _ in range(100):
        visited.append(x)
        x = np.sin(x)
    x_bar = 1.0
    for value in reversed(visited):
        x_bar = x_bar * np.cos(value)
    return x_bar


def _three_elements(np: Any, x: Any) -> Any:
    return x[0] + x[1] + x[2]


def _three_elements_by_hand(x: Any) -> Any:
    x[0] + x[1] + x[2]
    x_bar = np.zeros_like(x)
    x_bar[:3] = 1.0
    return x_bar


def _loop(np: Any, x: Any) -> Any:
    total = 0.0
    for i in range(30):
        difference = x[i] - _TARGET[i]
        total = total + difference * difference
    return total / 30


def _loop_by_hand(x: Any) -> Any:
    total, x_bar = 0.0, np.zeros(30)
    for i in range(30):
        difference = x[i] - _TARGET[i]
        total = total + difference * difference
        x_bar[i] = 2 * difference / 30
    return x_bar


# --- Machine learning ------------------------------------------------------------------------------

_X, _LABELS = RNG.normal(size=(1797, 64)), (RNG.normal(size=1797) > 0).astype(float)


def _logistic(np: Any, w: Any) -> Any:
    z = np.asarray(_X) @ w
    return np.mean(np.logaddexp(np.asarray(0.0), z) - np.asarray(_LABELS) * z)


def _logistic_by_hand(w: Any) -> Any:
    z = _X @ w
    y = np.logaddexp(0.0, z)
    np.mean(y - _LABELS * z)
    return _X.T @ ((np.exp(z - y) - _LABELS) / z.size)


_IMAGES = RNG.normal(size=(128, 64))
_CLASSES = np.eye(10)[RNG.integers(0, 10, 128)]
_PARAMETERS = (
    RNG.normal(size=(64, 128)) * 0.1,
    np.zeros(128),
    RNG.normal(size=(128, 10)) * 0.1,
    np.zeros(10),
)


def _perceptron(np: Any, parameters: Any) -> Any:
    W1, b1, W2, b2 = parameters
    h = np.tanh(np.asarray(_IMAGES) @ W1 + b1)
    z = h @ W2 + b2
    log_partition = np.log(np.sum(np.exp(z), 1))
    return np.mean(log_partition - np.sum(z * np.asarray(_CLASSES), 1))


def _perceptron_by_hand(parameters: Any) -> Any:
    W1, b1, W2, b2 = parameters
    h = np.tanh(_IMAGES @ W1 + b1)
    z = h @ W2 + b2
    exp_z = np.exp(z)
    partition = np.sum(exp_z, 1)
    np.mean(np.log(partition) - np.sum(z * _CLASSES, 1))
    z_bar = (exp_z / partition[:, None] - _CLASSES) / len(z)
    h_bar = (z_bar @ W2.T) * (1 - h * h)
    return _IMAGES.T @ h_bar, h_bar.sum(0), h.T @ z_bar, z_bar.sum(0)


_INPUTS, _RECURRENT = RNG.normal(size=(200, 32)), RNG.normal(size=(32, 32)) * 0.1


def _recurrent(np: Any, W: Any) -> Any:
    inputs = np.asarray(_INPUTS)
    h = np.asarray(_INPUTS[0])
    for t in range(200):
        h = np.tanh(W @ h + inputs[t])
    return np.sum(h)


def _recurrent_by_hand(W: Any) -> Any:
    hs = [_INPUTS[0]]
    for t in range(200):
        hs.append(np.tanh(W @ hs[-1] + _INPUTS[t]))
    np.sum(hs[-1])
    h_bar, W_bar = np.ones(32), np.zeros_like(W)
    for t in reversed(range(200)):
        z_bar = h_bar * (1 - hs[t + 1] ** 2)
        W_bar += z_bar[:, None] * hs[t]
        h_bar = W.T @ z_bar
    return W_bar


# --- Linear algebra and large arrays ---------------------------------------------------------------

_PLACES = np.sort(RNG.uniform(0, 10, 200))
_DISTANCES = (_PLACES[:, None] - _PLACES) ** 2
_OBSERVED = np.sin(_PLACES) + 0.1 * RNG.normal(size=200)


def _gaussian_process(np: Any, theta: Any) -> Any:
    K = theta[0] * np.exp(-0.5 * theta[1] * np.asarray(_DISTANCES)) + theta[2] * np.eye(200)
    observed = np.asarray(_OBSERVED)
    # The determinant of an identity matrix and the solution, both by one library function each.
    return 0.5 * np.sum(observed * np.linalg.solve(K, observed)) + 0.5 * np.linalg.slogdet(K)[1]


def _gaussian_process_by_hand(theta: Any) -> Any:
    kernel = np.exp(-0.5 * theta[1] * _DISTANCES)
    K = theta[0] * kernel + theta[2] * np.eye(200)
    alpha = np.linalg.solve(K, _OBSERVED)
    0.5 * np.sum(_OBSERVED * alpha) + 0.5 * np.linalg.slogdet(K)[1]
    K_bar = 0.5 * (np.linalg.inv(K) - alpha[:, None] * alpha)
    by_kernel = K_bar * kernel
    return np.array([np.sum(by_kernel), -0.5 * theta[0] * np.sum(by_kernel * _DISTANCES), np.trace(K_bar)])


_MATRIX, _OTHER = RNG.normal(size=(256, 256)), RNG.normal(size=(256, 256)) / 256


def _matrices(np: Any, A: Any) -> Any:
    return np.sum(np.einsum("ij,jk->ik", A @ np.asarray(_OTHER), A))


def _matrices_by_hand(A: Any) -> Any:
    B = A @ _OTHER
    C = B @ A
    np.sum(C)
    C_bar = np.ones_like(C)
    return B.T @ C_bar + (C_bar @ A.T) @ _OTHER.T


_MILLION = RNG.normal(size=10**6)


def _elementwise(np: Any, x: Any) -> Any:
    return np.sum(np.sin(x) * np.exp(-x * x))


def _elementwise_by_hand(x: Any) -> Any:
    sin, bell = np.sin(x), np.exp(-x * x)
    np.sum(sin * bell)
    return np.cos(x) * bell - sin * bell * (2 * x)


PROGRAMS = [
    Program(
        "a mean square error of 30 elements",
        _mse,
        RNG.normal(size=30),
        _mse_by_hand,
        {"autograd": 1 / 4, "PyTorch": 1 / 2},
    ),
    Program(
        "b chain of 100 sines of a float", _chain, 0.5, _chain_by_hand, {"autograd": 1 / 3, "PyTorch": 1 / 2}
    ),
    Program(
        "c sum of three elements of 30",
        _three_elements,
        RNG.normal(size=30),
        _three_elements_by_hand,
        {"autograd": 1 / 4, "PyTorch": 1 / 2},
    ),
    Program(
        "d logistic regression, 1797 x 64",
        _logistic,
        RNG.normal(size=64) * 0.1,
        _logistic_by_hand,
        {"autograd": 1 / 2, "PyTorch": 1 / 1.5, "by hand": 1.7},
    ),
    Program(
        "e perceptron 64-128-10, batch of 128",
        _perceptron,
        _PARAMETERS,
        _perceptron_by_hand,
        {"autograd": 1 / 1.8, "PyTorch": 1 / 1.5, "by hand": 1.5},
    ),
    Program(
        "f Gaussian process, 200 observations",
        _gaussian_process,
        np.array([1.5, 0.7, 0.1]),
        _gaussian_process_by_hand,
        {"autograd": 1 / 2, "by hand": 1.25},
        {"mygrad": "it has no linear algebra"},
    ),
    Program(
        "g recurrent network, 200 steps of 32 x 32",
        _recurrent,
        _RECURRENT,
        _recurrent_by_hand,
        {"autograd": 1 / 2, "PyTorch": 1 / 1.5, "by hand": 1.6},
    ),
    Program(
        "h product and einsum of 256 x 256",
        _matrices,
        _MATRIX,
        _matrices_by_hand,
        {"autograd": 1, "PyTorch": 1, "by hand": 1.25},
    ),
    Program(
        "i elementwise on a million",
        _elementwise,
        _MILLION,
        _elementwise_by_hand,
        {"autograd": 1, "by hand": 1.25},
    ),
    Program(
        "j loop over 30 elements",
        _loop,
        RNG.normal(size=30),
        _loop_by_hand,
        {"autograd": 1 / 4, "PyTorch": 1 / 2},
    ),
]
