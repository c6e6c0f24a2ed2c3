"""Forward and reverse mode of calls of flat functions; what programs make of it is in `test_adapting`."""

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402 - after the question for the framework

from chainrules.adapters import AdapterError  # noqa: E402 - likewise
from chainrules.adapters.jax import to_jax  # noqa: E402 - likewise
from chainrules_core import NoTangent, frule, rrule, typeof_  # noqa: E402 - likewise

b, c = np.array([0.5, 2.0]), np.array([1.0, -3.0])


def once_only(x):
    """A function whose rules are not to be differentiated: they compute with numbers in a list."""
    return x**3


@frule.dispatch
def once_only_frule(tangents, f: typeof_(once_only), x: np.ndarray):
    """The slope, number by number."""
    return x**3, np.array([3 * value**2 * dot for value, dot in zip(x.tolist(), tangents[1], strict=True)])


@rrule.dispatch
def once_only_rrule(f: typeof_(once_only), x: np.ndarray):
    """The slope, number by number."""
    slope = np.array([3 * value**2 for value in x.tolist()])
    return x**3, lambda y_bar: (NoTangent(), slope * y_bar)


def test_what_is_linear_is_its_own_derivative():
    """Pushforwards and pullbacks are not differentiated by what they are linear in."""
    f = to_jax(once_only)
    _, pull = jax.vjp(f, b)
    for transform in (lambda f: f, jax.jit):
        _, of_pullback = transform(lambda c: jax.jvp(pull, (c,), (2 * c,)))(c)
        np.testing.assert_allclose(of_pullback[0], 6 * b**2 * c)
        (there_and_back,) = transform(lambda c: jax.linear_transpose(pull, b)((c,)))(c)
        np.testing.assert_allclose(there_and_back, 3 * b**2 * c)

        def push(x_dot):
            return jax.jvp(f, (b,), (x_dot,))[1]

        np.testing.assert_allclose(transform(jax.grad(lambda c: jnp.sum(push(c))))(c), 3 * b**2)
        np.testing.assert_allclose(transform(lambda c: jax.jvp(push, (c,), (c,)))(c)[1], 3 * b**2 * c)


def test_tangents_that_are_numbers_of_python():
    """JAX hands on a tangent as it was given, `1.0` with all others."""
    f = to_jax(np.sin)
    for x, x_dot in ((2.0, 1.0), (2.0, np.float64(3.0)), (2.0 + 1.0j, 1.0j)):
        y, y_dot = jax.jvp(f, (x,), (x_dot,))
        expected, expected_dot = jax.jvp(jnp.sin, (x,), (x_dot,))
        np.testing.assert_allclose(y, expected, rtol=1e-6)
        np.testing.assert_allclose(y_dot, expected_dot, rtol=1e-6)
    _, pushforward = jax.linearize(f, 2.0)
    np.testing.assert_allclose(pushforward(1.0), np.cos(2.0), rtol=1e-6)


def test_tangents_with_values_among_others():
    """A custom rule may give zeros for a tangent, which JAX takes for a known one."""

    @jax.custom_jvp
    def stopped(x):
        return x

    stopped.defjvp(lambda primals, tangents: (primals[0], jnp.zeros_like(primals[0])))
    f = to_jax(np.multiply)
    for transform in (lambda f: f, jax.jit):
        np.testing.assert_allclose(transform(jax.grad(lambda x: jnp.sum(f(x, stopped(c * x)))))(b), b * c)


def test_no_other_transposes():
    """A pushforward is linear in tangents only."""
    f = to_jax(np.multiply)

    def bilinear(x):
        return jax.jvp(lambda y: f(x, y), (b,), (c,))[1]

    np.testing.assert_allclose(jax.grad(lambda x: jnp.sum(bilinear(x)))(b), c)
    with pytest.raises(AdapterError, match="linear in tangents only"):
        jax.linear_transpose(bilinear, b)(b)


COMPLEX = {
    "z * conj(z)": lambda z: z * z.conj(),
    "abs(z) * z": lambda z: abs(z) * z,
    "real": lambda z: z.real,
    "exp of the conjugate": lambda z: (2j * z.conj()) ** 2 + z**3,
}
PULLED = {
    "vjp": lambda f, z, z_dot, y_bar: jax.vjp(f, z)[1](y_bar),
    "jit of vjp": lambda f, z, z_dot, y_bar: jax.jit(lambda z: jax.vjp(f, z)[1](y_bar))(z),
    "jvp": lambda f, z, z_dot, y_bar: jax.jvp(f, (z,), (z_dot,)),
    "transpose of a pullback": lambda f, z, z_dot, y_bar: jax.linear_transpose(jax.vjp(f, z)[1], y_bar)(
        (z_dot,)
    ),
    "vmap of vjp": lambda f, z, z_dot, y_bar: jax.vmap(lambda z, w: jax.vjp(f, z)[1](w))(z, y_bar),
    "hessian of a real loss": lambda f, z, z_dot, y_bar: jax.hessian(
        lambda x: jnp.sum(abs(f(x + 1j * x**2)) ** 2)
    )(z.real),
}


@pytest.mark.parametrize("pulled", PULLED)
@pytest.mark.parametrize("function", COMPLEX)
def test_complex_functions(function, pulled):
    """Functions that are not holomorphic have JAX's derivatives, which are not conjugated."""
    f, z = COMPLEX[function], jnp.array([0.5 + 1j, -0.7 + 0.2j, 0.1 - 2j])
    y = f(z)
    arguments = z, (1 - 2j) * z[::-1], ((0.5 + 0.3j) * y[::-1] if y.dtype.kind == "c" else y)
    found, expected = (PULLED[pulled](g, *arguments) for g in (to_jax(f), f))
    for x, y in zip(*map(jax.tree_util.tree_leaves, (found, expected)), strict=True):
        assert x.dtype == y.dtype
        np.testing.assert_allclose(x, y, rtol=1e-10, atol=1e-12)


def test_functions_that_are_not_linear_have_no_transpose():
    """Which is said."""
    with pytest.raises(AdapterError, match="sin is not known to be linear"):
        jax.linear_transpose(to_jax(np.sin), b)(b)
