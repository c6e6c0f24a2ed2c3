"""Programs of many operations: how deep they may be, and how long what they make is held."""

import contextlib
import sys
import weakref

import numpy as np
import pytest

from chainrules.ad import grad, jvp
from chainrules_core import NoTangent, primitive, rrule, typeof_
from tests.chainrules.rule_checks import normal


@contextlib.contextmanager
def little_recursion():
    """A limit that calls which follow a chain of operations would exceed."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(250)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


@pytest.mark.at_length
@pytest.mark.parametrize(("x", "n"), [(1.0, 200_000), (np.ones(1), 50_000)])
def test_long_chains(x, n):
    """They are differentiated and freed without recursion."""

    def f(x):
        for _ in range(n):
            x = x * 1.00001
        return np.sum(x)

    with little_recursion():
        gradient = grad(f)(x)
    assert np.sum(gradient) == pytest.approx(1.00001**n, rel=1e-6)


def test_long_chains_of_second_derivatives():
    """Long chains are differentiated twice, backwards over forwards and over backwards."""
    n = 600

    def f(x):
        for _ in range(n):
            x = x + 0.001 * x * x
        return x

    with little_recursion():
        second = grad(grad(f))(0.1)
        assert jvp(grad(f), (0.1,), (1.0,))[1] == pytest.approx(second)
        assert grad(lambda x: jvp(f, (x,), (1.0,))[1])(0.1) == pytest.approx(second)


def test_what_was_recorded_is_freed_while_cotangents_pass():
    """`grad` does not hold the operations that are done with."""
    kept, most = [], []

    class Residual(np.ndarray):
        """An array that can be counted."""

    @primitive
    def step(x):
        return x + 1.0

    @rrule.dispatch
    def step_rrule(f: typeof_(step), x: np.ndarray):
        residual = np.ones(3).view(Residual)
        kept.append(weakref.ref(residual))

        def step_pullback(y_bar):
            most.append(sum(ref() is not None for ref in kept))
            return NoTangent(), np.asarray(residual * y_bar)

        return x + 1.0, step_pullback

    def f(x):
        for _ in range(10):
            x = step(x)
        return np.sum(x)

    grad(f)(normal(3))

    assert most == list(range(10, 0, -1))
    assert not any(ref() for ref in kept)


def test_what_does_not_reach_a_held_value_is_freed_while_tracing():
    """The record holds only what leads to values that the program still holds."""
    alive = []

    def f(x):
        for _ in range(10):
            side = np.sin(x)
            alive.append(weakref.ref(side))
        del side
        assert sum(ref() is not None for ref in alive) == 0
        return x * x

    assert grad(f)(3.0) == 6.0


def test_cotangents_are_released_as_soon_as_they_are_used():
    """At any time backwards there is one cotangent of a chain, not all of them."""
    alive, most = [], []

    class Counted(np.ndarray):
        """An array that can be counted."""

    @primitive
    def step(x):
        return x + 1.0

    @rrule.dispatch
    def step_rrule(f: typeof_(step), x: np.ndarray):
        def step_pullback(y_bar):
            x_bar = np.array(y_bar).view(Counted)
            alive.append(weakref.ref(x_bar))
            most.append(sum(ref() is not None for ref in alive))
            return NoTangent(), x_bar

        return x + 1.0, step_pullback

    def f(x):
        for _ in range(50):
            x = step(x)
        return np.sum(x)

    grad(f)(normal(3))

    assert max(most) <= 3
