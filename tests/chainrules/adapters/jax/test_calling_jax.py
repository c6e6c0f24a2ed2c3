"""Functions of JAX over NumPy; the oracles are finite differences and JAX's own derivatives."""

import gc
import pickle
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402 - after the question for the framework

from chainrules.ad import grad, hessian, jacobian, jvp, vjp  # noqa: E402 - likewise
from chainrules.adapters import AdapterError  # noqa: E402 - likewise
from chainrules.adapters.jax import from_jax  # noqa: E402 - likewise
from chainrules_core import AbstractZero, NoTangent, frule, rrule  # noqa: E402 - likewise
from chainrules_testutils import test_frule as check_frule  # noqa: E402 - likewise
from chainrules_testutils import test_rrule as check_rrule  # noqa: E402 - likewise

rng = np.random.default_rng(0)
A, b = rng.normal(size=(3, 3)) + 3 * np.eye(3), rng.normal(size=3)
z = b + 1j * rng.normal(size=3)


W = jnp.ones((2, 3))


def solution(A, b):
    """A function of JAX."""
    return jnp.sin(jnp.linalg.solve(A, b))


def model(parameters, x, power=2, kind="sum"):
    """One with containers, constants, and results that are integers."""
    y = parameters["w"] * x**power
    return {"y": y, "rest": (jnp.sum(y) if kind == "sum" else jnp.prod(y), jnp.argmax(y))}


CASES = {
    "arrays": (solution, (A, b)),
    "compiled": (jax.jit(solution), (A, b)),
    "float32": (solution, (A.astype(np.float32), b.astype(np.float32))),
    "numbers": (jnp.arctan2, (0.5, np.float64(2.0))),
    "containers": (model, ({"w": b, "n": np.arange(3)}, b)),
    "constants": (model, ({"w": b}, b, 3, "product")),
    "complex": (lambda z: z * jnp.conj(z) + abs(z) * z, (z,)),
    "complex of real": (lambda x: x * (1 + 2j), (b,)),
    "real of complex": (lambda z: jnp.real(z) * abs(z), (z,)),
    "default": (lambda x, W=W: W @ x, (b,)),
    "empty": (jnp.cumsum, (np.zeros((0,)),)),
    "needing values": (lambda x: x**2 if x[0] > -100 else -x, (b,)),
    "strided": (jnp.sin, (A[::-1, ::2],)),
}


@pytest.mark.parametrize("case", CASES)
def test_rules(case):
    """Both rules are right."""
    f, arguments = CASES[case]
    tolerances = {"rtol": 1e-3, "atol": 1e-3} if case == "float32" else {}  # differences in single precision
    check_frule(from_jax(f), *arguments, **tolerances)
    check_rrule(from_jax(f), *arguments, **tolerances)


def test_inside_the_engine():
    """Programs that call it, to the third order, and mixed."""
    f = from_jax(solution)

    def loss(b):
        return np.sum(f(A, 2.0 * b) ** 2)

    def loss_of_jax(b):
        return jnp.sum(solution(A, 2.0 * b) ** 2)

    np.testing.assert_allclose(grad(loss)(b), jax.grad(loss_of_jax)(b))
    np.testing.assert_allclose(hessian(loss)(b), jax.hessian(loss_of_jax)(b), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(
        jacobian(hessian(loss))(b), jax.jacfwd(jax.hessian(loss_of_jax))(b), rtol=1e-8, atol=1e-10
    )
    y, slope = jvp(grad(loss), (b,), (b,))
    expected = jax.jvp(jax.grad(loss_of_jax), (b,), (b,))
    np.testing.assert_allclose(y, expected[0])
    np.testing.assert_allclose(slope, expected[1])


def test_keywords_are_differentiated():
    """As positional arguments are."""
    f = from_jax(lambda x, *, n=2, w=None: w * x**n)
    g = from_jax(lambda x, w=None: w * x)
    np.testing.assert_allclose(grad(lambda w: np.sum(g(b, w=w)))(b), b)
    np.testing.assert_allclose(grad(lambda x: np.sum(f(x, n=3, w=b)))(b), 3 * b**3)


def test_results_are_arrays_of_numpy():
    """In JAX's dtypes, with memory of their own."""
    f = from_jax(solution)
    y = f(A, b)
    assert (type(y), y.dtype, y.flags.owndata, y.flags.writeable) == (np.ndarray, np.float64, True, True)
    assert f(A.astype(np.float32), b.astype(np.float32)).dtype == np.float32
    assert type(from_jax(jnp.sum)(b)) is np.float64
    assert from_jax(lambda x: (x, None))(b)[1] is None


@pytest.mark.usefixtures("single_precision")
def test_double_precision_is_kept():
    """Whatever JAX was told; and single precision too."""
    for f in (from_jax(jnp.cos), from_jax(jax.jit(jnp.cos))):
        assert f(b).dtype == np.float64
        np.testing.assert_allclose(grad(lambda x, f=f: np.sum(f(x)))(b), -np.sin(b), rtol=1e-14)
        np.testing.assert_allclose(hessian(lambda x, f=f: np.sum(f(x)))(b), np.diag(-np.cos(b)), rtol=1e-14)
        assert abs(grad(f)(0.1) + np.sin(0.1)) < 1e-15
        assert grad(lambda x, f=f: np.sum(f(x)))(b.astype(np.float32)).dtype == np.float32


def test_nothing_is_traced_twice():
    """The steady state of a gradient compiles nothing."""
    traces = []

    def traced(x, n):
        traces.append(n)
        return jnp.sum(x**n)

    f = from_jax(traced)
    for _ in range(3):
        for n in (2, 3):
            grad(f)(b, n)
            f(b, n)
    assert sorted(traces) == [2, 2, 3, 3]


def test_constants_of_different_classes():
    """1 and True are equal, and different arguments."""
    f = from_jax(lambda x, flag: x + (10.0 if flag is True else 1.0))
    assert [f(0.0, 1), f(0.0, True), f(0.0, 1)] == [1.0, 10.0, 1.0]


def test_arguments_and_results_may_be_written_into():
    """Between a call and its pullback."""
    x = b.copy()
    y, pull = rrule(from_jax(lambda x: x * jnp.sin(x)), x)
    x[...] = y[...] = 7.0
    np.testing.assert_allclose(pull(np.ones(3))[1], np.sin(b) + b * np.cos(b))


def test_zeros():
    """They cost no call of JAX, and stay zeros."""
    f = from_jax(jnp.sin)
    _, pull = rrule(f, b)
    assert isinstance(pull(NoTangent())[1], AbstractZero)
    _, y_dot = frule((NoTangent(), NoTangent()), f, b)
    assert isinstance(y_dot, AbstractZero)
    _, pull = rrule(f, np.arange(3))
    assert pull(np.ones(3)) == (NoTangent(), NoTangent())


def test_cotangents_of_one_result_among_several():
    """The others are zeros."""
    _, pull = vjp(from_jax(lambda x: {"s": jnp.sin(x), "c": jnp.cos(x), "n": jnp.argmax(x)}), b)
    np.testing.assert_allclose(pull({"s": np.ones(3), "c": np.zeros(3), "n": 0})[0], np.cos(b))


@dataclass
class Unregistered:
    """JAX does not know it."""

    weights: object


def test_refused_arguments():
    """What JAX would not find, or could not tell apart."""
    with pytest.raises(AdapterError, match="an object that JAX does not look into"):
        from_jax(lambda u: u.weights)(Unregistered(b))
    with pytest.raises(AdapterError, match="have to be hashable"):
        from_jax(lambda x, s: x)(b, {1, 2})
    with pytest.raises(TypeError, match=r"traces|traced value"):
        grad(lambda a: from_jax(lambda x: a * x)(1.0))(2.0)
    f = from_jax(lambda x: (x,) if x.shape[0] > 2 else [x])
    f(b)
    with pytest.raises(AdapterError, match="for other shapes"):
        f(b[:2])


def test_names_and_copies():
    """It is called as its function is, and can be pickled if that can."""
    f = from_jax(solution)
    assert f.__name__ == "solution"
    assert repr(f).startswith("primitive(from_jax(<function solution")
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(f))(A, b), f(A, b))


def test_nothing_is_kept():
    """A function that nobody holds goes, with all that was compiled for it."""

    def numbers_of_objects():
        for _ in range(3):
            f = from_jax(lambda x: jnp.sum(jnp.sin(x)))
            grad(f)(b)
        del f
        gc.collect()
        names = (f"{type(x).__module__}.{type(x).__name__}" for x in gc.get_objects())
        return Counter(name for name in names if name.startswith("chainrules.adapters"))

    before = numbers_of_objects()
    assert numbers_of_objects() == before


def test_equinox():
    """The parameters of a network of JAX are differentiated, where they are arrays of NumPy."""
    equinox = pytest.importorskip("equinox")
    network = equinox.nn.MLP(3, 1, 4, 1, key=jax.random.key(0))
    of_numpy = jax.tree_util.tree_map(lambda x: np.asarray(x) if equinox.is_array(x) else x, network)
    f = from_jax(lambda network, x: network(x)[0])
    gradient = grad(lambda network: f(network, b.astype(np.float32)))(of_numpy)
    expected = equinox.filter_grad(lambda network: network(b.astype(np.float32))[0])(network)
    for layer, expected_layer in zip(gradient.layers, expected.layers, strict=True):
        np.testing.assert_allclose(layer.weight, expected_layer.weight, rtol=1e-5)  # in single precision
        np.testing.assert_allclose(layer.bias, expected_layer.bias, rtol=1e-5)
