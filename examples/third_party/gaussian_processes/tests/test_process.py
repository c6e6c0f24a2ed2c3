"""The rules, by the testers of `chainrules-testutils`, and one fit by three systems."""

import numpy as np
import pytest
from gaussian_processes import forecast, log_evidence, squared_exponential

from chainrules.ad import value_and_grad
from chainrules_testutils import test_frule, test_rrule

rng = np.random.default_rng(0)
X, Y = rng.normal(size=(6, 2)), rng.normal(size=(4, 2))
LENGTHS = np.array([0.7, 1.4])
y = np.sin(X[:, 0]) + 0.1 * rng.normal(size=6)
START = np.array([0.0, 0.0, 0.0, -1.0])


def test_covariance():
    """By the points of both sides and the parameters, in both modes."""
    test_frule(squared_exponential, X, Y, 1.3, LENGTHS)
    test_rrule(squared_exponential, X, Y, 1.3, LENGTHS)


def test_evidence():
    """By the covariance, the data and the noise, in both modes."""
    K = squared_exponential(X, X, 1.3, LENGTHS) + 2 * np.eye(6)
    test_frule(log_evidence, K, y, 0.3)
    test_rrule(log_evidence, K, y, 0.3)


def loss(exp):
    """Minus the evidence by the logarithms of the parameters, with the exponential of a framework."""

    def of_parameters(p):
        K = squared_exponential(X, X, exp(p[0]), exp(p[1:3]))
        return -log_evidence(K, y, exp(p[3]))

    return of_parameters


def fitted(gradient):
    """The parameters after some steps of descent."""
    p = START
    for _ in range(30):
        p = p - 0.02 * gradient(p)
    return p


def by_chainrules():
    """The parameters, by `chainrules.ad`."""
    return fitted(lambda p: value_and_grad(loss(np.exp))(p)[1])


def test_the_data_become_more_probable():
    """The gradient points the right way, and a forecast at the old points is near the data."""
    p = by_chainrules()
    assert loss(np.exp)(p) < loss(np.exp)(START) - 0.1
    K = squared_exponential(X, X, np.exp(p[0]), np.exp(p[1:3]))
    mean, variance = forecast(K, K, K, y, 0.01)
    np.testing.assert_allclose(mean, y, atol=0.1)  # the noise has the standard deviation 0.1
    assert np.all(variance > -1e-12)


def test_torch():
    """PyTorch fits the same functions, which it has never seen."""
    torch = pytest.importorskip("torch")

    def gradient(p):
        leaf = torch.tensor(p, requires_grad=True)
        loss(torch.exp)(leaf).backward()
        return leaf.grad.numpy()

    np.testing.assert_allclose(fitted(gradient), by_chainrules(), rtol=1e-10)


def test_jax():
    """JAX does, compiled."""
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    gradient = jax.jit(jax.grad(loss(jax.numpy.exp)))
    np.testing.assert_allclose(fitted(lambda p: np.asarray(gradient(p))), by_chainrules(), rtol=1e-8)
