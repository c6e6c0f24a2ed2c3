"""Random programs that carry values through containers, closures and nested differentiations."""

import collections
import functools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

from chainrules.ad import checkpoint, grad, jvp, stop_gradient, value_and_grad, vjp
from chainrules_testutils import grad as grad_by_differences


@dataclass
class Data:
    """A dataclass with two fields."""

    a: object
    b: object


class Named(NamedTuple):
    """A named tuple with two fields."""

    p: object
    q: object


# How a value is put into something, and had back.
WRAPPERS = [
    (lambda x: [x, 1.0], lambda held: held[0]),
    (lambda x: (x,), lambda held: held[0]),
    (lambda x: {"k": x, "n": 3}, lambda held: held["k"]),
    (lambda x: collections.OrderedDict(z=[x]), lambda held: held["z"][0]),
    (lambda x: Data(x, "s"), lambda held: held.a),
    (lambda x: Named(2.0, x), lambda held: held.q),
    (lambda x: lambda: x, lambda held: held()),
    (lambda x: functools.partial(lambda a: a, x), lambda held: held()),
    (lambda x: Data([x, (x,)], {"x": x}).__eq__, lambda held: held.__self__.b["x"]),
]


def through_container(t, x, wrap, unwrap):
    """In and out."""
    return unwrap(wrap(t)) + 0.1 * t


def through_checkpoint(t, x, wrap, unwrap):
    """As what the function closes over, and as its argument and result."""
    held = wrap(t)
    return checkpoint(lambda z: unwrap(held) * unwrap(z))(wrap(x))


def through_has_aux(t, x, wrap, unwrap):
    """Beside the value of an inner gradient."""
    (value, aux), gradient = value_and_grad(lambda y: (np.sum(np.tanh(y) * t), wrap(y * t)), has_aux=True)(x)
    return t * 0.2 + value + gradient * 0.1 + 0.1 * unwrap(aux)


def through_vjp(t, x, wrap, unwrap):
    """As what a function closes over that is differentiated backwards."""
    held = wrap(t)
    y, pullback = vjp(lambda y: {"a": y * unwrap(held), "b": [y]}, x)
    return 0.3 * pullback({"a": np.cos(t), "b": [t]})[0] + y["a"] * 0.1


def through_jvp(t, x, wrap, unwrap):
    """As what a function closes over that is differentiated forwards."""
    held = wrap(t)
    return jvp(lambda y: np.sin(y) * unwrap(held), (x,), (t,))[1] * 0.3


def through_map(t, x, wrap, unwrap):
    """As items of an iterator."""

    def item(z):
        return wrap(z * t)

    return sum(unwrap(made) * 0.2 for made in map(item, [t, x]))


STEPS = [through_container, through_checkpoint, through_has_aux, through_vjp, through_jvp, through_map]


def random_program(seed):
    """A function of an array, and of the values whose gradients it stops: `None` to compute them."""

    def program(x, stopped=None):
        rng = np.random.default_rng(seed)
        t, seen = np.sin(x), []
        for _ in range(rng.integers(3, 8)):
            step = rng.integers(len(STEPS) + 1)
            wrap, unwrap = WRAPPERS[rng.integers(len(WRAPPERS))]
            if step < len(STEPS):
                t = STEPS[step](t, x, wrap, unwrap)
            else:
                seen.append(stop_gradient([t, wrap(t)])[0] if stopped is None else stopped[len(seen)])
                t = t * 0.5 + seen[-1] * x
        return np.sum(np.tanh(t) * t), seen

    return program


@pytest.mark.parametrize("seed", range(60))
def test_random_programs(seed):
    """Nothing is lost: gradients are those by differences, with constants for what is stopped."""
    program = random_program(seed)
    x, x_dot = np.random.default_rng(seed).normal(size=(2, 2)) * 0.7
    stopped = program(x)[1]
    (expected,) = grad_by_differences(None, lambda x: program(x, stopped)[0], x)

    actual = grad(lambda x: program(x)[0])(x)
    np.testing.assert_allclose(actual, expected, rtol=1e-6, atol=1e-7)
    y_dot = jvp(lambda x: program(x)[0], (x,), (x_dot,))[1]
    np.testing.assert_allclose(y_dot, actual @ x_dot, rtol=1e-9, atol=1e-9)
