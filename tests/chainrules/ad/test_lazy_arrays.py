"""The whole engine over lazy arrays: gradients are graphs, and nothing is computed meanwhile."""

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse.linalg
from scipy import sparse, special

from chainrules.ad import grad, hvp, jvp, value_and_grad, vjp
from chainrules_core import ZeroTangent, is_lazy
from tests.chainrules.lazy_checks import assert_equal, lazily, nothing_computed

da = pytest.importorskip("dask.array")

RNG = np.random.default_rng(0)
X, B = RNG.normal(size=(2, 8, 3))
Y = (X[:, 0] > 0).astype(float)
W = RNG.normal(size=3)


def loss(w, X, y):
    """The loss of a logistic regression."""
    z = X @ w
    return np.mean(np.logaddexp(0.0, z) - y * z) + 0.1 * np.sum(w**2)


def network(w, X, y):
    """A program with functions, operators, methods, conditions and indices."""
    hidden = np.maximum(X @ np.diag(w) - 0.1, 0.01 * X)
    scaled = (hidden - hidden.mean(axis=0)) / (np.std(hidden, axis=0) + 1.0)
    chosen = np.where(X > 0, scaled, -scaled).T[1:, ::2]
    norms = np.linalg.norm(np.concatenate([chosen, chosen**2.0]), axis=1)
    return (abs(norms).sum() + np.max(scaled) * y.sum() - np.prod(norms)) / X.shape[0]


def with_containers(w, X, y):
    """A program that puts values into lists, dicts and arrays that it fills."""
    parts = {"product": X @ w, "clicks": [y, 2.0 * y]}
    weights = np.zeros(3)
    weights[0] = w[0]
    weights[1:] += w[1:] ** 2
    rows = [np.sum(row * weights) for row in X]
    return np.sum(np.stack(rows) * parts["product"] * parts["clicks"][1])


@pytest.mark.parametrize("f", [loss, network, with_containers], ids=lambda f: f.__name__)
@pytest.mark.parametrize("argnums", [0, 1, (0, 1, 2)], ids=str)
def test_gradients(f, argnums):
    """By arrays in memory that meet lazy ones, and by lazy ones: lazy, and equal to NumPy's."""
    plain = value_and_grad(f, argnums)(W, X, Y)
    with nothing_computed():
        lazy = value_and_grad(f, argnums)(W, lazily(X), lazily(Y))

    assert_equal(lazy, plain)


@pytest.mark.parametrize("f", [loss, network], ids=lambda f: f.__name__)
def test_forward_mode(f):
    """Tangents of arrays in memory, and of lazy ones."""
    plain = jvp(f, (W, X, Y), (W, B, Y))
    with nothing_computed():
        lazy = jvp(f, (W, lazily(X), lazily(Y)), (W, lazily(B), lazily(Y)))

    assert_equal(lazy, plain)


def test_second_derivatives():
    """A Hessian times a vector, and a gradient of a gradient."""
    plain = (
        hvp(lambda w: loss(w, X, Y), W, W),
        grad(lambda a: np.sum(grad(lambda b: np.sum(np.sin(b * X) * a))(a)))(2.0),
    )
    x, y = lazily(X), lazily(Y)
    with nothing_computed():
        lazy = (
            hvp(lambda w: loss(w, x, y), W, W),
            grad(lambda a: np.sum(grad(lambda b: np.sum(np.sin(b * x) * a))(a)))(2.0),
        )

    assert_equal(lazy, plain)


OPERATORS = {
    "X @ w": lambda x, w: x @ w,
    "w @ X.T": lambda x, w: w @ x.T,
    "X * w": lambda x, w: x * w,
    "w * X": lambda x, w: w * x,
    "X + w": lambda x, w: x + w,
    "w - X": lambda x, w: w - x,
    "X / w": lambda x, w: x / w,
    "w / (X² + 1)": lambda x, w: w / (x * x + 1.0),
    "(X² + 1) ** w": lambda x, w: (x * x + 1.0) ** w,
    "where(X, w, X)": lambda x, w: np.where(x > 0, w, x),
    "where(X, X, w)": lambda x, w: np.where(x > 0, x, w),
    "maximum": np.maximum,
    "dot": np.dot,
    "matmul": np.matmul,
    "einsum": lambda x, w: np.einsum("ij,j->i", x, w),
    "concatenate": lambda x, w: np.concatenate([x, w[None]]),
}


@pytest.mark.parametrize("name", OPERATORS)
def test_a_traced_array_in_memory_beside_a_lazy_constant(name):
    """Operators of either side, and functions, hand the call to the rules."""
    f, x = OPERATORS[name], lazily(X)
    y, pullback = vjp(lambda w: f(X, w), W)
    with nothing_computed():
        lazy_y, lazy_pullback = vjp(lambda w: f(x, w), W)
        (lazy_bar,) = lazy_pullback(lazy_y)

    assert_equal((lazy_y, lazy_bar), (y, *pullback(y)))


A = RNG.normal(size=(3, 3)) + 4.0 * np.eye(3)
S = A @ A.T


def filled(w):
    """An array that is filled."""
    z = np.zeros(3)
    z[0] = w[1]
    z[1:] = w[1:] ** 2
    return z


# Weights that are made of the arguments in memory, before they meet lazy arrays.
MADE_IN_MEMORY = {
    "solve": lambda w: np.linalg.solve(A, w),
    "scipy.linalg.solve": lambda w: scipy.linalg.solve(A, w),
    "sparse solver": lambda w: scipy.sparse.linalg.spsolve(sparse.csc_array(A), w),
    "triangular": lambda w: scipy.linalg.solve_triangular(np.tril(A), w, lower=True),
    "cholesky": lambda w: np.linalg.cholesky(S + np.diag(w**2))[2],
    "qr": lambda w: np.linalg.qr(A + np.diag(w))[1][0],
    "eigh": lambda w: np.linalg.eigh(S + np.diag(w))[0],
    "sort": np.sort,
    "cumprod": np.cumprod,
    "softmax": special.softmax,
    "integers": lambda w: w[[0, 0, 2]],
    "mask": lambda w: w[np.array([True, True, True])],
    "filled": filled,
    "items": lambda w: np.array([w[0], w[1] * w[2], w[2]]),
}


@pytest.mark.parametrize("name", MADE_IN_MEMORY)
def test_lazy_cotangents_of_small_programs(name):
    """Rules whose arguments are in memory take lazy cotangents, and do not compute them."""
    f, x = MADE_IN_MEMORY[name], lazily(X)
    plain = grad(lambda w: np.sum(np.sin(X @ f(w))))(W)
    with nothing_computed():
        lazy = grad(lambda w: np.sum(np.sin(x @ f(w))))(W)

    assert_equal(lazy, plain)


COMPUTING = {
    "sparse product": lambda w: sparse.csr_array(A) @ w,
    "root of a matrix": lambda w: scipy.linalg.sqrtm(S + np.diag(w**2))[0],
    "Toeplitz matrix": lambda w: scipy.linalg.solve_toeplitz(np.array([4.0, 1.0, 0.0]), w),
    "several products": lambda w: np.linalg.multi_dot([A, A, w]),
    "cross product": lambda w: np.cross(w, A[0]),
    "stack of sorted rows": lambda w: np.sort(np.outer(w, w), axis=0)[0],
    "convolution": lambda w: np.convolve(w, A[0], "same"),
}


@pytest.mark.parametrize("name", COMPUTING)
def test_rules_that_would_compute_a_cotangent_refuse_it(name):
    """Where a rule would have to look at a lazy cotangent, it says so."""
    f, x = COMPUTING[name], lazily(X)
    with nothing_computed(), pytest.raises(TypeError, match="lazy"):
        grad(lambda w: np.sum(np.sin(x @ f(w))))(W)


def test_gradients_have_the_chunks_of_their_arguments():
    """So that they can be added to them without moving data."""
    x = lazily(X, chunks=(3, 2))
    with nothing_computed():
        assert grad(lambda x: np.sum(np.sin(x) @ W))(x).chunks == x.chunks
        assert grad(np.sum)(x).chunks == x.chunks


def test_containers_of_lazy_arrays():
    """A dict in, a dict out; what the result does not depend on has lazy zeros."""
    parameters = {"x": lazily(X), "b": 0.5, "unused": lazily(X)}
    with nothing_computed():
        gradient = grad(lambda p: np.sum(p["x"] * p["b"]))(parameters)
    plain = grad(lambda p: np.sum(p["x"] * p["b"]))({"x": X, "b": 0.5, "unused": X})

    assert_equal(list(gradient.values()), list(plain.values()))


def test_cotangents_in_memory_and_zeros():
    """A pullback takes arrays in memory, numbers and zeros for cotangents of lazy results."""
    with nothing_computed():
        _, pullback = vjp(np.sin, lazily(X))
        (x_bar,) = pullback(B)
        (zero,) = pullback(ZeroTangent())
        (repeated,) = vjp(np.sum, lazily(X))[1](2.0)
    assert_equal((x_bar, zero, repeated), (np.cos(X) * B, np.zeros_like(X), np.full_like(X, 2.0)))


def test_writing_into_a_cotangent_afterwards():
    """The graph holds numbers of its own."""
    cotangent = B.copy()
    with nothing_computed():
        (x_bar,) = vjp(np.sin, lazily(X))[1](cotangent)
    cotangent[:] = np.nan

    assert_equal(x_bar, np.cos(X) * B)


def test_attributes():
    """Shape, size and the like are those of Dask's arrays, without computing them."""
    with nothing_computed():
        gradient = grad(lambda x: np.sum(x) * x.size * x.ndim * len(x) * x.shape[1])(lazily(X))
    assert_equal(gradient, np.full_like(X, 24 * 2 * 8 * 3))


def test_conversions_are_refused():
    """What would compute a traced lazy array says so."""
    for f in (float, lambda x: max(x, 0.0), lambda x: np.sum(np.sort(x))):
        with nothing_computed(), pytest.raises(TypeError, match="Dask array"):
            grad(lambda x, f=f: f(np.sum(x)))(lazily(X))


def test_results_that_are_no_number():
    """A lazy array with axes is refused by `grad`, as another one is."""
    with nothing_computed(), pytest.raises(TypeError, match=r"one number.*shape \(8, 3\)"):
        grad(np.sin)(lazily(X))
    with nothing_computed(), pytest.raises(TypeError, match="complex"):
        grad(lambda x: np.sum(1j * x))(lazily(X))


def test_empty_and_zero_dimensional_arrays():
    """Without elements, and without axes."""
    with nothing_computed():
        empty = grad(lambda x: np.sum(x**2.0))(da.zeros((0, 3)))
        number = grad(lambda x: x**2.0)(da.sum(lazily(X)))
    assert_equal((empty, number), (np.zeros((0, 3)), 2.0 * np.sum(X)))


def test_complex_arrays():
    """The gradient is NumPy's, conjugated as there."""
    Z = X + 1j * B
    with nothing_computed():
        lazy = grad(lambda z: np.sum(np.abs(z) ** 2.0) + np.sum(np.imag(z * z)))(lazily(Z))
    assert_equal(lazy, grad(lambda z: np.sum(np.abs(z) ** 2.0) + np.sum(np.imag(z * z)))(Z))


def test_tasks_grow_linearly_with_chunks():
    """Ten times as many chunks make ten times as many tasks, up to a tree's."""
    few, many = (
        len(grad(loss)(W, da.zeros((1000, 3), chunks=(n, 3)), da.zeros(1000, chunks=n)).__dask_graph__())
        for n in (100, 10)
    )
    assert many < 11 * few
    assert is_lazy(grad(loss)(W, lazily(X), lazily(Y)))
