"""Gradients of programs with structured arrays, beside the same programs without."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.measure import Row, fastest
from chainrules.ad import grad
from chainrules_core.structured import Diagonal

TARGET = 3.0
N = 10**6


def by_diagonal(d: Any, x: Any) -> Any:
    """With a diagonal matrix."""
    return np.sum(np.log(Diagonal(d) @ x))


def by_matrix(D: Any, x: Any) -> Any:
    """By a diagonal matrix."""
    return np.sum(np.log(D @ x))


def elementwise(d: Any, x: Any) -> Any:
    """The same without a matrix."""
    return np.sum(np.log(d * x))


def rows() -> Iterator[Row]:
    """A million rows: the gradient by the diagonal, and by the matrix."""
    rng = np.random.default_rng(0)
    d, x = rng.uniform(0.5, 2.0, N), rng.uniform(0.5, 2.0, N)
    D = Diagonal(d)
    expected, actual = grad(elementwise)(d, x), grad(by_diagonal)(d, x)
    np.testing.assert_allclose(actual, expected)
    plain, diagonal, matrix = fastest(
        lambda: grad(elementwise)(d, x), lambda: grad(by_diagonal)(d, x), lambda: grad(by_matrix)(D, x)
    )
    against = "elementwise, by the same AD"
    yield Row("gradient of sum(log(Diagonal(d) @ x)) by d, 10^6 rows", against, diagonal / plain, TARGET)
    yield Row("gradient of sum(log(D @ x)) by the matrix D, 10^6 rows", against, matrix / plain, TARGET)
