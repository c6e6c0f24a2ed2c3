"""Fit a logistic regression to an array of four times the memory of a worker.

Whether each of 320 000 visitors of a page clicks is to be predicted from 400 measurements. The loss is
written once, in plain NumPy. Given arrays of Dask, `value_and_grad` computes nothing: it adds the tasks of
the gradient to those of the value, chunk by chunk, and the workers of a cluster then make both in one pass
over the data, while each holds a few chunks. So what fits into their memory does not limit the data, and
the same lines run on a cluster of many machines: only `Client(...)` differs.

The data are drawn at random, chunk by chunk, whenever they are needed, as one would read them from files.

Run it with ``python examples/larger_than_memory.py [steps]``.
"""

import sys
import time

import dask.array as da
import numpy as np
from distributed import Client, LocalCluster, progress
from scipy.optimize import minimize

from chainrules.ad import value_and_grad

WORKERS = 2
MEMORY = 256_000_000  # bytes, of each worker: half of them are for Python, NumPy and Dask
FEATURES = 400
ROWS = 4 * MEMORY // (8 * FEATURES)
ROWS_OF_CHUNK = 2_500  # 8 MB
STEPS = 4

# Some rows, for which the same is done in memory.
FEW_ROWS = 5_000


# --- The data ------------------------------------------------------------------------------------


def true_weights():
    """Draw the weights that the clicks are drawn with."""
    return np.random.default_rng(7).normal(size=FEATURES) / 5


def measurements(block_info=None):
    """Draw one chunk of the measurements; the same numbers each time that it is asked for."""
    (start, stop), _ = block_info[None]["array-location"]
    return np.random.default_rng(start).random((stop - start, FEATURES)) - 0.5


def clicks(X, w, block_info=None):
    """Draw whether the visitors of a chunk click."""
    (start, stop), _ = block_info[0]["array-location"]
    chance = 1 / (1 + np.exp(-(X @ w)))
    return (np.random.default_rng([start, 1]).random(stop - start) < chance).astype(float)


def load_data():
    """Describe all data, without computing any: arrays of shapes (ROWS, FEATURES) and (ROWS,)."""
    chunks = da.core.normalize_chunks((ROWS_OF_CHUNK, FEATURES), (ROWS, FEATURES))
    X = da.map_blocks(measurements, chunks=chunks, dtype=float, meta=np.empty((0, 0)))
    y = da.map_blocks(clicks, X, true_weights(), drop_axis=1, dtype=float, meta=np.empty(0))
    return X, y


# --- The model -----------------------------------------------------------------------------------


def loss(w, X, y):
    """How surprising the clicks are, on average, with a small penalty on large weights."""
    z = X @ w
    return np.mean(np.logaddexp(0.0, z) - y * z) + 1e-4 * np.sum(w**2)


def on_cluster(client, X, y):
    """The loss and its gradient as a function of the weights, computed by the workers in one pass."""

    def value_and_gradient(w):
        lazy = value_and_grad(loss)(w, X, y)
        futures = client.compute(lazy)
        progress(futures, notebook=False)
        value, gradient = client.gather(futures)
        return float(value), gradient

    return value_and_gradient


def in_memory(X, y):
    """The same for NumPy's arrays."""
    return lambda w: value_and_grad(loss)(w, X, y)


def fit(value_and_gradient, steps):
    """The weights after some steps of a quasi-Newton method."""
    options = {"maxiter": steps}
    return minimize(value_and_gradient, np.zeros(FEATURES), jac=True, method="L-BFGS-B", options=options)


# --- The program ---------------------------------------------------------------------------------


def main(steps=STEPS):
    """Fit all data on the cluster, and a few rows there and in memory."""
    X, y = load_data()
    cluster = LocalCluster(
        n_workers=WORKERS, threads_per_worker=1, memory_limit=MEMORY, dashboard_address=None, processes=True
    )
    with cluster, Client(cluster) as client:
        limits = [
            worker["memory_limit"] for worker in client.scheduler_info(n_workers=-1)["workers"].values()
        ]
        print(f"{X.nbytes / 1e6:.0f} MB of data, {len(limits)} workers with {limits[0] / 1e6:.0f} MB each")

        few = X[:FEW_ROWS], y[:FEW_ROWS]
        there = fit(on_cluster(client, *few), steps).x
        here = fit(in_memory(*client.gather(client.compute(few))), steps).x
        difference = np.max(np.abs(there - here))
        print(f"\n{FEW_ROWS} rows: on the cluster and by NumPy weights differ by {difference:.1e}")

        began = time.perf_counter()
        fitted = fit(on_cluster(client, X, y), steps)
        seconds = (time.perf_counter() - began) / fitted.nfev
        correlation = np.corrcoef(fitted.x, true_weights())[0, 1]
        print(f"\nall {ROWS} rows: loss {fitted.fun:.4f}, {np.log(2):.4f} before")
        print(f"correlation with the true weights {correlation:.3f}")
        print(f"{seconds:.1f} s for each of {fitted.nfev} gradients")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
