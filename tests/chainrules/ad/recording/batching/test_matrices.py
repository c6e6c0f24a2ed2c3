"""Linear algebra of stacks, beside loops."""

import numpy as np
import pytest

from tests.chainrules.ad.recording.batching.loops import agrees_with_loop, check_gradients

A = np.random.default_rng(1).normal(size=(3, 4))
SQUARE = np.random.default_rng(2).normal(size=(4, 4)) + 4.0 * np.eye(4)
V = np.random.default_rng(3).normal(size=4)


MATRICES = [
    np.linalg.inv,
    np.linalg.det,
    lambda a: np.linalg.slogdet(a)[1],
    lambda a: np.linalg.cholesky(a @ a.T + np.eye(4)),
    lambda a: np.linalg.eigh(a + a.T).eigenvalues,
    lambda a: np.linalg.svd(a, compute_uv=False),
    lambda a: np.linalg.matrix_power(a, 3),
    lambda a: np.linalg.solve(a, V),
    lambda a: np.linalg.solve(a, A.T),
    lambda a: np.linalg.solve(SQUARE, a[0]),
    lambda a: np.linalg.solve(a, a[0]),
    lambda a: np.linalg.solve(np.stack([SQUARE, a]), a[0]),
    lambda a: np.linalg.solve(SQUARE, a),
]


@pytest.mark.every_case  # each form is one of its own
@pytest.mark.parametrize("f", MATRICES)
def test_matrices(f):
    """Linear algebra of stacks."""
    assert agrees_with_loop(lambda a: f(a + SQUARE), (4, 4)) == set()


def test_norms_that_run_item_by_item():
    """Those of more than two axes have none but that of all elements."""
    assert agrees_with_loop(lambda x: np.linalg.norm(x, keepdims=True), (2, 3, 4)) == {"norm"}


def test_triangular_solutions_of_stacks():
    """The pullback of a factor solves with it."""
    check_gradients(lambda a: np.linalg.cholesky(a @ a.T + 4.0 * np.eye(3)), (3, 3))
