"""Gradients of whole programs by `chainrules.ad`, beside other AD systems where they are installed."""

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.measure import Row, fastest
from chainrules.ad import grad

RNG = np.random.default_rng(0)
X, LABELS = RNG.normal(size=(1797, 64)), RNG.normal(size=1797) > 0
WEIGHTS = RNG.normal(size=64)
VECTOR = RNG.normal(size=30)


def logistic_loss(np: Any, w: Any) -> Any:
    """The loss of a logistic regression, in the NumPy of some AD system."""
    z = np.asarray(X) @ w
    return np.mean(np.log1p(np.exp(-z)) + np.where(LABELS, 0.0, 1.0) * z)


def mean_square(np: Any, x: Any) -> Any:
    """The mean of the squares of a short vector: all overhead."""
    return np.mean(x * x)


PROGRAMS: dict[str, tuple[Callable[[Any, Any], Any], Any]] = {
    "mean square of 30 elements": (mean_square, VECTOR),
    "logistic regression, 1797 x 64": (logistic_loss, WEIGHTS),
}


def rows() -> Iterator[Row]:
    """Each program, beside each peer that is installed."""
    for name, (program, x) in PROGRAMS.items():
        ours = grad(lambda x, program=program: program(np, x))
        for peer, gradient in peers(program):
            expected = np.asarray(gradient(x))
            np.testing.assert_allclose(ours(x), expected, rtol=1e-9)
            our_time, peer_time = fastest(
                lambda ours=ours, x=x: ours(x), lambda gradient=gradient, x=x: gradient(x)
            )
            yield Row(f"gradient of {name}", peer, our_time / peer_time)


def peers(program: Callable[[Any, Any], Any]) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """The gradient of a program by each AD system that is installed."""
    if importlib.util.find_spec("autograd"):
        import autograd
        import autograd.numpy

        yield "autograd", autograd.grad(lambda x: program(autograd.numpy, x))
    if importlib.util.find_spec("jax"):
        yield "JAX, compiled", jax_gradient(program)
    if importlib.util.find_spec("torch"):
        yield "PyTorch", torch_gradient(program)
    if (
        importlib.util.find_spec("mygrad") and program is mean_square
    ):  # it has no log1p, and no `where` on booleans
        yield "mygrad", mygrad_gradient(program)


def jax_gradient(program: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    """The gradient by JAX after compilation, from and to NumPy arrays."""
    import jax
    import jax.numpy

    jax.config.update("jax_enable_x64", True)
    gradient = jax.jit(jax.grad(lambda x: program(jax.numpy, x)))
    return lambda x: np.asarray(gradient(x))


def torch_gradient(program: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    """The gradient by eager PyTorch, from and to NumPy arrays."""
    import torch

    class Namespace:
        """The functions that the programs use, under NumPy's names."""

        asarray, mean, log1p, exp = torch.from_numpy, torch.mean, torch.log1p, torch.exp

        @staticmethod
        def where(condition: Any, x: float, y: float) -> Any:
            return torch.from_numpy(np.where(condition, x, y))

    def gradient(x: Any) -> Any:
        leaf = torch.from_numpy(x).requires_grad_()
        program(Namespace, leaf).backward()
        return leaf.grad.numpy()

    return gradient


def mygrad_gradient(program: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    """The gradient by mygrad."""
    import mygrad

    def gradient(x: Any) -> Any:
        leaf = mygrad.tensor(x)
        program(mygrad, leaf).backward()
        return leaf.grad

    return gradient
