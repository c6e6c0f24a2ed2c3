"""The cost of a rule, forward and in reverse, beside a closure written by hand; and of loading rules."""

import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import chainrules  # noqa: F401 - whose rules are measured
from benchmarks.imports import seconds
from benchmarks.measure import Row, fastest
from chainrules_core import NoTangent, rrule, unthunk

SIZES = (10, 1000, 100_000)
TARGETS = {10: 1.3, 100_000: 1.1}
# All rules that there are for what is imported; the loader holds the garbage collector off.
LOADING = "chainrules_core.rrule.methods()"
BEFORE_LOADING = (
    "import gc, numpy.random, numpy.fft, numpy.polynomial, plum, chainrules_core, chainrules; gc.disable()"
)
LOADED_WITHIN = 0.04

# Each returns the result and a pullback that returns the cotangents of all arguments, the function included.


def exp_by_hand(x: Any) -> Any:
    y = np.exp(x)
    return y, lambda y_bar: (NoTangent(), y_bar * y)


def multiply_by_hand(x: Any, y: Any) -> Any:
    return x * y, lambda z_bar: (NoTangent(), z_bar * y, z_bar * x)


def sum_by_hand(x: Any, axis: int) -> Any:
    y = np.sum(x, axis)
    return y, lambda y_bar: (
        NoTangent(),
        np.broadcast_to(np.expand_dims(y_bar, axis), x.shape).copy(),
        NoTangent(),
    )


def mean_by_hand(x: Any) -> Any:
    return np.mean(x), lambda y_bar: (NoTangent(), np.full(x.shape, y_bar / x.size))


def max_by_hand(x: Any) -> Any:
    y = np.max(x)

    def max_pullback(y_bar: Any) -> Any:
        is_greatest = x == y
        return NoTangent(), is_greatest * (y_bar / np.count_nonzero(is_greatest))

    return y, max_pullback


def var_by_hand(x: Any) -> Any:
    def var_pullback(y_bar: Any) -> Any:
        return NoTangent(), (x - np.mean(x)) * (2 * y_bar / x.size)

    return np.var(x), var_pullback


def cumsum_by_hand(x: Any) -> Any:
    return np.cumsum(x), lambda y_bar: (NoTangent(), np.cumsum(y_bar[::-1])[::-1])


def reshape_by_hand(x: Any, shape: Any) -> Any:
    return np.reshape(x, shape), lambda y_bar: (NoTangent(), np.reshape(y_bar, x.shape), NoTangent())


def transpose_by_hand(A: Any) -> Any:
    return np.transpose(A), lambda y_bar: (NoTangent(), np.transpose(y_bar))


def concatenate_by_hand(xs: Any) -> Any:
    middle = len(xs[0])
    return np.concatenate(xs), lambda y_bar: (NoTangent(), (y_bar[:middle], y_bar[middle:]))


def stack_by_hand(xs: Any) -> Any:
    return np.stack(xs), lambda y_bar: (NoTangent(), (y_bar[0], y_bar[1]))


def getitem_by_hand(x: Any, index: Any) -> Any:
    def getitem_pullback(y_bar: Any) -> Any:
        x_bar = np.zeros(x.shape)
        x_bar[index] = y_bar
        return NoTangent(), x_bar, NoTangent()

    return x[index], getitem_pullback


def take_by_hand(x: Any, indices: Any) -> Any:
    def take_pullback(y_bar: Any) -> Any:
        return NoTangent(), np.bincount(indices, y_bar, len(x)), NoTangent()

    return np.take(x, indices), take_pullback


def where_by_hand(condition: Any, x: Any, y: Any) -> Any:
    def where_pullback(z_bar: Any) -> Any:
        return NoTangent(), NoTangent(), np.where(condition, z_bar, 0), np.where(condition, 0, z_bar)

    return np.where(condition, x, y), where_pullback


def maximum_by_hand(x: Any, y: Any) -> Any:
    def maximum_pullback(z_bar: Any) -> Any:
        x_wins = x > y
        return NoTangent(), np.where(x_wins, z_bar, 0), np.where(x_wins, 0, z_bar)

    return np.maximum(x, y), maximum_pullback


def sort_by_hand(x: Any) -> Any:
    order = np.argsort(x, kind="stable")  # so that equal elements have one derivative

    def sort_pullback(y_bar: Any) -> Any:
        x_bar = np.empty_like(y_bar)
        x_bar[order] = y_bar
        return NoTangent(), x_bar

    return x[order], sort_pullback


def diff_by_hand(x: Any) -> Any:
    def diff_pullback(y_bar: Any) -> Any:
        x_bar = np.zeros_like(x)
        x_bar[1:] = y_bar
        x_bar[:-1] -= y_bar
        return NoTangent(), x_bar

    return np.diff(x), diff_pullback


def interp_by_hand(x: Any, xp: Any, fp: Any) -> Any:
    y = np.interp(x, xp, fp)

    def interp_pullback(y_bar: Any) -> Any:
        i = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, len(xp) - 2)
        width = xp[i + 1] - xp[i]
        slope, t = (fp[i + 1] - fp[i]) / width, (x - xp[i]) / width
        x_bar = slope * y_bar
        low, high = (1 - t) * y_bar, t * y_bar
        fp_bar = np.bincount(i, low, len(fp)) + np.bincount(i + 1, high, len(fp))
        xp_bar = np.bincount(i, -slope * low, len(fp)) + np.bincount(i + 1, -slope * high, len(fp))
        return NoTangent(), x_bar, xp_bar, fp_bar

    return y, interp_pullback


def matmul_by_hand(A: Any, x: Any) -> Any:
    return A @ x, lambda y_bar: (NoTangent(), np.outer(y_bar, x), A.T @ y_bar)


def dot_by_hand(A: Any, B: Any) -> Any:
    return np.dot(A, B), lambda C_bar: (NoTangent(), C_bar @ B.T, A.T @ C_bar)


def einsum_by_hand(subscripts: str, A: Any, x: Any) -> Any:
    def einsum_pullback(y_bar: Any) -> Any:
        return NoTangent(), NoTangent(), np.einsum("i,j->ij", y_bar, x), np.einsum("i,ij->j", y_bar, A)

    return np.einsum(subscripts, A, x), einsum_pullback


def solve_by_hand(A: Any, b: Any) -> Any:
    x = np.linalg.solve(A, b)

    def solve_pullback(x_bar: Any) -> Any:
        b_bar = np.linalg.solve(A.T, x_bar)
        return NoTangent(), -np.outer(b_bar, x), b_bar

    return x, solve_pullback


def norm_by_hand(x: Any) -> Any:
    y = np.linalg.norm(x)
    return y, lambda y_bar: (NoTangent(), x * (y_bar / y))


def fft_by_hand(x: Any) -> Any:
    return np.fft.fft(x), lambda y_bar: (NoTangent(), np.fft.ifft(y_bar, norm="forward").real)


def polyval_by_hand(x: Any, c: Any) -> Any:
    polynomial = np.polynomial.polynomial
    y = polynomial.polyval(x, c)

    def polyval_pullback(y_bar: Any) -> Any:
        x_bar = polynomial.polyval(x, polynomial.polyder(c)) * y_bar
        return NoTangent(), x_bar, y_bar @ polynomial.polyvander(x, len(c) - 1)

    return y, polyval_pullback


def vector(n: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).normal(size=n)


def matrix(n: int) -> Any:
    """A well-conditioned matrix of about `n` elements."""
    side = round(n**0.5)
    return np.random.default_rng(n).normal(size=(side, side)) + 3 * side**0.5 * np.eye(side)


# For each family a function, its closure by hand, and its arguments for about `n` elements.
FAMILIES: dict[str, tuple[Callable[..., Any], Callable[..., Any], Callable[[int], tuple[Any, ...]]]] = {
    "exp": (np.exp, exp_by_hand, lambda n: (vector(n),)),
    "multiply": (np.multiply, multiply_by_hand, lambda n: (vector(n), vector(n, 1))),
    "sum": (np.sum, sum_by_hand, lambda n: (vector(n).reshape(2, -1), 1)),
    "mean": (np.mean, mean_by_hand, lambda n: (vector(n),)),
    "max": (np.max, max_by_hand, lambda n: (vector(n),)),
    "var": (np.var, var_by_hand, lambda n: (vector(n),)),
    "cumsum": (np.cumsum, cumsum_by_hand, lambda n: (vector(n),)),
    "reshape": (np.reshape, reshape_by_hand, lambda n: (vector(n), (2, -1))),
    "transpose": (np.transpose, transpose_by_hand, lambda n: (vector(n).reshape(2, -1),)),
    "concatenate": (np.concatenate, concatenate_by_hand, lambda n: ([vector(n), vector(n)],)),
    "stack": (np.stack, stack_by_hand, lambda n: ([vector(n), vector(n, 1)],)),
    "getitem": (operator.getitem, getitem_by_hand, lambda n: (vector(n), slice(1, -1))),
    "take": (np.take, take_by_hand, lambda n: (vector(n), np.arange(n)[::-1].copy())),
    "where": (np.where, where_by_hand, lambda n: (vector(n) > 0, vector(n, 1), vector(n, 2))),
    "maximum": (np.maximum, maximum_by_hand, lambda n: (vector(n), vector(n, 1))),
    "sort": (np.sort, sort_by_hand, lambda n: (vector(n),)),
    "diff": (np.diff, diff_by_hand, lambda n: (vector(n),)),
    "interp": (
        np.interp,
        interp_by_hand,
        lambda n: (np.linspace(0.01, 0.99, n), np.linspace(0, 1, 10), vector(10)),
    ),
    "matmul": (np.matmul, matmul_by_hand, lambda n: (matrix(n), vector(len(matrix(n))))),
    "dot": (np.dot, dot_by_hand, lambda n: (matrix(n), matrix(n))),
    "einsum": (
        np.einsum,
        einsum_by_hand,
        lambda n: ("ij,j->i", matrix(n), vector(len(matrix(n)))),
    ),
    "solve": (
        np.linalg.solve,
        solve_by_hand,
        lambda n: (matrix(n), vector(len(matrix(n)))),
    ),
    "norm": (np.linalg.norm, norm_by_hand, lambda n: (vector(n),)),
    "fft": (np.fft.fft, fft_by_hand, lambda n: (vector(n),)),
    "polyval": (
        np.polynomial.polynomial.polyval,
        polyval_by_hand,
        lambda n: (vector(n), vector(4)),
    ),
}


def rows() -> Iterator[Row]:
    """Each family in three sizes, and the loading of NumPy's rules."""
    for name, (f, by_hand, arguments) in FAMILIES.items():
        for n in SIZES:
            ours, theirs = times(f, by_hand, arguments(n))
            yield Row(f"rule of {name}, {n} elements", "by hand", ours / theirs, TARGETS.get(n))
    loading = min(seconds(BEFORE_LOADING, LOADING) for _ in range(9))
    yield Row("loading all rules for Python and NumPy", "40 ms", loading / LOADED_WITHIN, 1.0)


def times(f: Any, by_hand: Any, args: tuple[Any, ...]) -> list[float]:
    """The time of forward and reverse together: by the rule, and by hand."""
    method = rrule.find(f, *args)
    assert method is not None
    rule = method.function
    y, pullback = by_hand(*args)
    y_bar = np.cos(np.real(y))
    assert_alike([unthunk(x_bar) for x_bar in rule(f, *args)[1](y_bar)], pullback(y_bar))

    def ours() -> None:
        _, pullback = rule(f, *args)
        for x_bar in pullback(y_bar):
            unthunk(x_bar)

    def theirs() -> None:
        _, pullback = by_hand(*args)
        for x_bar in pullback(y_bar):
            unthunk(x_bar)

    return fastest(ours, theirs)


def assert_alike(actual: Any, expected: Any) -> None:
    """Compare cotangents; for lists, the parts of the cotangents."""
    for x_bar, wanted in zip(actual, expected, strict=True):
        if isinstance(wanted, tuple):
            assert_alike(list(unthunk(x_bar)), wanted)
        elif isinstance(wanted, np.ndarray | float):
            np.testing.assert_allclose(unthunk(x_bar), wanted, rtol=1e-7, atol=1e-9)
