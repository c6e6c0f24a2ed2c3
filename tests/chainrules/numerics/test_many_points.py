"""The derivatives of a function at many points, by one call and by many."""

import math

import numpy as np
import pytest

from chainrules.ad import ADConfig
from chainrules.numerics.many_points import Points, TooManyPointsError
from chainrules_core import NO_TANGENT, unthunk

T, Y = np.linspace(0.1, 1.0, 5), np.random.default_rng(0).normal(size=(2, 5))


FUNCTIONS = {
    "array": (lambda t, y, a: np.stack([a * y[0] * t, y[1] ** 2]), True),
    "list": (lambda t, y, a: [y[1], a * y[0]], True),
    "constant": (lambda t, y, a: [y[1], 2.0], True),
    "of numbers": (lambda t, y, a: [math.sin(t) * y[0] * a, y[1]], False),
    "branch": (lambda t, y, a: np.stack([a * y[0], y[1]]) if t > 0.5 else y * t, False),
    "quiet branch": (lambda t, y, a: a * y if np.all(y > 0.0) else y * y, False),
    "sum": (lambda t, y, a: y * np.sum(y) * a, False),
    "other shape": (lambda t, y, a: np.reshape(y, -1) * a, False),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_pull(name):
    """It agrees with the sum of what each point by itself gives, whether they are taken together or not."""
    f, together = FUNCTIONS[name]
    points = Points(ADConfig(), f, (T, Y), (1.3,))
    rows_bar = np.random.default_rng(1).normal(size=(2, 5))
    expected, found = points.pull_one_by_one()(rows_bar), points.pull(together=True)(rows_bar)
    for x_bar, y_bar in zip(expected[1], found[1], strict=True):
        np.testing.assert_allclose(y_bar, x_bar, atol=1e-14)
    np.testing.assert_allclose(unthunk(found[2][0] + 0.0), unthunk(expected[2][0] + 0.0))
    name = "Points.pull_together" if together else "Points.pull_one_by_one"
    assert points.pull(together=True).__qualname__.startswith(name)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_pull_with_copies(name):
    """Several cotangents for each point are pulled back at once, as one after the other."""
    f, _ = FUNCTIONS[name]
    pull, alone = (Points(ADConfig(), f, (T, Y), (1.3,), n).pull(together=True) for n in (3, 1))
    several = np.random.default_rng(1).normal(size=(3, 2, 5))
    t_bars, y_bars = pull(np.concatenate(list(several), axis=1))[1]
    for k, rows_bar in enumerate(several):
        _, (t_bar, y_bar), (a_bar,) = alone(rows_bar)
        of_copy = slice(5 * k, 5 * k + 5)
        np.testing.assert_allclose(t_bars[of_copy], t_bar, atol=1e-14)
        np.testing.assert_allclose(y_bars[:, of_copy], y_bar, atol=1e-14)
        np.testing.assert_allclose(unthunk(pull(rows_bar)[2][0] + 0.0), unthunk(a_bar + 0.0))


@pytest.mark.parametrize("copies", [1, 3])
def test_pull_at_one_point(copies):
    """It is the first point and the last one, at which the derivatives are compared."""
    pull = Points(ADConfig(), lambda t, y, a: a * y * t, (T[:1], Y[:, :1]), (1.3,), copies).pull(
        together=True
    )
    assert pull.__qualname__.startswith("Points.pull_together")
    _, (t_bar, y_bar), (a_bar,) = pull(np.ones((2, 1)))
    np.testing.assert_allclose(t_bar, [1.3 * np.sum(Y[:, 0])])
    np.testing.assert_allclose(y_bar, np.full((2, 1), 1.3 * T[0]))
    np.testing.assert_allclose(unthunk(a_bar), T[0] * np.sum(Y[:, 0]))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_push(name):
    """It is the adjoint of the pullback."""
    f, _ = FUNCTIONS[name]
    points = Points(ADConfig(), f, (T, Y), (1.3,))
    rng = np.random.default_rng(2)
    rows_bar, t_dot, y_dot = rng.normal(size=(2, 5)), rng.normal(size=5), rng.normal(size=(2, 5))
    found = points.push(together=True)(NO_TANGENT, (t_dot, y_dot), (0.7,))
    _, (t_bar, y_bar), (a_bar,) = points.pull_one_by_one()(rows_bar)
    pulled = np.sum(t_bar * t_dot) + np.sum(y_bar * y_dot) + 0.7 * np.sum(a_bar + np.zeros(()))
    np.testing.assert_allclose(np.sum(found * rows_bar), pulled)


def test_a_parameter_that_the_points_would_spread():
    """An array of as many numbers as there are points is not taken for one of a number each."""
    a = np.linspace(1.0, 2.0, 5)
    points = Points(ADConfig(), lambda t, y, a: y * a[0] + 0.0 * y * np.sum(a), (T, Y), (a,))
    _, _, (a_bar,) = points.pull(together=True)(np.ones((2, 5)))
    np.testing.assert_allclose(a_bar, [np.sum(Y), 0.0, 0.0, 0.0, 0.0], atol=1e-14)


@pytest.mark.parametrize("mode", ["pull", "push"])
def test_errors_of_the_function(mode):
    """One at a point by itself is the function's own; one with all points says that it is written for one."""

    def positive(t, y):
        if np.ndim(t) == 0 and t > 0.9:
            raise KeyError("no such entry")
        return y

    with pytest.raises(KeyError, match="no such entry"):
        getattr(Points(ADConfig(), positive, (T, Y), ()), mode)(together=True)
    named = Points(ADConfig(), lambda t, y: y if np.ndim(t) == 0 else {}["?"], (T, Y), ())
    assert getattr(named, mode)(together=True).__qualname__ != "Points.pull_together.<locals>.pull"


def test_values_that_are_no_numbers():
    """They are nobody's points."""
    points = Points(ADConfig(), lambda t, a: np.full(np.shape(t), "?"), (T,), (1.0,))
    with pytest.raises(TooManyPointsError):
        points.pull(together=True, most=0)
