"""The rules; loaded through the entry point.

A layer is called, so that it is the function of its own rule: its first cotangent is that of its parameters.
With ``y = a(z)``, ``z = x W + b``: ``z_bar = a'(z) y_bar``, ``W_bar = xᵀ z_bar``, ``x_bar = z_bar Wᵀ``, and
``b_bar`` is the sum of ``z_bar`` over the batch. Models need no rule: an AD system follows their layers.
"""

from typing import Any

import numpy as np

from chainrules_core import (
    NoTangent,
    ProjectTo,
    Tangent,
    ZeroTangent,
    frule,
    rrule,
    thunk,
    typeof_,
    unbroadcast,
)
from dense_layers.layers import SLOPES, Dense, mean_squared_error, softmax_cross_entropy


def slope(layer: Dense, y: np.ndarray) -> Any:
    """The derivative of the activation."""
    if layer.activation not in SLOPES:
        raise NotImplementedError(f"{layer.activation!r} has no derivative in `SLOPES`: add its own there.")
    return SLOPES[layer.activation](y)


@frule.dispatch
def dense_frule(tangents: Any, layer: Dense, x: np.ndarray) -> Any:
    layer_dot, x_dot = tangents
    W_dot, b_dot = (getattr(layer_dot, name, ZeroTangent()) for name in ("W", "b"))
    y = layer.activation(x @ layer.W + layer.b)
    return y, slope(layer, y) * (x @ W_dot + b_dot + x_dot @ layer.W)


@rrule.dispatch
def dense_rrule(layer: Dense, x: np.ndarray) -> Any:
    y = layer.activation(x @ layer.W + layer.b)
    project_W, project_x = ProjectTo(layer.W), ProjectTo(x)

    def dense_pullback(y_bar: Any) -> Any:
        z_bar = slope(layer, y) * y_bar
        rows, row_bars = np.atleast_2d(x), np.atleast_2d(z_bar)
        W_bar = thunk(lambda: project_W(rows.T @ row_bars))
        layer_bar = Tangent[Dense](W=W_bar, b=unbroadcast(layer.b, z_bar), activation=NoTangent())
        return layer_bar, thunk(lambda: project_x(z_bar @ layer.W.T))

    return y, dense_pullback


@frule.dispatch
def mean_squared_error_frule(
    tangents: Any, f: typeof_(mean_squared_error), y: np.ndarray, target: np.ndarray
) -> Any:
    _, y_dot, target_dot = tangents
    return mean_squared_error(y, target), 2 * np.mean((y - target) * (0 * y + y_dot - target_dot))


@rrule.dispatch
def mean_squared_error_rrule(f: typeof_(mean_squared_error), y: np.ndarray, target: np.ndarray) -> Any:
    error = y - target

    def mean_squared_error_pullback(loss_bar: Any) -> Any:
        error_bar = (2 / np.size(error)) * loss_bar * error
        return NoTangent(), unbroadcast(y, error_bar), unbroadcast(target, -error_bar)

    return np.mean(error**2), mean_squared_error_pullback


def probabilities(scores: np.ndarray) -> np.ndarray:
    """The softmax of each row."""
    powers = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return powers / np.sum(powers, axis=-1, keepdims=True)


def differences(scores: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """The derivative of the loss by the scores."""
    return (probabilities(scores) - (np.arange(scores.shape[-1]) == labels[:, None])) / len(labels)


@frule.dispatch
def softmax_cross_entropy_frule(
    tangents: Any, f: typeof_(softmax_cross_entropy), scores: np.ndarray, labels: np.ndarray
) -> Any:
    return softmax_cross_entropy(scores, labels), np.sum(differences(scores, labels) * tangents[1])


@rrule.dispatch
def softmax_cross_entropy_rrule(
    f: typeof_(softmax_cross_entropy), scores: np.ndarray, labels: np.ndarray
) -> Any:
    def softmax_cross_entropy_pullback(loss_bar: Any) -> Any:
        return NoTangent(), loss_bar * differences(scores, labels), NoTangent()

    return softmax_cross_entropy(scores, labels), softmax_cross_entropy_pullback
