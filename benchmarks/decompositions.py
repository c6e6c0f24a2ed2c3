"""Gradients through decompositions, solutions and contractions, beside other AD systems where installed."""

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.measure import Row, fastest
from chainrules.ad import grad

SIZES = (20, 200)
TARGET = 1.0

# A function of a matrix and of constant weights, in the NumPy of any AD system.
Program = Callable[[Any, Any, Any], Any]


def through_svd(np: Any, A: Any, W: Any) -> Any:
    """Depends on the singular vectors, but not on their signs."""
    U, s, Vh = np.linalg.svd(A, full_matrices=False)
    return np.sum(W * ((U * np.exp(-s)) @ Vh))


def through_eigh(np: Any, A: Any, W: Any) -> Any:
    """Depends on the eigenvectors, but not on their signs."""
    w, V = np.linalg.eigh(A)
    return np.sum(W * ((V * np.exp(-w)) @ V.T))


def through_cholesky(np: Any, A: Any, W: Any) -> Any:
    return np.sum(W * np.linalg.cholesky(A))


def through_solve(np: Any, A: Any, W: Any) -> Any:
    return np.sum(np.linalg.solve(A, W))


def through_einsum(np: Any, A: Any, W: Any) -> Any:
    return np.sum(np.einsum("ij,kj,ik->i", A, W, A))


PROGRAMS: dict[str, Program] = {
    "svd": through_svd,
    "eigh": through_eigh,
    "cholesky": through_cholesky,
    "solve": through_solve,
    "einsum": through_einsum,
}


def rows() -> Iterator[Row]:
    """Each program for small and for large matrices, beside each peer."""
    for name, program in PROGRAMS.items():
        for n in SIZES:
            A, W = matrices(n)
            for peer, gradient in peers(program, W):
                assert_alike(our_gradient(program, A, W), gradient(A))
                ours, theirs = fastest(
                    lambda program=program, A=A, W=W: our_gradient(program, A, W),
                    lambda gradient=gradient, A=A: gradient(A),
                )
                yield Row(f"gradient through {name}, {n} x {n}", peer, ours / theirs, TARGET)


def matrices(n: int) -> tuple[Any, Any]:
    """A positive definite matrix whose eigenvalues are apart, and weights."""
    rng = np.random.default_rng(n)
    Q, _ = np.linalg.qr(rng.normal(size=(n, n)))
    return (Q * np.linspace(0.5, 3.0, n)) @ Q.T, rng.normal(size=(n, n))


def our_gradient(program: Program, A: Any, W: Any) -> Any:
    """The gradient by `chainrules.ad`."""
    return grad(lambda A: program(np, A, W))(A)


def assert_alike(actual: Any, expected: Any) -> None:
    """Compare for symmetric changes: not all systems read the same triangle of a symmetric matrix."""
    np.testing.assert_allclose(actual + actual.T, expected + expected.T, rtol=1e-6, atol=1e-8)


def peers(program: Program, W: Any) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """The gradient of a program by each peer that is installed, from and to NumPy arrays."""
    if importlib.util.find_spec("autograd"):
        yield "autograd", autograd_gradient(program, W)
    if importlib.util.find_spec("torch"):
        yield "PyTorch", torch_gradient(program, W)


def autograd_gradient(program: Program, W: Any) -> Callable[[Any], Any]:
    import autograd
    import autograd.numpy

    def gradient(A: Any) -> Any:
        return autograd.grad(lambda A: program(autograd.numpy, A, W))(A)

    return gradient


def torch_gradient(program: Program, W: Any) -> Callable[[Any], Any]:
    import torch

    torch.set_num_threads(1)
    weights = torch.from_numpy(W)

    def gradient(A: Any) -> Any:
        leaf = torch.from_numpy(A).requires_grad_()
        program(torch, leaf, weights).backward()
        return leaf.grad.numpy()

    return gradient
