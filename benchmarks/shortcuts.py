"""The cost of rules with their shortcuts, thunks included, beside that without, in their own processes."""

import json
import operator
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import chainrules  # noqa: F401 - whose rules are measured
from benchmarks.measure import Row, fastest, samples
from chainrules_core import NoTangent, frule, rrule, unthunk

_rng = np.random.default_rng(0)
_x, _y = _rng.uniform(-1.0, 1.0, 10), _rng.uniform(1.0, 2.0, 10)
_few, _many = _rng.uniform(-1.0, 1.0, 1000), _rng.uniform(-1.0, 1.0, 100_000)
_grid = np.linspace(-1.0, 1.0, 12).reshape(3, 4)
_small = np.linspace(1.0, 2.0, 9).reshape(3, 3) + np.eye(3)
_large = np.linspace(-1.0, 1.0, 10_000).reshape(100, 100) + 10 * np.eye(100)
_vector = np.linspace(-1.0, 1.0, 100)
_is_positive, _places = _x > 0, np.array([3, 1, 4])

# By the call: the function and its arguments.
REVERSE: dict[str, tuple[Any, ...]] = {
    "exp(x), 10 elements": (np.exp, _x),
    "exp(x), 100 000 elements": (np.exp, _many),
    "x + y, 1000 elements": (np.add, _few, _few),
    "x - y, 1000 elements": (np.subtract, _few, _few),
    "-x, 10 elements": (np.negative, _x),
    "x + 2.0, 10 elements": (np.add, _x, 2.0),
    "2.0 * x, 10 elements": (np.multiply, 2.0, _x),
    "2.0 * x, 100 000 elements": (np.multiply, 2.0, _many),
    "x * y, 1000 elements": (np.multiply, _few, _few),
    "A * x, matrix and vector": (np.multiply, _grid, _x[:4]),
    "x[3]": (operator.getitem, _x, 3),
    "sum(x), 10 elements": (np.sum, _x),
    "sum(A, axis=0), 12 elements": (np.sum, _grid, 0),
    "cumsum(x), 10 elements": (np.cumsum, _x),
    "prod(x), 10 elements": (np.prod, _x),
    "mean(x), 10 elements": (np.mean, _x),
    "var(x), 10 elements": (np.var, _x),
    "std(x), 10 elements": (np.std, _x),
    "max(x), 10 elements": (np.max, _x),
    "maximum(x, y), 1000 elements": (np.maximum, _few, -_few),
    "maximum(x, 0.0), 100 000 elements": (np.maximum, _many, 0.0),
    "clip(x, -0.5, 0.5), 1000 elements": (np.clip, _few, -0.5, 0.5),
    "where(c, x, y), 10 elements": (np.where, _is_positive, _x, _y),
    "sort(x), 10 elements": (np.sort, _x),
    "sort(x), 100 000 elements": (np.sort, _many),
    "diff(x), 10 elements": (np.diff, _x),
    "diff(x), 100 000 elements": (np.diff, _many),
    "interp(x, xp, fp), 10 elements": (np.interp, _x, np.arange(10.0), _y),
    "take(x, places), 10 elements": (np.take, _x, _places),
    "reshape(x, (2, -1)), 10 elements": (np.reshape, _x, (2, -1)),
    "ravel(A), 12 elements": (np.ravel, _grid),
    "flip(x), 10 elements": (np.flip, _x),
    "transpose(A), 12 elements": (np.transpose, _grid),
    "swapaxes(A, 0, 1), 12 elements": (np.swapaxes, _grid, 0, 1),
    "expand_dims(x, 0), 10 elements": (np.expand_dims, _x, 0),
    "squeeze(x), 10 elements": (np.squeeze, _x),
    "concatenate(x, y), 10 elements": (np.concatenate, [_x, _y]),
    "stack(x, y), 10 elements": (np.stack, [_x, _y]),
    "einsum(ij,j->i), 12 elements": (np.einsum, "ij,j->i", _grid, _x[:4]),
    "A @ x, 12 elements": (np.matmul, _grid, _x[:4]),
    "dot(A, B), 3 by 3": (np.dot, _small, _small),
    "inner(x, y), 10 elements": (np.inner, _x, _y),
    "outer(x, y), 10 elements": (np.outer, _x, _y),
    "trace(A), 3 by 3": (np.trace, _small),
    "norm(x), 10 elements": (np.linalg.norm, _x),
    "inv(A), 100 by 100": (np.linalg.inv, _large),
    "det(A), 100 by 100": (np.linalg.det, _large / 10),
    "solve(A, x), 100 by 100": (np.linalg.solve, _large, _vector),
}
FORWARD: dict[str, tuple[Any, ...]] = {
    "x + y, 10 elements": (np.add, _x, _y),
    "x * y, 1000 elements": (np.multiply, _few, _few),
    "x * y, 100 000 elements": (np.multiply, _many, _many),
    "sum(x), 10 elements": (np.sum, _x),
    "inv(A), 100 by 100": (np.linalg.inv, _large),
    "det(A), 100 by 100": (np.linalg.det, _large / 10),
    "slogdet(A), 100 by 100": (np.linalg.slogdet, _large),
    "solve(A, x), 100 by 100": (np.linalg.solve, _large, _vector),
}


def rows() -> Iterator[Row]:
    """One row for each call; without shortcuts it would be 1."""
    times = [(_times("1"), _times("0")) for _ in range(samples(2))]
    for what in times[0][0]:
        with_them, without = (min(by_way[way][what] for by_way in times) for way in (0, 1))
        yield Row(what, "without shortcut", with_them / without)


def _times(are_enabled: str) -> dict[str, float]:
    environment = {**os.environ, "CHAINRULES_SHORTCUTS": are_enabled}
    program = [sys.executable, "-m", "benchmarks.shortcuts"]
    finished = subprocess.run(program, env=environment, capture_output=True, text=True, check=True)
    times: dict[str, float] = json.loads(finished.stdout)
    return times


def _measured() -> dict[str, float]:
    """The time of each call, in this process."""
    calls: dict[str, Callable[[], Any]] = {}
    for what, call in REVERSE.items():
        calls[f"rrule: {what}"] = partial(_pulled, call, np.asarray(call[0](*call[1:]))[()])
    for what, call in FORWARD.items():
        calls[f"frule: {what}"] = partial(_pushed, call)
    return {what: fastest(call)[0] for what, call in calls.items()}


def _pulled(call: tuple[Any, ...], y_bar: Any) -> Any:
    _, pullback = rrule.unchecked(*call)
    return [unthunk(x_bar) for x_bar in pullback(y_bar)]


def _pushed(call: tuple[Any, ...]) -> Any:
    _, y_dot = frule.unchecked((NoTangent(), *call[1:]), *call)
    return unthunk(y_dot)


if __name__ == "__main__":
    print(json.dumps(_measured()))
