"""A Kalman filter in everyday NumPy by `chainrules.ad`, beside the same one written for other AD systems."""

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.measure import Row, fastest
from chainrules.ad import grad

RNG = np.random.default_rng(0)
OBSERVED = np.cumsum(RNG.normal(size=50)) + RNG.normal(size=50)

# The time between two observations, and the logarithms of the variances of position, speed and observation.
PARAMETERS = np.array([0.5, -1.0, -2.0, 0.3])


def log_likelihood(x: Any) -> Any:
    """The negative logarithm of the likelihood of the observations, with arrays that are filled."""
    transition = np.array([[1.0, x[0]], [0.0, 1.0]])
    noise = np.zeros((2, 2))
    noise[0, 0], noise[1, 1] = np.exp(x[1]), np.exp(x[2])
    observe = np.array([1.0, 0.0])
    mean, cov = np.zeros(2), np.eye(2)
    terms = np.zeros(len(OBSERVED))
    for t, z in enumerate(OBSERVED):
        mean = transition @ mean
        cov = transition @ cov @ transition.T + noise
        variance = observe @ cov @ observe + np.exp(x[3])
        residual = z - observe @ mean
        gain = cov @ observe / variance
        mean = mean + gain * residual
        cov = cov - np.outer(gain, gain) * variance
        terms[t] = np.log(variance) + residual**2 / variance
    return 0.5 * np.sum(terms)


def log_likelihood_without_writes(np: Any, x: Any) -> Any:
    """The same for an AD system in which arrays cannot be filled, with its own NumPy."""
    transition = np.array([[1.0, x[0]], [0.0, 1.0]])
    noise = np.array([[np.exp(x[1]), 0.0], [0.0, np.exp(x[2])]])
    observe = np.array([1.0, 0.0])
    mean, cov = np.array([0.0, 0.0]), np.array([[1.0, 0.0], [0.0, 1.0]])
    terms = []
    for z in OBSERVED:
        mean = transition @ mean
        cov = transition @ cov @ transition.T + noise
        variance = observe @ cov @ observe + np.exp(x[3])
        residual = z - observe @ mean
        gain = cov @ observe / variance
        mean = mean + gain * residual
        cov = cov - np.outer(gain, gain) * variance
        terms.append(np.log(variance) + residual**2 / variance)
    return 0.5 * np.sum(np.array(terms))


_TARGETS = {"autograd": 1 / 2, "JAX without jit": 1 / 10, "PyTorch": 1}


def rows() -> Iterator[Row]:
    """The gradient, beside each peer that is installed."""
    peers = dict(_peers())
    for gradient in peers.values():
        np.testing.assert_allclose(grad(log_likelihood)(PARAMETERS), gradient(), rtol=1e-7)
    our_time, *times = fastest(lambda: grad(log_likelihood)(PARAMETERS), *peers.values())
    for name, time in zip(peers, times, strict=True):
        yield Row("m Kalman filter with filled arrays", name, our_time / time, _TARGETS[name])


def _peers() -> Iterator[tuple[str, Callable[[], Any]]]:
    for module, name, gradient in (
        ("autograd", "autograd", _by_autograd),
        ("jax", "JAX without jit", _by_jax),
        ("torch", "PyTorch", _by_torch),
    ):
        if importlib.util.find_spec(module):
            yield name, gradient()


def _by_autograd() -> Callable[[], Any]:
    import autograd
    import autograd.numpy

    return lambda: autograd.grad(lambda x: log_likelihood_without_writes(autograd.numpy, x))(PARAMETERS)


def _by_jax() -> Callable[[], Any]:
    import jax

    jax.config.update("jax_enable_x64", True)

    def gradient() -> Any:
        return np.asarray(jax.grad(lambda x: log_likelihood_without_writes(jax.numpy, x))(PARAMETERS))

    return gradient


def _by_torch() -> Callable[[], Any]:
    import torch

    torch.set_num_threads(1)

    class Namespace:
        """The functions that the filter uses, under NumPy's names."""

        exp, log, outer, sum = torch.exp, torch.log, torch.outer, torch.sum

        @classmethod
        def array(cls, x: Any) -> Any:
            """A tensor of numbers and tensors in nested lists."""
            if isinstance(x, list):
                return torch.stack([cls.array(part) for part in x])
            return torch.tensor(x, dtype=torch.float64) if isinstance(x, float) else x

    def gradient() -> Any:
        x = torch.from_numpy(PARAMETERS).requires_grad_()
        return torch.autograd.grad(log_likelihood_without_writes(Namespace, x), x)[0].numpy()

    return gradient
