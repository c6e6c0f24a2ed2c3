"""Matrices that several operations factor are factored once, and nothing else differs."""

import numpy as np
import pytest

from chainrules.ad import grad, hvp, value_and_grad
from chainrules.ad.recording import factored
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.variant import make_variant
from tests.chainrules.ad.recording.agreement import agrees

RNG = np.random.default_rng(0)
A, B, C = RNG.normal(size=(4, 4)), RNG.normal(size=(4, 3)), RNG.normal(size=4)
SYMMETRIC = A + A.T
COMPLEX = A + 1j * RNG.normal(size=(4, 4))
NAN = np.where(np.eye(4) > 0.0, np.nan, A)


@pytest.fixture(autouse=True)
def no_matrix_is_small(monkeypatch):
    """Matrices of any size are factored."""
    monkeypatch.setattr(factored, "COLUMNS", 1)


def gaussian_process(K):
    """The logarithm of a density."""
    return C @ np.linalg.solve(K, C) + np.linalg.slogdet(K)[1]


def solved_twice(K):
    """One matrix, and its transpose; vectors and columns."""
    return np.linalg.solve(K, C), np.linalg.solve(K.T, B), np.linalg.solve(np.swapaxes(K, 0, -1), C)


def solved_by_adjoint(K):
    """Of complex matrices transposes are not adjoints."""
    b = C.astype(K.dtype)
    adjoint, conjugate = np.conjugate(K.T), np.conjugate(K)
    return [np.linalg.solve(M, b) for M in (K, adjoint, conjugate, K.T, K, adjoint, conjugate, K.T)]


def inverted(K):
    """Inverses that are returned are two."""
    return np.linalg.inv(K), np.linalg.slogdet(K)[0], np.linalg.inv(K) @ K, np.linalg.slogdet(K).logabsdet


def written(K):
    """What is factored changes, and so does a solution."""
    M = K * 1.0
    x = np.linalg.solve(M, C)
    M[0, 0] += 1.0
    y = np.linalg.solve(M, C)
    M += y
    y[0] = 7.0
    return x, y, np.linalg.inv(M), np.linalg.solve(K, x)


def reused(K):
    """The memory of a matrix is free once it was read last."""
    M = K + 1.0
    x = np.linalg.inv(M)
    y = np.linalg.solve(M, C)
    M = M * 2.0
    return x, y, M, np.linalg.inv(M) @ np.linalg.inv(M)


def of_other_kinds(K):
    """Stacks, other precisions, and nothing to solve."""
    M = K * 1.0
    stack = np.stack([M, 2.0 * M])
    return (
        np.linalg.solve(M, 1j * C),
        np.linalg.solve(M, B),
        np.linalg.inv(stack) + np.linalg.inv(stack),
        np.linalg.solve(stack, B),
        np.linalg.solve(M, B[:, :0]),
        np.linalg.solve(M, C.astype(np.float32)),
    )


POINTS = [(A,), (SYMMETRIC,), (3.0 * A.T,), (-A,), (A[::-1, ::-1],)]


@pytest.mark.parametrize("f", [solved_twice, solved_by_adjoint, inverted, written, reused, of_other_kinds])
def test_functions(f):
    """The same, at regular, singular and undefined matrices, in all precisions."""
    x = A.copy()
    agrees(f, POINTS)
    agrees(f, [(A.astype(np.float32),), (B[:, :1] @ C[None],)])
    agrees(f, [(COMPLEX,), (COMPLEX.T.copy(),), (COMPLEX.astype(np.complex64),)])
    agrees(f, [(A,), (NAN,), (np.zeros((4, 4)),), (np.inf * A,), (1e200 * A,)], strict=False)
    np.testing.assert_array_equal(A, x)


@pytest.mark.parametrize("f", [gaussian_process, lambda K: np.sum(np.linalg.inv(K) @ B)])
def test_derivatives(f):
    """Of both orders."""
    agrees(value_and_grad(f), POINTS)
    agrees(lambda K: hvp(f, (K,), (B @ B.T,)), POINTS)
    agrees(grad(f), [(A,), (NAN,), (np.zeros((4, 4)),)], strict=False)


def test_donated():
    """The memory of an argument."""
    f = grad(gaussian_process)
    c = compiled(f, donate=True)
    for K, _ in zip((A, 2.0 * A, -A), range(3), strict=True):
        np.testing.assert_allclose(c(K.copy()), f(K), rtol=1e-12)


def test_text(monkeypatch):
    """One factorization, from so many columns on."""
    source = make_variant(grad(gaussian_process), (A,), {}).source
    assert source.count("= LU(") == 1
    assert "= np.linalg" not in source
    assert "by_adjoint=True" in source
    assert "LU(" not in make_variant(np.linalg.inv, (A,), {}).source  # which is as quick by itself
    twice = lambda K: np.linalg.slogdet(K)[1] + np.linalg.slogdet(K)[0]  # noqa: E731 - as users write it
    assert "LU(" not in make_variant(twice, (A,), {}).source  # no error where it is singular
    assert "LU(" not in make_variant(grad(gaussian_process), (A,), {}, is_alone=True).source
    monkeypatch.undo()
    assert "LU(" not in make_variant(grad(gaussian_process), (A,), {}).source
