"""The gradient of a program by each AD system that is installed, from and to NumPy arrays."""

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

Gradient = Callable[[Any], Any]


def gradients_by_peers(function: Callable[[Any, Any], Any]) -> Iterator[tuple[str, Gradient]]:
    """The name of each peer, with the gradient of ``function(np, x)`` by `x`."""
    for module, name, gradient in (
        ("autograd", "autograd", _autograd_gradient),
        ("mygrad", "mygrad", _mygrad_gradient),
        ("torch", "PyTorch", _torch_gradient),
    ):
        if importlib.util.find_spec(module):
            yield name, gradient(function)


def _autograd_gradient(function: Callable[[Any, Any], Any]) -> Gradient:
    import autograd
    import autograd.numpy

    def gradient(x: Any) -> Any:
        return autograd.grad(lambda x: function(autograd.numpy, x))(x)

    return gradient


def _mygrad_gradient(function: Callable[[Any, Any], Any]) -> Gradient:
    import mygrad

    def gradient(x: Any) -> Any:
        if isinstance(x, tuple):
            leaves = [mygrad.tensor(part) for part in x]
            function(mygrad, leaves).backward()
            return [leaf.grad for leaf in leaves]
        leaf = mygrad.tensor(x)
        function(mygrad, leaf).backward()
        return leaf.grad

    return gradient


def _torch_gradient(function: Callable[[Any, Any], Any]) -> Gradient:
    import torch

    torch.set_num_threads(1)

    class Namespace:
        """PyTorch, with NumPy's name for the function that makes a tensor of an array."""

        @staticmethod
        def asarray(x: Any) -> Any:
            return torch.from_numpy(x) if isinstance(x, np.ndarray) else torch.tensor(x, dtype=torch.float64)

        @staticmethod
        def eye(n: int) -> Any:
            return torch.eye(n, dtype=torch.float64)

        def __getattr__(self, name: str) -> Any:
            return getattr(torch, name)

    namespace = Namespace()

    def leaf_of(x: Any) -> Any:
        made = torch.tensor(x, dtype=torch.float64) if isinstance(x, float) else torch.from_numpy(x)
        return made.requires_grad_()

    def gradient(x: Any) -> Any:
        if isinstance(x, tuple):
            leaves = [leaf_of(part) for part in x]
            function(namespace, leaves).backward()
            return [leaf.grad.numpy() for leaf in leaves]
        leaf = leaf_of(x)
        function(namespace, leaf).backward()
        return leaf.grad.numpy()

    return gradient
