"""Every case under every transform of JAX."""

import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402 - after the question for the framework

from chainrules.adapters import to_jax  # noqa: E402 - likewise
from tests.chainrules.adapters.conformance.checks import assert_close, batch, cases_of, check, contracted  # noqa: E402 - likewise


@pytest.fixture(autouse=True)
def double_precision():
    """JAX computes in single precision unless told otherwise."""
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


def tensors(arrays):
    """JAX's arrays with the same numbers."""
    return tuple(map(jnp.asarray, arrays))


def function(case):
    """The adapted function, of the arrays that have derivatives, to a tuple of arrays."""
    call = case.of_floats(to_jax, jnp.asarray)
    return lambda *floats: tuple(call(*floats))


def loss(case):
    """The weighed sum of its results."""
    call, weights = function(case), case.weights()
    return lambda *floats: sum(jnp.sum(w * y) for w, y in zip(weights, call(*floats), strict=True))


def places(case):
    """The numbers of the arguments."""
    return tuple(range(len(case.floats())))


def value(case):
    """The results."""
    assert_close(function(case)(*tensors(case.floats())), case.values(*case.floats()))


def gradient_by(transform):
    """The gradient, perhaps compiled."""

    def check_gradient(case):
        assert_close(transform(jax.grad(loss(case), places(case)))(*tensors(case.floats())), case.gradient())

    return check_gradient


def vjp(case):
    """A pullback."""
    _, pullback = jax.vjp(function(case), *tensors(case.floats()))
    assert_close(pullback(tensors(case.weights())), case.gradient())


def jvp(case):
    """A pushforward."""
    _, slopes = jax.jvp(function(case), tensors(case.floats()), tensors(case.directions()))
    assert_close(slopes, case.slopes())


def jit(case):
    """The results of the compiled function."""
    assert_close(jax.jit(function(case))(*tensors(case.floats())), case.values(*case.floats()))


def grad_of_grad(case):
    """Backwards twice."""
    directions = tensors(case.directions())

    def slope(*floats):
        gradient = jax.grad(loss(case), places(case))(*floats)
        return sum(jnp.sum(g * d) for g, d in zip(gradient, directions, strict=True))

    assert_close(jax.grad(slope, places(case))(*tensors(case.floats())), case.curvature())


def jacobian_by(transform):
    """Jacobians, which are contracted with the directions."""

    def check_jacobian(case):
        blocks = transform(function(case), places(case))(*tensors(case.floats()))
        assert_close([contracted(rows, case.directions()) for rows in blocks], case.slopes())

    return check_jacobian


def hessian(case):
    """The Hessian, which is contracted with the directions."""
    blocks = jax.hessian(loss(case), places(case))(*tensors(case.floats()))
    assert_close([contracted(rows, case.directions()) for rows in blocks], case.curvature())


def vmap(case):
    """Many calls at once."""
    sets, stacked = batch(case)
    found = jax.vmap(function(case))(*tensors(stacked))
    for number, floats in enumerate(sets):
        assert_close([y[number] for y in found], case.values(*floats))


def vmap_of_grad(case):
    """A gradient for each sample."""
    sets, stacked = batch(case)
    found = jax.vmap(jax.grad(loss(case), places(case)))(*tensors(stacked))
    for number, floats in enumerate(sets):
        assert_close([g[number] for g in found], case.at(floats).gradient())


def checkpoint(case):
    """The gradient of a function that is computed again on the way back."""
    found = jax.grad(jax.checkpoint(loss(case)), places(case))(*tensors(case.floats()))
    assert_close(found, case.gradient())


def linearize(case):
    """The linear map at a point."""
    _, linear = jax.linearize(function(case), *tensors(case.floats()))
    assert_close(linear(*tensors(case.directions())), case.slopes())


def scan(case):
    """The gradient through a loop of JAX's."""
    f = loss(case)

    def repeated(*floats):
        return jax.lax.scan(lambda total, _: (total + f(*floats), None), jnp.float64(0.0), None, length=2)[0]

    found = jax.grad(repeated, places(case))(*tensors(case.floats()))
    assert_close(found, [2.0 * g for g in case.gradient()])


TRANSFORMS = {
    "value": value,
    "grad": gradient_by(lambda f: f),
    "vjp": vjp,
    "jvp": jvp,
    "jit": jit,
    "jit of grad": gradient_by(jax.jit),
    "grad of grad": grad_of_grad,
    "jacrev": jacobian_by(jax.jacrev),
    "jacfwd": jacobian_by(jax.jacfwd),
    "hessian": hessian,
    "vmap": vmap,
    "vmap of grad": vmap_of_grad,
    "checkpoint": checkpoint,
    "linearize": linearize,
    "scan": scan,
}


@cases_of("JAX")
def test_jax(transform, case):
    """It is right, or refused with a reason."""
    check("JAX", TRANSFORMS, transform, case)
