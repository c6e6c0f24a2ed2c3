"""The rules, by the testers of `chainrules-testutils`, and training by an AD system."""

import numpy as np
import pytest
from dense_layers import Chain, Dense, dense, mean_squared_error, softmax_cross_entropy
from dense_layers.layers import identity, tanh

from chainrules.ad import grad, hvp, value_and_grad
from chainrules_core import Tangent, rrule
from chainrules_testutils import test_frule, test_rrule

rng = np.random.default_rng(0)
LABELS = np.array([0, 2, 1, 0])


@pytest.mark.parametrize("activation", [tanh, identity])
@pytest.mark.parametrize("shape", [(3,), (4, 3), (0, 3)])
def test_dense(activation, shape):
    """The layer itself is differentiated, for one input and for a batch, which may be empty."""
    layer, x = Dense(rng.normal(size=(3, 2)), rng.normal(size=2), activation), rng.normal(size=shape)
    test_frule(layer, x)
    test_rrule(layer, x)


def test_an_activation_without_a_slope():
    """It is named, in the place of a wrong derivative."""
    with pytest.raises(NotImplementedError, match="SLOPES"):
        rrule(Dense(np.eye(2), np.zeros(2), np.abs), np.ones(2))[1](np.ones(2))


def test_losses():
    """By scores and targets; labels are no numbers that could move."""
    y, target = rng.normal(size=(2, 4, 3))
    test_frule(mean_squared_error, y, target)
    test_rrule(mean_squared_error, y, target)
    test_frule(softmax_cross_entropy, y, LABELS)
    test_rrule(softmax_cross_entropy, y, LABELS)


def test_large_scores():
    """They do not overflow."""
    loss, pullback = rrule(softmax_cross_entropy, np.array([[1e4, 0.0]]), np.array([1]))
    assert loss == 1e4
    np.testing.assert_array_equal(pullback(1.0)[1], [[1.0, -1.0]])


def test_a_model_learns():
    """The gradient by a model is a tangent of it, which is scaled and added to the model."""
    x = rng.normal(size=(64, 2))
    labels = (x[:, 0] * x[:, 1] > 0).astype(int)
    model = dense([2, 16, 2], rng)
    loss = value_and_grad(lambda model: softmax_cross_entropy(model(x), labels))
    first, _ = loss(model)
    for _ in range(200):
        value, gradient = loss(model)
        model = model + (-0.5) * gradient
    assert isinstance(model, Chain)
    assert isinstance(gradient, Tangent[Chain])
    assert value < 0.3 * first


def test_second_derivatives():
    """The rules are programs in NumPy, which are differentiated again."""
    x, target = rng.normal(size=(5, 3)), rng.normal(size=(5, 2))
    W, V = rng.normal(size=(2, 3, 2))

    def loss(W):
        return mean_squared_error(Dense(W, np.zeros(2), tanh)(x), target)

    step = 1e-5
    quotient = (grad(loss)(W + step * V) - grad(loss)(W - step * V)) / (2 * step)
    np.testing.assert_allclose(hvp(loss, W, V), quotient, rtol=1e-6, atol=1e-8)
