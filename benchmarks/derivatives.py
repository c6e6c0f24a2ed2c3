"""Jacobians and Hessian-vector products by `chainrules.ad`, beside other AD systems where installed."""

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.measure import Row, fastest
from chainrules.ad import hvp, jacobian

RNG = np.random.default_rng(0)
POINT, DIRECTION = RNG.normal(size=100), RNG.normal(size=100)
WEIGHTS, INPUTS = RNG.normal(size=(50, 50)) * 0.1, RNG.normal(size=50)


def rosenbrock(np: Any, x: Any) -> Any:
    """The function of Rosenbrock, of any number of variables."""
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def hessian_vector_product_by_hand(x: Any, v: Any) -> Any:
    """The Hessian of the function of Rosenbrock times a vector, which is tridiagonal."""
    product = np.zeros_like(x)
    product[:-1] = (1200 * x[:-1] ** 2 - 400 * x[1:] + 2) * v[:-1] - 400 * x[:-1] * v[1:]
    product[1:] += 200 * v[1:] - 400 * x[:-1] * v[:-1]
    return product


def layer(np: Any, x: Any) -> Any:
    """A layer of a network."""
    return np.tanh(np.asarray(WEIGHTS) @ x)


def jacobian_by_hand(x: Any) -> Any:
    """The Jacobian of the layer."""
    y = np.tanh(WEIGHTS @ x)
    return (1 - y * y)[:, None] * WEIGHTS


def rows() -> Iterator[Row]:
    """Both derivatives, beside each peer that is installed."""
    products = {"by hand": lambda: hessian_vector_product_by_hand(POINT, DIRECTION)}
    jacobians = {"by hand": lambda: jacobian_by_hand(INPUTS)}
    if importlib.util.find_spec("autograd"):
        products["autograd"], jacobians["autograd"] = _by_autograd()
    if importlib.util.find_spec("torch"):
        products["PyTorch"], jacobians["PyTorch"] = _by_torch()
    yield from _rows_of(
        "k Hessian-vector product, Rosenbrock of 100",
        lambda: hvp(lambda x: rosenbrock(np, x), POINT, DIRECTION),
        products,
        {"autograd": 1 / 3, "PyTorch": 1 / 1.5},
    )
    yield from _rows_of(
        "l Jacobian of 50 by 50",
        lambda: jacobian(lambda x: layer(np, x))(INPUTS),
        jacobians,
        {"autograd": 1 / 3, "PyTorch": 1 / 3},
    )


def _rows_of(
    what: str, ours: Callable[[], Any], others: dict[str, Callable[[], Any]], targets: dict[str, float]
) -> Iterator[Row]:
    for other in others.values():
        np.testing.assert_allclose(ours(), np.asarray(other()), rtol=1e-7, atol=1e-12)
    our_time, *times = fastest(ours, *others.values())
    for name, time in zip(others, times, strict=True):
        yield Row(what, name, our_time / time, targets.get(name))


def _by_autograd() -> tuple[Callable[[], Any], Callable[[], Any]]:
    import autograd
    import autograd.numpy

    def product() -> Any:
        return autograd.hessian_vector_product(lambda x: rosenbrock(autograd.numpy, x))(POINT, DIRECTION)

    return product, lambda: autograd.jacobian(lambda x: layer(autograd.numpy, x))(INPUTS)


def _by_torch() -> tuple[Callable[[], Any], Callable[[], Any]]:
    import torch

    torch.set_num_threads(1)

    class Namespace:
        """The functions that the programs use, under NumPy's names."""

        sum, tanh, asarray = torch.sum, torch.tanh, torch.from_numpy

    def product() -> Any:
        x = torch.from_numpy(POINT).requires_grad_()
        (gradient,) = torch.autograd.grad(rosenbrock(Namespace, x), x, create_graph=True)
        return torch.autograd.grad(gradient, x, torch.from_numpy(DIRECTION))[0].numpy()

    def whole_jacobian() -> Any:
        return torch.autograd.functional.jacobian(lambda x: layer(Namespace, x), torch.from_numpy(INPUTS))

    return product, whole_jacobian
