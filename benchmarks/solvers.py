"""Gradients through SciPy's solvers, beside those by hand and by other AD systems, and the solution alone."""

import functools
import importlib.util
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import quad, solve_bvp
from scipy.linalg import cho_solve, cholesky, lu_factor, lu_solve, solve, solve_banded, solve_triangular
from scipy.optimize import minimize
from scipy.sparse import csc_array, diags_array
from scipy.sparse.linalg import spsolve

from benchmarks.measure import Row, fastest, fastest_once
from chainrules.ad import grad, hvp, value_and_grad

N = 200
ABOVE = BELOW = 3  # diagonals of the banded matrix
SIDE = 316  # of a square mesh with about 10⁵ nodes

RNG = np.random.default_rng(0)
MATRIX = RNG.normal(size=(N, N)) / np.sqrt(N) + 3.0 * np.eye(N)
B, WEIGHTS = RNG.normal(size=(2, N))

# The gradient by a matrix and a right side, from and to NumPy arrays.
Gradient = Callable[[Any, Any], Any]


class Solver(NamedTuple):
    """A solver of SciPy, an argument for it, and its gradients by hand and by others where these have it."""

    name: str
    solution: Callable[[Any, Any], Any]
    A: Any
    by_hand: Gradient
    by_jax: Callable[[Any, Any], Any] | None = None
    by_torch: Callable[[Any, Any], Any] | None = None


# --- By hand: the value is computed as well, as `grad` does -------------------------------------------------


def solve_by_hand(A: Any, b: Any) -> Any:
    factors = lu_factor(A)
    x = lu_solve(factors, b)
    np.sum(WEIGHTS * x)
    b_bar = lu_solve(factors, WEIGHTS, trans=1)
    return -np.outer(b_bar, x), b_bar


def cho_solve_by_hand(c: Any, b: Any) -> Any:
    x = cho_solve((c, False), b)
    np.sum(WEIGHTS * x)
    b_bar = cho_solve((c, False), WEIGHTS)
    c_bar = -np.outer(c @ b_bar, x) - np.outer(c @ x, b_bar)
    return np.triu(c_bar), b_bar


def solve_triangular_by_hand(A: Any, b: Any) -> Any:
    x = solve_triangular(A, b, lower=True)
    np.sum(WEIGHTS * x)
    b_bar = solve_triangular(A, WEIGHTS, lower=True, trans=1)
    return np.tril(-np.outer(b_bar, x)), b_bar


def solve_banded_by_hand(ab: Any, b: Any) -> Any:
    x = solve_banded((BELOW, ABOVE), ab, b)
    np.sum(WEIGHTS * x)
    transposed = np.zeros((BELOW + ABOVE + 1, N))
    for k in range(-BELOW, ABOVE + 1):  # the diagonal k, where j - i = k
        row = ab[ABOVE - k]
        transposed[BELOW + k, max(-k, 0) : N - max(k, 0)] = row[max(k, 0) : N - max(-k, 0)]
    b_bar = solve_banded((ABOVE, BELOW), transposed, WEIGHTS)
    ab_bar = np.zeros_like(ab)
    for k in range(-BELOW, ABOVE + 1):
        columns = slice(max(k, 0), N - max(-k, 0))
        ab_bar[ABOVE - k, columns] = -b_bar[max(-k, 0) : N - max(k, 0)] * x[columns]
    return ab_bar, b_bar


SOLVERS = (
    Solver(
        "solve",
        solve,
        MATRIX,
        solve_by_hand,
        lambda jax, A, b: jax.scipy.linalg.solve(A, b),
        lambda torch, A, b: torch.linalg.solve(A, b),
    ),
    Solver(
        "cho_solve",
        lambda c, b: cho_solve((c, False), b),
        cholesky(MATRIX @ MATRIX.T),
        cho_solve_by_hand,
        lambda jax, c, b: jax.scipy.linalg.cho_solve((c, False), b),
        lambda torch, c, b: torch.cholesky_solve(b[:, None], torch.triu(c), upper=True)[:, 0],
    ),
    Solver(
        "solve_triangular",
        lambda A, b: solve_triangular(A, b, lower=True),
        np.tril(MATRIX),
        solve_triangular_by_hand,
        lambda jax, A, b: jax.scipy.linalg.solve_triangular(A, b, lower=True),
        lambda torch, A, b: torch.linalg.solve_triangular(A, b[:, None], upper=False)[:, 0],
    ),
    Solver(
        "solve_banded",
        lambda ab, b: solve_banded((BELOW, ABOVE), ab, b),
        RNG.normal(size=(BELOW + ABOVE + 1, N)) + 8.0 * (np.arange(-ABOVE, BELOW + 1) == 0)[:, None],
        solve_banded_by_hand,
    ),
)


# --- The rows -----------------------------------------------------------------------------------------------


def rows() -> Iterator[Row]:
    """Each dense solver, and the sparse one."""
    for solver in SOLVERS:
        yield from _rows_of(solver)
    yield _row_of_spsolve()
    yield from _rows_of_quad()
    yield _row_of_solve_bvp()
    yield from _rows_of_minimize()


def _rows_of(solver: Solver) -> Iterator[Row]:
    ours = grad(lambda A, b: np.sum(WEIGHTS * solver.solution(A, b)), argnums=(0, 1))
    others = {"written by hand": solver.by_hand}
    if solver.by_jax is not None and importlib.util.find_spec("jax"):
        others["JAX with jit"] = _jax_gradient(solver.by_jax)
    if solver.by_torch is not None and importlib.util.find_spec("torch"):
        others["PyTorch"] = _torch_gradient(solver.by_torch)
    for other in others.values():
        for one, another in zip(ours(solver.A, B), other(solver.A, B), strict=True):
            np.testing.assert_allclose(one, another, rtol=1e-7, atol=1e-9)
    calls = [lambda gradient=gradient: gradient(solver.A, B) for gradient in (ours, *others.values())]
    our_time, *times = fastest(*calls)
    for name, time in zip(others, times, strict=True):
        target = None if name == "written by hand" else 1.0
        yield Row(f"gradient through {solver.name}, n = {N}", name, our_time / time, target)


def _row_of_spsolve() -> Row:
    A, b = mesh(SIDE), np.ones(SIDE * SIDE)
    ours = grad(lambda A, b: np.sum(spsolve(A, b) ** 2), argnums=(0, 1))
    x = spsolve(A, b)
    A_bar, b_bar = ours(A, b)
    np.testing.assert_allclose(b_bar, spsolve(A.T.tocsc(), 2.0 * x), rtol=1e-7)
    rows, columns = A_bar.nonzero()
    np.testing.assert_allclose(A_bar[rows, columns], -b_bar[rows] * x[columns], rtol=1e-7)
    our_time, alone = fastest_once(lambda: lambda: ours(A, b), lambda: lambda: spsolve(A, b))
    return Row(f"gradient through spsolve, n = {SIDE * SIDE}", "the solution alone", our_time / alone, 2.5)


def _rows_of_quad() -> Iterator[Row]:
    """An integrand of one operation, which takes less time than any record of it, and one of many numbers."""
    data = np.abs(WEIGHTS.repeat(500))
    for name, integrand in (
        ("one number", lambda t, p: np.exp(-p * t)),
        (f"{len(data)} numbers", lambda t, p: np.sum(np.exp(-p * t * data))),
    ):

        def area(p: float, integrand: Callable[[Any, Any], Any] = integrand) -> Any:
            return quad(integrand, 0.0, 1.0, args=(p,))[0]

        ours = grad(area)
        np.testing.assert_allclose(ours(0.7), (area(0.7001) - area(0.6999)) / 2e-4, rtol=1e-5)
        our_time, alone = fastest(functools.partial(ours, 0.7), functools.partial(area, 0.7))
        yield Row(f"gradient through quad, {name}", "the integral alone", our_time / alone, None)


def _row_of_solve_bvp() -> Row:
    """A rod that heats itself, by how much: a mesh of 21 nodes at the end."""
    nodes = np.linspace(0.0, 1.0, 11)

    def found(rate: float) -> Any:
        def slopes(t: Any, y: Any) -> Any:
            return np.stack([y[1], -np.exp(rate * y[0])])

        start = np.zeros((2, len(nodes)))
        return solve_bvp(slopes, lambda a, b: np.stack([a[0], b[0]]), nodes, start, tol=1e-6).y

    ours = grad(lambda rate: np.sum(found(rate) ** 2))
    np.testing.assert_allclose(ours(0.9), np.sum(found(0.9001) ** 2 - found(0.8999) ** 2) / 2e-4, rtol=1e-5)
    our_time, alone = fastest(functools.partial(ours, 0.9), functools.partial(found, 0.9))
    return Row("gradient through solve_bvp, 2 unknowns", "the solution alone", our_time / alone, 5.0)


def _rows_of_minimize() -> Iterator[Row]:
    """A ridge regression with a robust loss, by its penalty: the Hessian has a column for each unknown."""
    for n in (2, 15):
        x, y = MATRIX[:, :n], B

        def loss(t: Any, penalty: Any, x: Any = x, y: Any = y) -> Any:
            return np.sum(np.log(np.cosh(x @ t - y))) + penalty * np.sum(t**2)

        def found(penalty: float, loss: Any = loss, n: int = n) -> Any:
            return minimize(value_and_grad(loss), np.zeros(n), args=(penalty,), jac=True, tol=1e-8).x

        t, ones = found(0.5), np.ones(n)
        ours = grad(lambda penalty, found=found: np.sum(found(penalty)))
        # The solver stops at a tolerance of 1e-8, which the difference divides by 2e-3.
        np.testing.assert_allclose(ours(0.5), np.sum(found(0.501) - found(0.499)) / 2e-3, rtol=1e-3)
        our_time, alone, product = fastest(
            functools.partial(ours, 0.5),
            functools.partial(found, 0.5),
            functools.partial(hvp, functools.partial(loss, penalty=0.5), t, ones),
        )
        name, against = f"gradient of a minimum, n = {n}", "the search and 20 products with its Hessian"
        yield Row(name, against, our_time / (alone + 20 * product), 1.0)


def mesh(side: int) -> csc_array:
    """The matrix of the heat equation on a square mesh, with conductivities that differ."""
    n = side * side
    down, across = RNG.uniform(0.5, 2.0, (2, n))
    across[side - 1 :: side] = 0.0  # between the end of a line and the beginning of the next one
    below = diags_array([-across[: n - 1], -down[: n - side]], offsets=[-1, -side], shape=(n, n))
    neighbours = below + below.T
    return (neighbours + diags_array(0.1 - neighbours.sum(axis=1))).tocsc()


def _jax_gradient(solution: Callable[[Any, Any, Any], Any]) -> Gradient:
    import jax
    import jax.scipy

    jax.config.update("jax_enable_x64", True)
    compiled = jax.jit(jax.grad(lambda A, b: jax.numpy.sum(WEIGHTS * solution(jax, A, b)), argnums=(0, 1)))

    def gradient(A: Any, b: Any) -> Any:
        return [np.asarray(part) for part in compiled(A, b)]

    return gradient


def _torch_gradient(solution: Callable[[Any, Any, Any], Any]) -> Gradient:
    import torch

    torch.set_num_threads(1)
    weights = torch.from_numpy(WEIGHTS)

    def gradient(A: Any, b: Any) -> Any:
        leaves = [torch.from_numpy(x).requires_grad_() for x in (A, b)]
        parts = torch.autograd.grad(torch.sum(weights * solution(torch, *leaves)), leaves)
        return [part.numpy() for part in parts]

    return gradient
