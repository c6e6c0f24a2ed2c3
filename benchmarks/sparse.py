"""Gradients through products of sparse matrices and vectors, beside the same written by hand."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from benchmarks.measure import Row, fastest
from chainrules.ad import grad

ROWS, PER_ROW = 200_000, 5
RNG = np.random.default_rng(0)
A = csr_array(
    (
        RNG.normal(size=ROWS * PER_ROW),
        np.sort(RNG.integers(0, ROWS // PER_ROW, (ROWS, PER_ROW)) * PER_ROW + np.arange(PER_ROW)).ravel(),
        np.arange(0, ROWS * PER_ROW + 1, PER_ROW),
    ),
    shape=(ROWS, ROWS),
)
X, B = RNG.normal(size=(2, ROWS))


def half_square(A: Any, x: Any) -> Any:
    """Half the square of the residual of a linear system."""
    residual = A @ x - B
    return 0.5 * np.sum(residual * residual)


def by_matrix(A: csr_array, x: np.ndarray) -> csr_array:
    """The gradient of `half_square` by the matrix."""
    residual = A @ x - B
    entries = np.repeat(residual, np.diff(A.indptr)) * x[A.indices]
    return csr_array((entries, A.indices.copy(), A.indptr.copy()), shape=A.shape)


def by_vector(A: csr_array, x: np.ndarray) -> np.ndarray:
    """The gradient of `half_square` by the vector."""
    return A.T @ (A @ x - B)


BY_HAND: dict[str, tuple[int, Callable[[Any, Any], Any]]] = {
    "matrix": (0, by_matrix),
    "vector": (1, by_vector),
}


def rows() -> Iterator[Row]:
    """The gradient by each factor."""
    for factor, (place, by_hand) in BY_HAND.items():
        ours = grad(half_square, place)
        difference = ours(A, X) - by_hand(A, X)
        assert abs(difference).max() < 1e-10
        our_time, hand_time = fastest(lambda ours=ours: ours(A, X), lambda by_hand=by_hand: by_hand(A, X))
        yield Row(
            f"gradient of |A x - b|², A sparse, by the {factor}", "written by hand", our_time / hand_time, 1.3
        )
