"""Functions adapted to PyTorch beside `autograd.Function`s by hand, in the form that `torch.func` takes."""

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.measure import Row, fastest

AT_MOST = 1.5


def rows() -> Iterator[Row]:  # noqa: C901 - the classes by hand need PyTorch
    """Forward and backward of one call."""
    if importlib.util.find_spec("torch") is None:
        return
    import torch

    from chainrules.adapters import to_torch

    torch.set_num_threads(1)

    class Solve(torch.autograd.Function):
        """A solution of linear equations."""

        @staticmethod
        def forward(A: Any, b: Any) -> Any:
            return torch.from_numpy(np.linalg.solve(A.numpy(force=True), b.numpy(force=True)))

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.save_for_backward(inputs[0], output)

        @staticmethod
        def backward(ctx: Any, x_bar: Any) -> Any:
            A, x = (saved.numpy(force=True) for saved in ctx.saved_tensors)
            b_bar = np.linalg.solve(A.T, x_bar.numpy())
            return torch.from_numpy(-np.outer(b_bar, x)), torch.from_numpy(b_bar)

    class Sin(torch.autograd.Function):
        """The sine."""

        @staticmethod
        def forward(x: Any) -> Any:
            return torch.from_numpy(np.sin(x.numpy(force=True)))

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:  # noqa: ARG004 - its form
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx: Any, y_bar: Any) -> Any:
            (x,) = ctx.saved_tensors
            return torch.from_numpy(y_bar.numpy() * np.cos(x.numpy(force=True)))

    def both_ways(f: Callable[..., Any], *arrays: Any) -> Callable[[], Any]:
        tensors = [torch.tensor(x, requires_grad=True) for x in arrays]
        y_bar = torch.ones_like(tensors[-1])
        return lambda: torch.autograd.grad(f(*tensors), tensors, y_bar)

    def row(what: str, f: Any, by_hand: Any, *arrays: Any) -> Row:
        ours, theirs = both_ways(to_torch(f), *arrays), both_ways(by_hand.apply, *arrays)
        torch.testing.assert_close(ours(), theirs())
        times = fastest(ours, theirs)
        return Row(f"{what} by to_torch", "autograd.Function, by hand", times[0] / times[1], AT_MOST)

    for n in (3, 100):
        A, b = np.eye(n) + 0.1 / n, np.linspace(1.0, 2.0, n)
        yield row(f"a solution of {n} equations", np.linalg.solve, Solve, A, b)
    for n in (10, 100_000):
        yield row(f"sin of {n} numbers", np.sin, Sin, np.linspace(0.0, 1.0, n))
