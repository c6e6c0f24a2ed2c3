"""A flat function for each row of stacked arrays."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

pytest.importorskip("jax")

from chainrules.ad import grad
from chainrules.adapters.calls import flat_call
from chainrules.adapters.flat_functions import PullbackOf
from chainrules.adapters.jax.mapped import Mapped
from chainrules_core import ZERO_TANGENT, AbstractZero
from chainrules_testutils import grad as difference_grad

rng = np.random.default_rng(0)
W, X = rng.normal(size=(2, 3)), rng.normal(size=(4, 3))


class Tensor:
    """A framework's."""


def product(W, x):
    """Two results, one of which is an integer."""
    return {"y": np.sin(W @ x), "n": 3}


def mapped(f=product, size=4, stacked=(False, True)):
    """The function for rows."""
    _, call = flat_call(f, tuple(Tensor() for _ in stacked), {}, lambda x: isinstance(x, Tensor))
    return Mapped(call, size, stacked)


def test_values():
    """Those of the rows, stacked."""
    outcome = mapped().value([W, X])
    y, n = (outcome.arrays[outcome.holes[key]] for key in ("y", "n"))
    np.testing.assert_allclose(y, np.sin(X @ W.T))
    np.testing.assert_array_equal(n, [3, 3, 3, 3])
    assert mapped().name.endswith("product")


def test_pullbacks():
    """A cotangent for each row, and the sum where there are no rows; zeros stay zeros."""
    y_bar = rng.normal(size=(4, 2))
    outcome, pull = mapped().pull([W, X], (0, 1))
    y_bars = [ZERO_TANGENT] * 2
    y_bars[outcome.holes["y"]] = y_bar
    W_bar, X_bar = pull(y_bars)
    expected = grad(lambda W, X: np.sum(y_bar * np.sin(X @ W.T)), argnums=(0, 1))(W, X)
    np.testing.assert_allclose(W_bar, expected[0])
    np.testing.assert_allclose(X_bar, expected[1])
    for x_bar in pull([ZERO_TANGENT, ZERO_TANGENT]):
        assert isinstance(x_bar, AbstractZero) or not np.any(x_bar)


def test_pushforwards():
    """Along tangents with and without rows."""
    X_dot, W_dot = rng.normal(size=X.shape), rng.normal(size=W.shape)
    for W_dot_given, X_dot_given in ((W_dot, X_dot), (ZERO_TANGENT, X_dot)):
        outcome, y_dots = mapped().push([W, X], [W_dot_given, X_dot_given])
        dot = 0.0 if isinstance(W_dot_given, AbstractZero) else X @ W_dot.T
        np.testing.assert_allclose(y_dots[outcome.holes["y"]], np.cos(X @ W.T) * (dot + X_dot @ W.T))
        assert isinstance(y_dots[outcome.holes["n"]], AbstractZero)


def test_rows_that_do_not_matter():
    """A row with a zero among rows without has zeros."""

    def first_only(x):
        return x**2 if x[0] > 0 else np.ones(3)

    rows = np.array([[1.0, 2.0, 3.0], [-1.0, 2.0, 3.0]])
    _, pull = mapped(first_only, 2, (True,)).pull([rows], (0,))
    (x_bar,) = pull([np.ones((2, 3))])
    np.testing.assert_allclose(x_bar, [[2.0, 4.0, 6.0], [0.0, 0.0, 0.0]])


def test_second_derivatives():
    """The pullback of rows is differentiated as any flat function is."""
    function = PullbackOf(mapped(lambda W, x: np.sin(W @ x)), (0,), (True,))
    y_bar = rng.normal(size=(4, 2))

    def loss(W, X):
        return np.sum(function.traced_value([W, X, y_bar]).arrays[0] ** 2)

    for found, expected in zip(
        grad(loss, argnums=(0, 1))(W, X), difference_grad(None, loss, W, X), strict=True
    ):
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-9)


def test_one_row():
    """There may be one only."""
    function = mapped(lambda x: np.sin(x) if x[0] < 9 else np.ones(3), 1, (True,))
    outcome, pull = function.pull([X[:1]], (0,))
    np.testing.assert_allclose(outcome.arrays[0], np.sin(X[:1]))
    np.testing.assert_allclose(pull([np.ones((1, 3))])[0], np.cos(X[:1]))
    np.testing.assert_allclose(function.push([X[:1]], [np.ones((1, 3))])[1][0], np.cos(X[:1]))


def test_calls_are_themselves_alone():
    """Two that are alike are two, and stay as they are: JAX keeps what was compiled of each."""
    one = mapped()
    assert len({one, Mapped(one.function, one.size, one.stacked)}) == 2
    with pytest.raises(FrozenInstanceError):
        one.size = 5
