"""Derivatives on the workers of a cluster of Dask: what is sent there, and what comes back."""

import cloudpickle
import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad, value_and_grad, vjp
from chainrules_core import NoTangent, rrule, unthunk
from tests.chainrules.lazy_checks import lazily

pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
Y = (X[:, 0] > 0).astype(float)
W = RNG.normal(size=3)
P = np.abs(X) + 0.5


@pytest.fixture(scope="module")
def client():
    """Two processes of one thread each."""
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        yield client


def loss(w, X, y):
    """The loss of a logistic regression."""
    z = X @ w
    return np.mean(np.logaddexp(0.0, z) - y * z)


def test_gradients_are_computed_by_the_workers(client):
    """Value and gradient in one computation, equal to NumPy's."""
    lazy = value_and_grad(loss)(W, lazily(X, (10, 3)), lazily(Y, 10))
    value, gradient = client.gather(client.compute(lazy))
    expected = value_and_grad(loss)(W, X, Y)

    np.testing.assert_allclose(value, expected[0], rtol=1e-12)
    np.testing.assert_allclose(gradient, expected[1], rtol=1e-12)


def test_functions_that_work_block_by_block_travel(client):
    """Derivatives that are functions of our own are found by the workers."""
    gradient = grad(lambda x: np.sum(special.digamma(x) + special.betaln(x, 2.0)))
    lazy = gradient(lazily(P, (10, 3)))

    np.testing.assert_allclose(client.compute(lazy).result(), gradient(P), rtol=1e-12)


def test_programs_are_differentiated_in_tasks(client):
    """A task of one's own may take gradients."""
    future = client.submit(grad(loss), W, X, Y)

    np.testing.assert_allclose(future.result(), grad(loss)(W, X, Y), rtol=1e-12)


PULLBACKS = {
    "exp": lambda: rrule(np.exp, X),
    "sum": lambda: rrule(np.sum, X, 0),
    "max": lambda: rrule(np.max, X, axis=0),
    "multiply": lambda: rrule(np.multiply, X, W),
    "norm": lambda: rrule(np.linalg.norm, X),
    "solve": lambda: rrule(np.linalg.solve, X[:3] + 4 * np.eye(3), W),
    "where": lambda: rrule(np.where, X > 0, X, 0.0),
    "gammaln": lambda: rrule(special.gammaln, P),
    "item": lambda: rrule(np.take, X, np.array([0, 2, 2]), axis=0),
    "traced": lambda: vjp(loss, W, X, Y),
    "matmul of lazy arrays": lambda: rrule(np.matmul, lazily(X), W),
}


def pulled(pullback, y_bar):
    """Make the cotangents that a pullback gives, thunks computed."""
    return tuple(unthunk(x_bar) for x_bar in pullback(y_bar))


@pytest.mark.parametrize("name", PULLBACKS)
def test_pullbacks_travel(name, client):
    """A pullback is made here, called by a worker, and its cotangents come back."""
    y, pullback = PULLBACKS[name]()
    travelled = client.submit(pulled, client.scatter(pullback, hash=False), y).result()

    for x_bar, expected in zip(travelled, pulled(pullback, y), strict=True):
        if isinstance(expected, NoTangent):
            assert x_bar is NoTangent()
        else:
            np.testing.assert_allclose(np.asarray(x_bar), np.asarray(expected), rtol=1e-12)


def test_pullbacks_are_pickled_by_cloudpickle():
    """Without a cluster too."""
    y, pullback = rrule(np.exp, X)
    again = cloudpickle.loads(cloudpickle.dumps(pullback))

    np.testing.assert_array_equal(again(y)[1], pullback(y)[1])
