"""Kinks are told from smooth points by differences to both sides."""

import numpy as np
import pytest

from chainrules_testutils.advice.kinks import at_kink, kink_problem
from chainrules_testutils.advice.report import failed

SMOOTH = {
    "square": (np.square, 0.0),
    "cube": (lambda x: x**3, 0.0),
    "exp": (np.exp, 3.0),
    "relu below": (lambda x: np.maximum(x, 0.0), -1.0),
    "relu above": (lambda x: np.maximum(x, 0.0), 1.0),
    "constant": (np.ones_like, 1.0),
    "steep": (lambda x: np.tanh(20.0 * x), 0.1),
    "single precision": (lambda x: np.float32(np.exp(x)), 1.0),
    "undefined on one side": (lambda x: {}[x] if x < 0 else x, 0.0),
}
KINKS = {
    "relu": (lambda x: np.maximum(x, 0.0), 0.0),
    "abs": (np.abs, 0.0),
    "leaky": (lambda x: np.where(x > 0.0, x, 0.9 * x), 0.0),
    "floor": (np.floor, 2.0),
    "root": (lambda x: np.sqrt(np.abs(x)), 0.0),
    "single precision": (lambda x: np.float32(np.abs(x)), 0.0),
}


def problem(f, x):
    """The description for a function of one number."""
    return kink_problem(f, (x,), np.array([1.0]), np.array([2.0]))


@pytest.mark.parametrize(("f", "x"), SMOOTH.values(), ids=SMOOTH)
def test_smooth_points(f, x):
    """Where there is a derivative, or one side cannot be asked, there is no kink."""
    assert problem(f, x) is None


@pytest.mark.parametrize(("f", "x"), KINKS.values(), ids=KINKS)
def test_kinks(f, x):
    """Where the slopes differ however small the step, there is."""
    assert "one-sided differences differ" in problem(f, x)


def test_slopes_are_told():
    """The slopes are those of the weighted function, below and above."""
    assert problem(*KINKS["abs"]).startswith("one-sided differences differ, -2 below and 2 above: a kink")
    assert problem(*KINKS["leaky"]).startswith("one-sided differences differ, 1.8 below and 2 above: a kink")


def test_direction():
    """A kink in an element that does not move is none."""
    xs = (np.array([0.0, 1.0]),)

    assert kink_problem(np.abs, xs, np.array([1.0, 0.0]), np.ones(2)) is not None
    assert kink_problem(np.abs, xs, np.array([0.0, 1.0]), np.ones(2)) is None


def test_messages_at_kinks():
    """The kink is told in the first line, and the numbers stay."""
    check = at_kink(failed("here", "wrong value", "actual   1", "a wrong value"), "a kink")

    assert check.message == "here: wrong value, or a kink\nactual   1\na wrong value"


@pytest.mark.parametrize(("dtype", "steps"), [(np.float64, (1e-3, 1e-5)), (np.float32, (1e-1, 1e-2))])
def test_where_a_function_is_asked(dtype, steps):
    """At a wide and at a narrow step to both sides, by its precision."""
    asked = []

    def line(x):
        asked.append(float(x))
        return dtype(x)

    assert problem(line, 0.0) is None
    assert sorted(set(asked)) == pytest.approx(sorted([0.0, *steps, *(-step for step in steps)]))


@pytest.mark.parametrize(("dtype", "part"), [(np.float64, 1e-3), (np.float32, 1e-1)])
def test_how_far_slopes_have_to_differ(dtype, part):
    """By a part of the larger one; rounding, and curvature, make them differ by less."""

    def bent(by):
        return lambda x: dtype(x + by * abs(x) / 2)

    assert problem(bent(0.7 * part), 0.0) is None
    assert problem(bent(1.5 * part), 0.0) is not None


def test_curvature_is_no_kink():
    """Its slopes approach each other with the step, those at a kink do not; it may have both."""
    assert problem(lambda x: x**2, 0.0) is None
    assert problem(lambda x: 0.3 * abs(x) + 1e3 * x**2, 0.0) is None
    assert problem(lambda x: abs(x) + 1e2 * x**2, 0.0) is not None
