"""Functions of `dask.array` have the rules of NumPy's by the same name."""

import numpy as np
import pytest

from chainrules.ad import grad, jvp, vjp
from chainrules_core import NoTangent, frule, rrule
from tests.chainrules.lazy_checks import assert_equal, lazily, nothing_computed

da = pytest.importorskip("dask.array")

A = np.random.default_rng(0).normal(size=(8, 4))
Q = A[:4] @ A[:4].T + np.eye(4)


@pytest.mark.parametrize(
    "name", ["exp", "sum", "mean", "abs", "maximum", "where", "tensordot", "max", "transpose"]
)
def test_functions_by_the_same_name(name):
    """Both rules are those of NumPy's function."""
    args = {"maximum": (A, A[::-1]), "where": (A > 0, A, 0.5 * A), "tensordot": (A, A.T, 1)}.get(name, (A,))
    lazy = [lazily(x) if isinstance(x, np.ndarray) else x for x in args]
    dots = [x if isinstance(x, np.ndarray) and x.dtype == float else NoTangent() for x in args]
    f, primal = getattr(da, name), getattr(np, name)
    y, pullback = rrule(primal, *args)
    with nothing_computed():
        lazy_y, lazy_pullback = rrule(f, *lazy)
        lazy_bars = lazy_pullback(lazy_y)
        lazy_dots = [lazily(dot) if isinstance(dot, np.ndarray) else dot for dot in dots]
        lazy_answer = frule((NoTangent(), *lazy_dots), f, *lazy)

    assert_equal((lazy_y, lazy_bars), (y, pullback(y)))
    assert_equal(lazy_answer, frule((NoTangent(), *dots), primal, *args))


def test_programs_in_dasks_words():
    """A program that calls functions of `dask.array`, linear algebra among them."""

    def by_dask(x):
        return da.sum(da.exp(-da.linalg.solve(x @ x.T + da.eye(4, chunks=2), da.ones(4, chunks=2))))

    def by_numpy(x):
        return np.sum(np.exp(-np.linalg.solve(x @ x.T + np.eye(4), np.ones(4))))

    with nothing_computed():
        gradient = grad(by_dask)(lazily(A[:4], chunks=2))
    assert_equal(gradient, grad(by_numpy)(A[:4]))


def test_other_chunks():
    """An array may be cut anew in a program: its cotangent has the chunks that it had."""
    x = lazily(A)
    with nothing_computed():
        y, pullback = vjp(lambda x: np.sin(x.rechunk((2, 2))), x)
        (x_bar,) = pullback(y)
        _, y_dot = jvp(lambda x: np.sin(x.rechunk((2, 2))), (x,), (x,))

    assert y.chunks == y_dot.chunks == ((2,) * 4, (2,) * 2)
    assert x_bar.chunks == x.chunks
    assert_equal((x_bar, y_dot), (np.cos(A) * np.sin(A), np.cos(A) * A))


def test_what_dask_does_otherwise_has_no_rules():
    """Its Cholesky decomposition is the upper one, and so has no rules of NumPy's."""
    for f in (da.linalg.cholesky, da.linalg.svd, da.linalg.qr):
        assert rrule(f, lazily(Q, chunks=2)) is None


def test_methods_that_compute_are_refused():
    """They would lose the derivative."""
    for f in (lambda x: x.compute(), lambda x: x.map_blocks(np.sin)):
        with nothing_computed(), pytest.raises((TypeError, LookupError)):
            grad(lambda x, f=f: np.sum(f(x)))(lazily(A))
