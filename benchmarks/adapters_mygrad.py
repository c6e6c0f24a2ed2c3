"""Functions adapted to mygrad beside operations that are written by hand, with the same derivative."""

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.measure import Row, fastest


def rows() -> Iterator[Row]:
    """Forward and backward of one call."""
    if importlib.util.find_spec("mygrad") is None:
        return
    import mygrad
    from mygrad.operation_base import Operation

    from chainrules.adapters import to_mygrad

    class Solve(Operation):
        """As somebody writes it who needs it once."""

        def __call__(self, A: Any, b: Any) -> Any:
            self.variables = A, b
            self.x = np.linalg.solve(A.data, b.data)
            return self.x

        def backward_var(self, grad: Any, index: int, **kwargs: Any) -> Any:
            b_bar = np.linalg.solve(self.variables[0].data.T, grad)
            return b_bar if index else -np.outer(b_bar, self.x)

    def by_hand(A: Any, b: Any) -> Any:
        return mygrad.execute_op(Solve, A, b)

    def both_ways(f: Callable[..., Any], *arrays: Any) -> Callable[[], Any]:
        tensors = [mygrad.tensor(array) for array in arrays]

        def run() -> Any:
            f(*tensors).backward()
            return [tensor.grad for tensor in tensors]

        return run

    for n, target in ((100, 1.2), (3, None)):
        A, b = np.eye(n) + 0.1 / n, np.linspace(1.0, 2.0, n)
        ours, theirs = both_ways(to_mygrad(np.linalg.solve), A, b), both_ways(by_hand, A, b)
        for found, expected in zip(ours(), theirs(), strict=True):
            np.testing.assert_allclose(found, expected)
        times = fastest(ours, theirs)
        yield Row(
            f"a solution of {n} equations by to_mygrad", "an operation, by hand", times[0] / times[1], target
        )
