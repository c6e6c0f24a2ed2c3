"""Derivatives of functions of JAX, as functions of JAX."""

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402 - after the question for the framework

from chainrules.adapters.jax.derivatives_by_jax import KeptPullback, pullback_of, pushforward_of  # noqa: E402 - likewise

rng = np.random.default_rng(0)
A = rng.normal(size=(3, 3))
z, w = rng.normal(size=(2, 3)) + 1j * rng.normal(size=(2, 3))


def linear(A, z, n):
    """Linear in its second argument, with a result without derivatives."""
    return [A @ z * (1 + 2j), n]


def test_pullbacks_are_adjoints():
    """Cotangents are conjugated on their way: ``<y_bar, L x_dot> == <L* y_bar, x_dot>``."""
    _, _, y_dot, n = pushforward_of(linear, (1,), 3)(A, z, 2, z)
    (z_bar,) = pullback_of(linear, (1,), 3)(A, z, 2, w)
    np.testing.assert_allclose(jnp.vdot(w, y_dot), jnp.vdot(z_bar, z))
    assert n == 2


def test_kept_pullbacks():
    """They are as those from the beginning, and compute the result once."""
    traces = []

    def counted(*xs):
        traces.append(xs)
        return linear(*xs)

    kept = KeptPullback(counted, (0, 1))
    for _ in range(2):
        ys, arrays = kept.value(A, z, 2)
        np.testing.assert_allclose(ys[0], linear(A, z, 2)[0])
        for found, expected in zip(
            kept.pull(arrays, [w]), pullback_of(linear, (0, 1), 3)(A, z, 2, w), strict=True
        ):
            np.testing.assert_allclose(found, expected)
    assert len(traces) == 1
