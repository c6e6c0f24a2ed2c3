"""Values for arguments of which only shape and dtype are known, to see what a function returns for them."""

import contextlib
from typing import Any

import jax
import numpy as np

from chainrules.adapters.jax.arrays import numpy_array


def example_array(x: Any) -> Any:
    """An array like one that JAX traces, with made-up numbers; one with numbers as it is.

    The numbers are random, between one and two, and integers are zeros. The last two axes of a square array
    are those of symmetric positive definite matrices, so that factorizations and solvers accept them.
    """
    if not isinstance(x, jax.core.Tracer):
        return numpy_array(x)
    rng = np.random.default_rng(0)
    if x.dtype.kind not in "fc":
        return np.zeros(x.shape, x.dtype)[()]
    numbers = rng.uniform(1.0, 2.0, x.shape)
    if len(x.shape) >= 2 and x.shape[-1] == x.shape[-2]:
        numbers = numbers + np.swapaxes(numbers, -1, -2) + 4 * x.shape[-1] * np.eye(x.shape[-1])
    return numbers.astype(x.dtype)[()]
