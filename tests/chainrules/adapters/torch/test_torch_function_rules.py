"""Tests of the rules of functions of PyTorch."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from chainrules.ad import grad, hessian, jvp, vjp  # noqa: E402 - after the question for the framework
from chainrules.adapters import AdapterError  # noqa: E402 - after the question for the framework
from chainrules.adapters.torch import from_torch  # noqa: E402 - after the question for the framework
from chainrules_testutils import test_frule as check_frule  # noqa: E402 - pytest would collect it
from chainrules_testutils import test_rrule as check_rrule  # noqa: E402 - after the question for the framework

rng = np.random.default_rng(0)


@dataclass
class Layer:
    """A dataclass."""

    weights: Any
    name: str


NET = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2)).double()

CASES = {
    "broadcasting": (lambda x, y: torch.sin(x) * y + x**3, (rng.normal(size=3), rng.normal(size=(2, 1)))),
    "a module": (NET, (rng.normal(size=3),)),
    "numbers": (lambda x, y: torch.exp(x) / y, (0.5, np.float64(2.0))),
    "complex": (
        lambda x, z: (z * z.conj()).real * torch.exp(z) * x,
        (rng.normal(size=2), rng.normal(size=2) * 1j),
    ),
    "several results": (torch.linalg.slogdet, (rng.normal(size=(3, 3)) + 4.0 * np.eye(3),)),
    "containers": (
        lambda d, n: {"y": d["w"] ** n, "more": [d["x"][0] * 2, torch.argmax(d["w"]), n]},
        ({"w": rng.uniform(1.0, 2.0, size=2), "x": [rng.normal(size=2)]}, 3),
    ),
    "a constant result": (lambda x: [x * 2, torch.ones(2, dtype=torch.float64)], (rng.normal(size=2),)),
    "empty": (torch.exp, (np.empty((0, 2)),)),
    "in place": (lambda x: x.clone().mul_(x).add_(1.0), (rng.normal(size=2),)),
}


@pytest.mark.parametrize("name", CASES)
def test_rules(name):
    """Both modes agree with finite differences."""
    f, args = CASES[name]
    check_rrule(from_torch(f).__primitive__, *args)
    check_frule(from_torch(f).__primitive__, *args)


def test_single_precision():
    """The types of cotangents are those of the arguments."""
    x = np.ones(2, np.float32)
    y, pullback = vjp(from_torch(torch.exp), x)
    assert (y.dtype, pullback(x)[0].dtype) == (np.float32, np.float32)


def forward(f):
    """The derivative of a function of a number, by forward mode."""
    return lambda x: jvp(f, (x,), (1.0,))[1]


@pytest.mark.parametrize(
    "modes", [(a, b, c) for a in (grad, forward) for b in (grad, forward) for c in (grad, forward)]
)
def test_third_derivatives(modes):
    """Modes nest in any order: the third derivative of the sine is minus the cosine."""
    f = from_torch(torch.sin)
    for mode in modes:
        f = mode(f)
    np.testing.assert_allclose(f(0.7), -np.cos(0.7), rtol=1e-12)


def test_hessians_of_programs():
    """Within programs over NumPy, with the same array given twice."""
    x = rng.normal(size=3)
    f = from_torch(lambda x, y: torch.sin(x) * y)
    found = hessian(lambda x: np.sum(f(x, x) * np.exp(x)))(x)
    np.testing.assert_allclose(found, hessian(lambda x: np.sum(np.sin(x) * x * np.exp(x)))(x), rtol=1e-12)


def test_gradients_of_dataclasses():
    """Field by field; a name has none."""
    square = from_torch(lambda layer: (layer.weights**2).sum())
    found = grad(square)(Layer(np.array([1.0, 2.0]), "first"))
    assert found.weights.tolist() == [2.0, 4.0]


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_where_pytorch_does_not_record(mode):
    """It records what rules need nevertheless."""
    x = rng.normal(size=3)
    expected = grad(lambda x: np.sum(from_torch(NET)(x)))(x)
    with mode():
        np.testing.assert_array_equal(grad(lambda x: np.sum(from_torch(NET)(x)))(x), expected)


class Once(torch.autograd.Function):
    """A square that PyTorch can differentiate once."""

    @staticmethod
    def forward(ctx, x):
        """The square."""
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, y_bar):
        """Its derivative."""
        (x,) = ctx.saved_tensors
        return 2 * x * y_bar


def test_functions_that_can_be_differentiated_once():
    """More is an error, not the part of the derivative that is left."""
    f = from_torch(lambda x: (Once.apply(x) + x**3).sum())
    x = np.ones(2)
    assert grad(f)(x).tolist() == [5.0, 5.0]
    for derivative in (
        lambda: jvp(f, (x,), (x,)),
        lambda: hessian(f)(x),
        lambda: grad(lambda x: np.sum(grad(f)(x)))(x),
    ):
        with pytest.raises(AdapterError, match="once only"):
            derivative()


def test_parameters_that_were_changed():
    """PyTorch sees that, and says so."""
    layer = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Tanh(), torch.nn.Linear(2, 1)).double()
    y, pullback = vjp(from_torch(layer), np.ones(2))
    with torch.no_grad():
        layer[2].weight.mul_(2.0)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        pullback(np.ones_like(y))


def test_keywords():
    """Constants by keyword are as they are; those that are differentiated need a position."""
    power = from_torch(lambda x, p: (x**p).sum())
    assert grad(lambda x: power(x, p=3))(np.array([2.0])).tolist() == [12.0]
    np.testing.assert_allclose(grad(lambda p: power(np.array([2.0]), p=p))(3.0), 8.0 * np.log(2.0))
