"""Gradients of programs over Dask's arrays: what they cost for each chunk, and beside the same by hand."""

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.measure import Row, fastest
from chainrules.ad import value_and_grad

FEATURES, ROWS_OF_CHUNK = 20, 1000
FEW, MANY = 50, 400  # chunks
W = np.random.default_rng(0).normal(size=FEATURES)


def loss(w: Any, X: Any, y: Any) -> Any:
    """The loss of a logistic regression."""
    z = X @ w
    return np.mean(np.logaddexp(0.0, z) - y * z)


def by_hand(w: Any, X: Any, y: Any) -> tuple[Any, Any]:
    """`loss` and its gradient by `w`."""
    z = X @ w
    residual = (1.0 / (1.0 + np.exp(-z)) - y) / len(z)
    return np.mean(np.logaddexp(0.0, z) - y * z), X.T @ residual


def data(chunks: int) -> tuple[Any, Any]:
    """Measurements and clicks, which are drawn when they are computed."""
    import dask.array

    rng = dask.array.random.default_rng(0)
    X = rng.normal(size=(chunks * ROWS_OF_CHUNK, FEATURES), chunks=(ROWS_OF_CHUNK, FEATURES))
    return X, (rng.random(len(X), chunks=ROWS_OF_CHUNK) < 0.5).astype(float)


def computed(value_and_gradient: Callable[..., Any], X: Any, y: Any) -> Callable[[], Any]:
    """A call that builds the graph, and computes it in this thread."""
    import dask

    return lambda: dask.compute(*value_and_gradient(W, X, y), scheduler="synchronous")


def rows() -> Iterator[Row]:
    """The graph, its computation, and how both grow with the number of chunks."""
    if not importlib.util.find_spec("dask"):
        return
    gradient = value_and_grad(loss)
    few, many = data(FEW), data(MANY)
    assert np.allclose(computed(gradient, *few)()[1], computed(by_hand, *few)()[1])
    tasks = [len(gradient(W, *arrays)[1].__dask_graph__()) for arrays in (few, many)]
    yield Row(
        f"tasks of a gradient for each chunk, {MANY} chunks",
        f"{FEW} chunks",
        tasks[1] / tasks[0] * FEW / MANY,
        1.1,
    )
    building = fastest(lambda: gradient(W, *few), lambda: gradient(W, *many), lambda: by_hand(W, *many))
    yield Row(f"building that graph, {MANY} chunks", f"{FEW} chunks", building[1] / building[0], MANY / FEW)
    yield Row("building that graph", "written by hand", building[1] / building[2], 4.0)
    computing = fastest(computed(gradient, *few), computed(gradient, *many), computed(by_hand, *many))
    yield Row(
        f"value and gradient for each chunk, {MANY} chunks",
        f"{FEW} chunks",
        computing[1] / computing[0] * FEW / MANY,
        1.3,
    )
    yield Row("value and gradient", "written by hand", computing[1] / computing[2], 1.8)
