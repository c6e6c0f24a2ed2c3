"""Functions adapted to autograd beside primitives that are written by hand, with the same derivative."""

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.measure import Row, fastest
from chainrules_core import rrule, unthunk

# A call of an adapted function looks for boxes, finds the rule, and sees that nothing shares memory: some ten
# microseconds, which the operations of small matrices do not take themselves. Beside primitives that call the
# same rule this is nearly all made up for: they call it once for each argument.
AT_MOST = 1.2


def by_the_rule(f: Callable[..., Any], place: int) -> Callable[..., Any]:
    """For `defvjp`: the derivative by one argument, by the rule of a function."""

    def made(y: Any, *args: Any) -> Callable[[Any], Any]:
        _, pullback = rrule(f, *args)
        return lambda y_bar: unthunk(pullback(y_bar)[1 + place])

    return made


def rows() -> Iterator[Row]:
    """Forward and backward of one call."""
    if importlib.util.find_spec("autograd") is None:
        return
    from autograd import make_vjp
    from autograd.extend import defvjp, primitive

    from chainrules.adapters import to_autograd

    def both_ways(f: Callable[..., Any], *args: Any) -> Callable[[], Any]:
        y_bar = np.ones_like(args[-1])
        differentiated = make_vjp(f, tuple(range(len(args))))
        return lambda: differentiated(*args)[0](y_bar)

    def solve(A: Any, b: Any) -> Any:
        return np.linalg.solve(A, b)

    def sin(x: Any) -> Any:
        return np.sin(x)

    by_rule, by_hand, sin_by_hand = primitive(solve), primitive(solve), primitive(sin)
    defvjp(by_rule, by_the_rule(np.linalg.solve, 0), by_the_rule(np.linalg.solve, 1))
    defvjp(
        by_hand,
        lambda x, A, b: lambda g: -np.outer(np.linalg.solve(A.T, g), x),
        lambda x, A, b: lambda g: np.linalg.solve(A.T, g),
    )
    defvjp(sin_by_hand, lambda y, x: lambda g: g * np.cos(x))

    for n, target in ((100, AT_MOST), (3, None)):
        A, b = np.eye(n) + 0.1 / n, np.linspace(1.0, 2.0, n)
        ours, rule, formula = (both_ways(f, A, b) for f in (to_autograd(np.linalg.solve), by_rule, by_hand))
        for found, *expected in zip(ours(), rule(), formula(), strict=True):
            np.testing.assert_allclose([found, found], expected)
        times = fastest(ours, rule, formula)
        what = f"a solution of {n} equations by to_autograd"
        yield Row(what, "defvjp of the same rule", times[0] / times[1], AT_MOST)
        yield Row(what, "defvjp of a formula", times[0] / times[2], target)
    x = np.linspace(0.0, 1.0, 10_000)
    times = fastest(both_ways(to_autograd(np.sin), x), both_ways(sin_by_hand, x))
    yield Row("sin of 10 000 numbers by to_autograd", "defvjp of a formula", times[0] / times[1], AT_MOST)
