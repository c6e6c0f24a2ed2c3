"""Tests of flat functions as operators: the older of PyTorch's two ways to map over batches."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from chainrules.adapters.torch import operators, to_torch  # noqa: E402 - after the question for the framework

# PyTorch uses its own deprecated function when it first transforms something.
pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:DeprecationWarning")


def cubes(cube):
    """A function to a vector."""
    return lambda x: cube(x) * x.sum()


def test_batches_of_cotangents():
    """A Jacobian from one call of `grad`, and its derivative."""
    x = torch.tensor([0.5, 2.0], dtype=torch.float64, requires_grad=True)
    found = []
    for f in (cubes(to_torch(lambda x: x**3)), cubes(lambda x: x**3)):
        basis = torch.eye(2, dtype=torch.float64)
        (jacobian,) = torch.autograd.grad(f(x), x, basis, is_grads_batched=True, create_graph=True)
        found.append((jacobian.detach(), *torch.autograd.grad((jacobian**2).sum(), x)))
    torch.testing.assert_close(*found)


@pytest.mark.parametrize("strategy", ["reverse-mode", "forward-mode"])
def test_vectorized_jacobians(strategy):
    """PyTorch's own Jacobians and Hessians in batches."""
    x = torch.tensor([0.5, 2.0], dtype=torch.float64)
    ours, theirs = (
        torch.autograd.functional.jacobian(cubes(f), x, vectorize=True, strategy=strategy)
        for f in (to_torch(np.sinh), torch.sinh)
    )
    torch.testing.assert_close(ours, theirs)
    ours, theirs = (
        torch.autograd.functional.hessian(lambda x, f=f: cubes(f)(x).sum(), x, vectorize=True)
        for f in (to_torch(np.sinh), torch.sinh)
    )
    torch.testing.assert_close(ours, theirs)


def test_nothing_is_kept():
    """The table of running functions is empty when they have run, or raised."""

    def raises(*tensors):
        raise ValueError

    x = torch.ones(2)
    assert operators.run_as_operator(lambda x, y: (x + y, x), [x, x], 2)[0].tolist() == [2.0, 2.0]
    with pytest.raises(ValueError, match=r"^$"):
        operators.run_as_operator(raises, [x], 1)
    assert operators._running == {}
