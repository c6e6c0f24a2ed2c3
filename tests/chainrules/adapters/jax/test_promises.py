"""What is said of a result before there is one, and kept."""

from dataclasses import dataclass

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402 - after the question for the framework

from chainrules.adapters import AdapterError  # noqa: E402 - likewise
from chainrules.adapters.calls import flat_call  # noqa: E402 - likewise
from chainrules.adapters.jax import to_jax  # noqa: E402 - likewise
from chainrules.adapters.jax.arrays import is_tensor  # noqa: E402 - likewise
from chainrules.adapters.jax.promises import PromisedCall  # noqa: E402 - likewise

# Of compiled programs: `jax.errors.JaxRuntimeError`, or the second when they are called again.
ERRORS = (RuntimeError, ValueError)

x = np.array([0.5, -1.0, 2.0])
singular = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])


def struct_like(x):
    """What describes an array."""
    return jax.ShapeDtypeStruct(x.shape, x.dtype)


def fails_for_positive(A):
    """It does not work for most numbers."""
    if A[0, 1] == A[1, 0]:
        raise np.linalg.LinAlgError("of symmetric matrices nothing is known")
    return {"matrix": A.T, "norm": np.sum(A)}


def described(A):
    """The result of the function above."""
    return {"matrix": struct_like(A), "norm": jax.ShapeDtypeStruct((), A.dtype)}


def test_a_description_instead_of_an_example():
    """The function is not called when JAX traces it; the gradient is right."""
    with pytest.raises(AdapterError, match=r"of symmetric matrices nothing is known.*abstract=g"):
        jax.jit(to_jax(fails_for_positive))(singular)
    f = to_jax(fails_for_positive, abstract=described)
    for transform in (lambda f: f, jax.jit):
        result = transform(f)(jnp.asarray(singular))
        np.testing.assert_array_equal(result["matrix"], singular.T)
        gradient = transform(jax.grad(lambda A: jnp.sum(f(A)["matrix"] ** 2) + f(A)["norm"]))
        np.testing.assert_allclose(gradient(jnp.asarray(singular)), 2 * singular + 1)


@dataclass
class Named:
    """A container that JAX does not know."""

    value: object
    name: str


def test_descriptions_hold_no_numbers():
    """They would pass for the result."""
    f = to_jax(lambda x: {"y": x, "n": 3}, abstract=lambda x: {"y": struct_like(x), "n": 3})
    for transform in (lambda f: f, jax.jit):
        with pytest.raises(AdapterError, match="returned a int"):
            transform(f)(jnp.asarray(x))


WRONG = {
    "shape": (lambda x: x[:2], struct_like),
    "dtype": (lambda x: x.astype(np.float32), struct_like),
    "container": (lambda x: (x, x), lambda x: [struct_like(x), struct_like(x)]),
    "number of arrays": (lambda x: (x, x), lambda x: (struct_like(x),)),
    "string": (lambda x: Named(x, "a"), lambda x: Named(struct_like(x), "b")),
}


def value_of(result):
    """The arrays in a result."""
    return result.value if isinstance(result, Named) else result


@pytest.mark.parametrize("what", WRONG)
def test_wrong_descriptions(what):
    """They are errors, compiled or not."""
    f, description = WRONG[what]
    adapted = to_jax(f, abstract=description)
    with pytest.raises(AdapterError, match="but its `abstract` function describes"):
        adapted(jnp.asarray(x))
    with pytest.raises(ERRORS, match="describes"):
        jax.block_until_ready(jax.jit(lambda x: value_of(adapted(x)))(jnp.asarray(x)))


DEPENDENT = {
    "shape": lambda x: x[x > 0],
    "dtype": lambda x: np.emath.sqrt(x) * 1.0,
    "container": lambda x: (x, x) if np.all(x > 0) else [x, x],
    "number of arrays": lambda x: (x, x) if np.all(x > 0) else (x,),
    "string": lambda x: Named(x, "positive" if np.all(x > 0) else "mixed"),
    "function": lambda x: (x, np.sin if np.all(x > 0) else np.cos),
}


@pytest.mark.parametrize("what", DEPENDENT)
def test_results_that_depend_on_values(what):
    """What was found for made-up numbers is not taken for that of others, in a compiled program."""
    f = DEPENDENT[what]

    def array(x):
        return jax.tree_util.tree_leaves(value_of(to_jax(f)(x)))[0]

    assert isinstance(array(jnp.asarray(x)), jax.Array)
    with pytest.raises(ERRORS, match="made-up numbers"):
        jax.block_until_ready(jax.jit(array)(jnp.asarray(x)))
    assert isinstance(jax.jit(array)(jnp.asarray(abs(x))), jax.Array)


def test_strings_are_confirmed():
    """Also where a program uses nothing else of the result."""
    sign = to_jax(lambda x: {"sign": "positive" if np.all(x > 0) else "mixed", "sum": np.sum(x), "n": None})

    def program(x):
        return x if sign(x)["sign"] == "positive" else -x

    for transformed in (
        program,
        lambda x: jax.vmap(program)(jnp.stack([x, x])),
        jax.grad(lambda x: jnp.sum(program(x))),
        lambda x: jax.lax.scan(lambda x, _: (program(x), None), x, None, length=2)[0],
    ):
        compiled = jax.jit(transformed)
        compiled(abs(x))
        with pytest.raises(ERRORS, match="made-up numbers"):
            jax.block_until_ready(compiled(x))
    with pytest.raises(AdapterError, match="returned 'positive' for made-up numbers"):
        jax.jit(to_jax(lambda x: "positive" if np.all(x > 0) else "mixed"))(x)


def test_closures_in_results():
    """A function in a result is the same if its code is, and what it holds."""

    def with_closure(x):
        scale = "small" if np.all(x > 0) else "large"
        return x, (lambda: scale)

    f = jax.jit(lambda x: to_jax(with_closure)(x)[0])
    np.testing.assert_array_equal(f(abs(x)), abs(x))
    with pytest.raises(ERRORS, match="made-up numbers"):
        jax.block_until_ready(f(x))


def test_promises_are_themselves_alone():
    """Two calls that are alike make two promises, which can be keys."""
    _, call = flat_call(np.sin, (jnp.ones(2),), {}, is_tensor)
    one, other = (PromisedCall(call, [jnp.ones(2)], None) for _ in range(2))
    assert one != other
    assert len({one, other}) == 2
