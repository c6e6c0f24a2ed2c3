"""Functions adapted to autograd beside primitives that are written by hand, with the same derivative."""

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.measure import Row, fastest

# A call of an adapted function looks for boxes, finds the rule, and sees that nothing shares memory: some ten
# microseconds, which a product of small matrices does not take itself.
AT_MOST = 1.2


def rows() -> Iterator[Row]:
    """Forward and backward of one call."""
    if importlib.util.find_spec("autograd") is None:
        return
    from autograd import make_vjp
    from autograd.extend import defvjp, primitive

    from chainrules.adapters import to_autograd

    solve, sin = primitive(lambda A, b: np.linalg.solve(A, b)), primitive(lambda x: np.sin(x))  # noqa: PLW0108
    defvjp(
        solve,
        lambda x, A, b: lambda g: -np.outer(np.linalg.solve(A.T, g), x),
        lambda x, A, b: lambda g: np.linalg.solve(A.T, g),
    )
    defvjp(sin, lambda y, x: lambda g: g * np.cos(x))

    def both_ways(f: Callable[..., Any], *args: Any) -> Callable[[], Any]:
        y_bar = np.ones_like(args[-1])
        differentiated = make_vjp(f, tuple(range(len(args))))
        return lambda: differentiated(*args)[0](y_bar)

    for n, target in ((100, AT_MOST), (3, None)):
        A, b = np.eye(n) + 0.1 / n, np.linspace(1.0, 2.0, n)
        ours, by_hand = both_ways(to_autograd(np.linalg.solve), A, b), both_ways(solve, A, b)
        for found, expected in zip(ours(), by_hand(), strict=True):
            np.testing.assert_allclose(found, expected)
        times = fastest(ours, by_hand)
        yield Row(
            f"a solution of {n} equations by to_autograd", "defvjp, by hand", times[0] / times[1], target
        )
    x = np.linspace(0.0, 1.0, 10_000)
    times = fastest(both_ways(to_autograd(np.sin), x), both_ways(sin, x))
    yield Row("sin of 10 000 numbers by to_autograd", "defvjp, by hand", times[0] / times[1], AT_MOST)
