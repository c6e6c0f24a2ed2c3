"""Functions adapted to JAX beside callbacks that are written by hand, with the same rule."""

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.measure import Row, fastest
from chainrules_core import rrule, unthunk

AT_MOST = 1.3


def rows() -> Iterator[Row]:
    """The gradient of a solution of three equations."""
    if importlib.util.find_spec("jax") is None:
        return
    import jax

    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    try:
        yield from _rows()
    finally:
        jax.config.update("jax_enable_x64", before)


def _rows() -> Iterator[Row]:
    import jax
    import jax.numpy as jnp

    from chainrules.adapters import from_jax, to_jax

    A = jnp.asarray(np.random.default_rng(0).normal(size=(3, 3)) + 3.0 * np.eye(3))
    b = jnp.arange(3.0)
    adapted, by_hand = to_jax(np.linalg.solve), _solve_by_hand()

    def gradient(solve: Callable[..., Any]) -> Callable[..., Any]:
        return jax.grad(lambda A, b: jnp.sum(jnp.sin(solve(A, b))), argnums=(0, 1))

    for what, transform, target in (
        ("the jitted gradient", lambda f: jax.jit(gradient(f)), AT_MOST),
        ("the gradient, not jitted,", gradient, AT_MOST),
        ("the value", lambda f: f, AT_MOST),
        ("10 jitted gradients by vmap", lambda f: _of_rows(jax, jnp, gradient(f)), AT_MOST),
    ):
        ours, theirs = transform(adapted), transform(by_hand)
        for found, expected in zip(
            jax.tree_util.tree_leaves(ours(A, b)), jax.tree_util.tree_leaves(theirs(A, b)), strict=True
        ):
            np.testing.assert_allclose(found, expected)
        times = fastest(
            lambda ours=ours: jax.block_until_ready(ours(A, b)),
            lambda theirs=theirs: jax.block_until_ready(theirs(A, b)),
        )
        yield Row(
            f"{what} of a solution by to_jax",
            "custom_vjp and pure_callback, by hand",
            times[0] / times[1],
            target,
        )

    likelihood = lambda x: jnp.sum(jnp.log1p(jnp.exp(x)))  # noqa: E731 - a name would say less
    rule, native = from_jax(likelihood), jax.jit(jax.value_and_grad(likelihood))
    for size in (10, 1_000_000):
        x = np.linspace(-1.0, 1.0, size)
        times = fastest(lambda x=x: rrule(rule, x)[1](1.0), lambda x=x: np.asarray(native(x)[1]))
        yield Row(
            f"the rule of from_jax(f), for {size} numbers", "jit of JAX's gradient", times[0] / times[1]
        )


def _of_rows(jax: Any, jnp: Any, gradient: Callable[..., Any]) -> Callable[..., Any]:
    return jax.jit(lambda A, b: jax.vmap(gradient)(jnp.stack([A] * 10), jnp.stack([b] * 10)))


def _solve_by_hand() -> Callable[..., Any]:
    """What people write: the function and its rule in two callbacks."""
    import jax

    def like(x: Any) -> Any:
        return jax.ShapeDtypeStruct(x.shape, x.dtype)

    def pull(A: Any, b: Any, x_bar: Any) -> Any:
        _, pullback = rrule(np.linalg.solve, np.asarray(A), np.asarray(b))
        _, A_bar, b_bar = pullback(np.asarray(x_bar))
        return unthunk(A_bar), unthunk(b_bar)

    @jax.custom_vjp
    def solve(A: Any, b: Any) -> Any:
        return jax.pure_callback(np.linalg.solve, like(b), A, b, vmap_method="sequential")

    solve.defvjp(
        lambda A, b: (solve(A, b), (A, b)),
        lambda kept, x_bar: jax.pure_callback(
            pull, tuple(map(like, kept)), *kept, x_bar, vmap_method="sequential"
        ),
    )
    return solve
