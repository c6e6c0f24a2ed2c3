"""Functions adapted to PyTensor beside operations that are written by hand, with the same derivative."""

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.measure import Row, fastest

# An adapted function copies its arguments, finds the rule, and checks its results: some ten microseconds,
# which a product of small matrices does not take itself.
AT_MOST = 1.2


def rows() -> Iterator[Row]:
    """A compiled function that computes a value and its gradient."""
    if importlib.util.find_spec("pytensor") is None:
        return
    import pytensor
    import pytensor.tensor as pt
    from pytensor.compile.mode import Mode
    from pytensor.graph import Apply, Op

    from chainrules.adapters.pytensor import to_pytensor

    class Solve(Op):
        __props__ = ()

        def make_node(self, A: Any, b: Any) -> Any:
            return Apply(self, [A, b], [b.type()])

        def perform(self, node: Any, inputs: Any, outputs: Any) -> None:
            outputs[0][0] = np.linalg.solve(*inputs)

        def pullback(self, inputs: Any, outputs: Any, cotangents: Any) -> Any:
            return SolvePullback()(*inputs, *cotangents, return_list=True)

        L_op = pullback  # the name in PyTensor 2

    class SolvePullback(Op):
        __props__ = ()

        def make_node(self, A: Any, b: Any, x_bar: Any) -> Any:
            return Apply(self, [A, b, x_bar], [A.type(), b.type()])

        def perform(self, node: Any, inputs: Any, outputs: Any) -> None:
            A, b, x_bar = inputs
            x = np.linalg.solve(A, b)
            b_bar = np.linalg.solve(A.T, x_bar)
            outputs[0][0], outputs[1][0] = -np.outer(b_bar, x), b_bar

    def value_and_gradient(solve: Callable[..., Any], *arrays: Any) -> Callable[[], Any]:
        A, b = pt.dmatrix("A"), pt.dvector("b")
        loss = pt.sum(solve(A, b))
        outputs = [loss, *pytensor.grad(loss, [A, b])]
        function = pytensor.function([A, b], outputs, mode=Mode("py", "fast_run"))
        return lambda: function(*arrays)

    for n, target in ((100, AT_MOST), (3, None)):
        A, b = np.eye(n) + 0.1 / n, np.linspace(1.0, 2.0, n)
        ours, by_hand = (
            value_and_gradient(to_pytensor(np.linalg.solve), A, b),
            value_and_gradient(Solve(), A, b),
        )
        for found, expected in zip(ours(), by_hand(), strict=True):
            np.testing.assert_allclose(found, expected)
        times = fastest(ours, by_hand)
        yield Row(
            f"value and gradient of {n} equations by to_pytensor",
            "an Op by hand",
            times[0] / times[1],
            target,
        )
