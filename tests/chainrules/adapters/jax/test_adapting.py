"""Functions over NumPy that JAX differentiates, compiles and batches; the oracle is JAX's own function."""

import functools
import gc
import threading
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402 - after the question for the framework

from chainrules.adapters import AdapterError  # noqa: E402 - likewise
from chainrules.adapters.jax import from_jax, to_jax  # noqa: E402 - likewise
from chainrules_core import NoTangent, not_implemented, rrule, thunk, typeof_  # noqa: E402 - likewise

# Of compiled programs: `jax.errors.JaxRuntimeError`, or the second when they are called again.
ERRORS = (RuntimeError, ValueError)

rng = np.random.default_rng(0)
A = rng.normal(size=(3, 3)) + 3 * np.eye(3)
b, c = rng.normal(size=(2, 3))
B = np.stack([b, c])

solve = to_jax(np.linalg.solve)


def loss(f):
    """A number made of a solution."""
    return lambda A, b: jnp.sum(jnp.sin(f(A, b)))


def assert_same(found, expected, rtol=1e-8):
    """Two trees of arrays of JAX are the same, in dtypes too."""
    leaves, others = jax.tree_util.tree_leaves(found), jax.tree_util.tree_leaves(expected)
    assert len(leaves) == len(others)
    for x, y in zip(leaves, others, strict=True):
        assert x.dtype == y.dtype
        np.testing.assert_allclose(np.asarray(x), np.asarray(y), rtol=rtol, atol=1e-9)


BOTH = (0, 1)
TRANSFORMS = {
    "value": lambda f: f,
    "grad": lambda f: jax.grad(f, BOTH),
    "jit of grad": lambda f: jax.jit(jax.grad(f, BOTH)),
    "value_and_grad": lambda f: jax.jit(jax.value_and_grad(f)),
    "hessian": lambda f: jax.hessian(f, BOTH),
    "jit of hessian": lambda f: jax.jit(jax.hessian(f, 1)),
    "jacrev of jacrev": lambda f: jax.jacrev(jax.jacrev(f, 1), 1),
    "jacfwd of jacfwd": lambda f: jax.jacfwd(jax.jacfwd(f, 1), 1),
    "jacrev of jacfwd": lambda f: jax.jacrev(jax.jacfwd(f, 1), 1),
    "third order": lambda f: jax.jacfwd(jax.jacrev(jax.jacfwd(f, 1), 1), 1),
    "checkpoint": lambda f: jax.grad(jax.checkpoint(f)),
    "jit of checkpoint": lambda f: jax.jit(jax.grad(jax.checkpoint(f))),
    "linearize": lambda f: lambda A, b: jax.linearize(f, A, b)[1](A + 1, b),
    "linear_transpose": lambda f: lambda A, b: jax.linear_transpose(jax.vjp(f, A, b)[1], 1.0)((A, b)),
    "jvp of a pullback": lambda f: lambda A, b: jax.jvp(jax.vjp(f, A, b)[1], (1.0,), (2.0,)),
    "jvp of a linear map": lambda f: lambda A, b: jax.jvp(jax.linearize(f, A, b)[1], (A, b), (A, b)),
    "jvp of a pushforward": lambda f: (
        lambda A, b: jax.jvp(
            lambda A, A_dot: jax.jvp(lambda A: f(A, b), (A,), (A_dot,))[1], (A, A), (A, A + 1)
        )
    ),
    "vmap": lambda f: lambda A, b: jax.vmap(f, (None, 0))(A, B),
    "grad of vmap": lambda f: jax.grad(lambda A, b: jnp.sum(jax.vmap(f, (None, 0))(A, B * b)), BOTH),
    "vmap of grad": lambda f: lambda A, b: jax.vmap(jax.grad(f, BOTH), (None, 0))(A, B),
    "jit of vmap of hessian": lambda f: jax.jit(lambda A, b: jax.vmap(jax.hessian(f, 1), (None, 0))(A, B)),
    "vmap of vmap of grad": lambda f: (
        lambda A, b: jax.vmap(jax.vmap(jax.grad(f, BOTH), (None, 0)), (0, None))(jnp.stack([A, A + 1]), B)
    ),
    "scan": lambda f: jax.grad(
        lambda A, b: jax.lax.scan(lambda total, x: (total + f(A, x) * total, None), 1.0, B * b)[0], BOTH
    ),
    "cond": lambda f: jax.jit(
        jax.grad(lambda A, b: jax.lax.cond(b[0] > 0, lambda b: f(A, b), lambda b: f(A, -2 * b), b), BOTH)
    ),
    "map": lambda f: lambda A, b: jax.lax.map(lambda x: f(A, x), B),
}


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_transforms(transform):
    """Each is as that of JAX's own function."""
    transformed = TRANSFORMS[transform]
    arguments = jnp.asarray(A), jnp.asarray(b)
    assert_same(
        transformed(loss(solve))(*arguments), transformed(loss(jnp.linalg.solve))(*arguments), rtol=1e-7
    )


def test_eager_calls_are_calls():
    """Outside of JAX's transformations the function is called once; its errors keep their classes."""
    calls = []

    def counted(x):
        calls.append(type(x))
        if len(calls) == 2:
            raise KeyError("of my own")
        return x

    to_jax(counted)(jnp.asarray(b))
    assert calls == [np.ndarray]
    with pytest.raises(KeyError, match="of my own"):
        to_jax(counted)(jnp.asarray(b))


def test_names_are_kept():
    """As `functools.wraps` does."""
    assert to_jax(loss).__name__ == "loss"
    assert to_jax(loss).__doc__ == loss.__doc__
    assert to_jax(loss).__wrapped__ is loss


@dataclass
class Layer:
    """A dataclass that JAX knows nothing of."""

    weights: object
    name: str = "layer"


PLACES = {
    "closure": lambda w: to_jax(lambda x: w * x)(b),
    "keyword": lambda w: to_jax(lambda x, w=None: w * x)(b, w=w),
    "only a keyword": lambda w: to_jax(lambda x, *, w: w * x)(b, w=w),
    "partial": lambda w: to_jax(functools.partial(np.multiply, w))(b),
    "dict": lambda w: to_jax(lambda p: {"y": p["w"] * p["x"]})({"w": w, "x": b})["y"],
    "dataclass": lambda w: to_jax(lambda p, x: Layer(p.weights * x))(Layer(w), b).weights,
    "twice": lambda w: to_jax(lambda v, w: (v + 2 * w) / 3 * b)(w, w),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("transform", [lambda f: f, jax.jit], ids=["eager", "jit"])
def test_where_arrays_are_found(place, transform):
    """Wherever an array stands, its gradient is right."""
    gradient = transform(jax.grad(lambda w: jnp.sum(PLACES[place](w))))
    np.testing.assert_allclose(gradient(jnp.asarray(c)), b)


def test_integers_and_truth_values():
    """They select, and have no gradient; in a result they have no tangent."""
    x, i = jnp.asarray(b), jnp.array([0, 2, 2])
    gradient, of_integers = jax.grad(
        lambda x, i: jnp.sum(to_jax(np.take)(x, i)), argnums=BOTH, allow_int=True
    )(x, i)
    np.testing.assert_array_equal(gradient, [1.0, 0.0, 2.0])
    assert of_integers.dtype == jax.dtypes.float0

    largest = to_jax(lambda x: (x * x, np.argmax(x), x > 0))
    for transform in (lambda f: f, jax.jit):
        _, (slope, of_index, of_signs) = transform(lambda x: jax.jvp(largest, (x,), (x,)))(x)
        np.testing.assert_allclose(slope, 2 * b * b)
        assert {of_index.dtype, of_signs.dtype} == {jax.dtypes.float0}
        np.testing.assert_allclose(transform(jax.grad(lambda x: jnp.sum(largest(x)[0])))(x), 2 * b)


@pytest.mark.parametrize("dtype", ["float32", "float16", "complex64"])
def test_gradients_have_the_dtypes_of_arguments(dtype):
    """Also beside arguments of higher precision."""
    x = jnp.asarray(b, dtype)
    product = to_jax(np.multiply)
    gradients = jax.grad(lambda x, y: jnp.sum(jnp.real(product(x, y))), argnums=BOTH)(x, jnp.asarray(c))
    assert [g.dtype for g in gradients] == [x.dtype, jnp.float64]


@pytest.mark.usefixtures("single_precision")
def test_single_precision():
    """Without 64 bits, results have 32, and numbers that do not fit are an error; constants keep theirs."""
    x = jnp.asarray(b)
    assert x.dtype == jnp.float32
    for transform in (lambda f: f, jax.jit):
        assert transform(to_jax(lambda x: x * np.ones(3)))(x).dtype == jnp.float32
        found = transform(jax.grad(lambda x: jnp.sum(to_jax(lambda x: (1 + 1e-12 * x) - 1.0)(x))))(x)
        np.testing.assert_allclose(found, 1e-12, rtol=1e-6)  # single precision has seven digits
    for too_large in (1e300, 2**40):
        with pytest.raises(AdapterError, match="jax_enable_x64"):
            to_jax(lambda x, large=too_large: np.float64(large) if isinstance(large, float) else large)(x)
    with pytest.raises(ERRORS, match="jax_enable_x64"):
        jax.block_until_ready(jax.jit(to_jax(lambda x: x * np.float64(1e300)))(x))


def test_dtypes_that_numpy_has_not():
    """They are refused: a gradient in bfloat16 would be zero."""
    for x in (jnp.ones(3, jnp.bfloat16), jnp.ones(3, jnp.int4), jax.random.key(0)):
        with pytest.raises(AdapterError, match=str(x.dtype).partition("<")[0]):
            to_jax(np.sin)(x)


def test_results_belong_to_jax():
    """Neither what a function keeps of its result or arguments, nor what it writes into these, matters."""
    kept = []

    def keeping(x):
        x *= 2
        kept.append(x)
        return x

    x = jnp.asarray(b)
    for transform in (lambda f: f, jax.jit):
        y = transform(to_jax(keeping))(x)
        for array in kept:
            array[...] = 7
        np.testing.assert_array_equal(y, 2 * b)
        np.testing.assert_array_equal(x, b)


def test_results_of_every_kind():
    """Numbers become arrays, None and strings stay, constants have no gradient."""
    f = to_jax(lambda x: {"integer": 3, "number": float(np.sum(x)), "truth": True, "nothing": None})
    for transform in (lambda f: f, jax.jit):
        result = transform(f)(jnp.asarray(b))
        assert [result[key].dtype.kind for key in ("integer", "number", "truth")] == ["i", "f", "b"]
        assert result["nothing"] is None
    assert to_jax(lambda x: (x, "a string"))(jnp.asarray(b))[1] == "a string"
    for g in (lambda x: np.ones(2), lambda x, y=c: y):
        gradient = jax.jit(jax.grad(lambda x, g=g: jnp.sum(to_jax(g)(x))))(jnp.asarray(b))
        np.testing.assert_array_equal(gradient, 0.0)


def test_empty_arrays():
    """They have empty gradients; and so have no rows at all."""
    nothing = jnp.zeros((0, 3))
    assert jax.jit(jax.grad(lambda x: jnp.sum(to_jax(np.sin)(x))))(nothing).shape == (0, 3)
    assert jax.vmap(jax.grad(lambda x: jnp.sum(to_jax(np.sin)(x))))(nothing).shape == (0, 3)


def fragile(x):
    """It fails for some numbers."""
    if x[0] > 5:
        raise RuntimeError("the reason of the failure")
    return x


def test_errors_in_compiled_programs():
    """They have the text of the original error."""
    for f in (to_jax(fragile), jax.grad(lambda x: jnp.sum(to_jax(fragile)(x)))):
        with pytest.raises(ERRORS, match="the reason of the failure"):
            jax.block_until_ready(jax.jit(f)(jnp.array([6.0])))


def wanted_only(x, y):
    """The product."""
    return x * y


@rrule.dispatch
def wanted_only_rrule(f: typeof_(wanted_only), x: np.ndarray, y: np.ndarray):
    """The second derivative is missing."""
    return x * y, lambda y_bar: (NoTangent(), thunk(lambda: y_bar * y), not_implemented("the second"))


def test_only_wanted_gradients_are_computed():
    """A missing derivative is an error only where it is wanted."""
    f = to_jax(wanted_only)
    x, y = jnp.asarray(b), jnp.asarray(c)
    for transform in (lambda f: f, jax.jit):
        np.testing.assert_allclose(transform(jax.grad(lambda x: jnp.sum(f(x, y))))(x), c)
        with pytest.raises(Exception, match="the second"):
            jax.block_until_ready(transform(jax.grad(lambda y: jnp.sum(f(x, y))))(y))


def test_functions_of_jax_are_themselves():
    """`to_jax` undoes `from_jax`: nothing is called back."""
    assert to_jax(from_jax(jnp.sin)) is jnp.sin


def test_jax_within_a_call_back_is_refused():
    """The two might wait for each other; outside of a compiled program nobody waits."""
    sine = from_jax(jnp.sin)
    program = to_jax(lambda x: x * sine(x))
    gradient = jax.grad(lambda x: jnp.sum(program(x)))
    np.testing.assert_allclose(gradient(jnp.asarray(b)), np.sin(b) + b * np.cos(b))
    with pytest.raises(ERRORS, match="wait for the other"):
        jax.block_until_ready(jax.jit(gradient)(jnp.asarray(b)))


def test_large_arrays_do_not_wait_for_ever():
    """Calls back that are independent of each other, with arrays that are handed over slowly."""
    n = 200
    M, v = jnp.asarray(rng.normal(size=(n, n)) + n * np.eye(n)), jnp.asarray(rng.normal(size=n))

    @jax.jit
    def gradient(M, v):
        return jax.grad(lambda M: sum(jnp.sum(solve(M + k * jnp.eye(n), v)) for k in range(4)))(M)

    first = gradient(M, v)
    for _ in range(5):
        np.testing.assert_array_equal(gradient(M, v), first)


def test_threads():
    """The same functions in many threads at once."""
    gradient = jax.grad(loss(solve))
    compiled = jax.jit(gradient)
    expected = np.asarray(compiled(A, b))
    found = []

    def run():
        found.extend(f(jnp.asarray(A), jnp.asarray(b)) for _ in range(5) for f in (gradient, compiled))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 40
    for x in found:
        np.testing.assert_allclose(x, expected, rtol=1e-12)


def test_nothing_is_kept_of_calls():
    """Calls of the same kind leave no objects behind, in tables of ours or of JAX."""

    def numbers_of_objects():
        for _ in range(10):
            jax.grad(lambda x: jnp.sum(to_jax(np.sin)(x * c)))(jnp.asarray(b))
            jax.jit(lambda x: to_jax(np.sin)(x * c))(jnp.asarray(b))
        gc.collect()
        names = (f"{type(x).__module__}.{type(x).__name__}" for x in gc.get_objects())
        return Counter(name for name in names if name.startswith("chainrules.adapters"))

    numbers_of_objects()
    before = numbers_of_objects()
    assert numbers_of_objects() == before


def test_no_traced_array_is_kept():
    """As JAX itself finds out."""
    with jax.checking_leaks():
        jax.jit(jax.grad(lambda x: jnp.sum(to_jax(np.sin)(x))))(jnp.asarray(b))


def test_equinox():
    """A layer with a function over NumPy, as a field, as a method and as an argument."""
    equinox = pytest.importorskip("equinox")

    class Dense(equinox.Module):
        """A layer."""

        weights: jax.Array
        kind: str = equinox.field(static=True)

        def __call__(self, x):
            """An activation over NumPy."""
            return to_jax(np.tanh)(self.weights @ x)

        @to_jax
        def energy(self, x):
            """A method over NumPy, whose instance is an argument."""
            return np.sum(np.tanh(self.weights @ x)) if self.kind == "tanh" else 0.0

    layer = Dense(jnp.asarray(A), "tanh")
    x = jnp.asarray(b)
    expected = jax.grad(lambda A: jnp.sum(jnp.tanh(A @ x)))(layer.weights)
    for loss in (lambda layer: jnp.sum(layer(x)), lambda layer: layer.energy(x)):
        for transform in (lambda f: f, equinox.filter_jit):
            gradient = transform(equinox.filter_grad(loss))(layer)
            assert isinstance(gradient, Dense)
            np.testing.assert_allclose(gradient.weights, expected)
    np.testing.assert_allclose(jax.vmap(layer)(jnp.asarray(B)), np.tanh(B @ A.T))


def test_optax():
    """A model over NumPy is fitted, by gradients and by a line search."""
    optax = pytest.importorskip("optax")
    X = rng.normal(size=(20, 3))
    y = X @ c
    mean_square = to_jax(lambda w: np.mean((X @ w - y) ** 2))

    optimizer = optax.lbfgs()
    value_and_grad = optax.value_and_grad_from_state(mean_square)

    @jax.jit
    def step(w, state):
        value, gradient = value_and_grad(w, state=state)
        updates, state = optimizer.update(
            gradient, state, w, value=value, grad=gradient, value_fn=mean_square
        )
        return optax.apply_updates(w, updates), state

    w = jnp.zeros(3)
    state = optimizer.init(w)
    for _ in range(8):
        w, state = step(w, state)
    np.testing.assert_allclose(w, c, atol=1e-4)  # after eight steps
