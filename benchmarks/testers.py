"""Checking the gradient of a 5 x 5 Cholesky decomposition, beside the checkers of PyTorch and JAX."""

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.measure import Row, fastest_once
from chainrules_core import NoTangent, rrule, typeof_, unthunk
from chainrules_testutils import positive_definite, test_rrule

A = positive_definite(5, rng=0)
_FULL_AT_MOST = 3.0


def cholesky(A: Any) -> Any:
    """The Cholesky factor of the symmetric part of a matrix, as the peers take it."""
    return np.linalg.cholesky((A + A.T) / 2)


@rrule.dispatch
def cholesky_rrule(f: typeof_(cholesky), A: np.ndarray) -> Any:  # type: ignore[valid-type]  # a call
    """See I. Murray, Differentiation of the Cholesky decomposition, 2016, https://arxiv.org/abs/1602.07527."""
    L = f(A)

    def cholesky_pullback(L_bar: Any) -> Any:
        P = np.tril(L.T @ unthunk(L_bar))
        P[np.diag_indices_from(P)] /= 2
        L_inverse = np.linalg.inv(L)
        A_bar = L_inverse.T @ P @ L_inverse
        return NoTangent(), (A_bar + A_bar.T) / 2

    return L, cholesky_pullback


def rows() -> Iterator[Row]:
    """Both modes beside the slower of the peers that are installed."""
    checks: dict[str, Callable[[], Any]] = dict(peers())
    if not checks:
        return
    ours = {mode: lambda mode=mode: test_rrule(cholesky, A, mode=mode) for mode in ("fast", "full")}
    for check in (*checks.values(), *ours.values()):
        check()  # the first call compiles, and loads rules
    times = fastest_once(*((lambda check=check: check) for check in (*checks.values(), *ours.values())))
    by_name = dict(zip((*checks, *ours), times, strict=True))
    slower = max(checks, key=lambda name: by_name[name])
    for mode, target in (("fast", 1.0), ("full", _FULL_AT_MOST)):
        for peer in checks:
            ratio = by_name[mode] / by_name[peer]
            yield Row(
                f"test_rrule of a Cholesky, {mode} mode", peer, ratio, target if peer == slower else None
            )


def peers() -> Iterator[tuple[str, Callable[[], Any]]]:
    """The check of the same function by each peer that is installed."""
    if importlib.util.find_spec("torch"):
        yield "PyTorch's gradcheck", torch_check()
    if importlib.util.find_spec("jax"):
        yield "JAX's check_grads", jax_check()


def torch_check() -> Callable[[], Any]:
    """PyTorch's comparison of every element."""
    import torch

    matrix = torch.from_numpy(A).requires_grad_()

    def function(A: Any) -> Any:
        return torch.linalg.cholesky((A + A.T) / 2)

    return lambda: torch.autograd.gradcheck(function, (matrix,))


def jax_check() -> Callable[[], Any]:
    """JAX's comparison along a random direction, in reverse mode only."""
    import jax
    import jax.test_util

    jax.config.update("jax_enable_x64", True)
    matrix = jax.numpy.asarray(A)

    def function(A: Any) -> Any:
        return jax.numpy.linalg.cholesky((A + A.T) / 2)

    return lambda: jax.test_util.check_grads(function, (matrix,), order=1, modes=("rev",))
