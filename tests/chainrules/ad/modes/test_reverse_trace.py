"""The record of one operation, backwards."""

import math
import operator
from dataclasses import dataclass

import numpy as np
import pytest

from chainrules.ad import call, debug_nans, grad, interception
from chainrules.ad.modes.nodes import input_node
from chainrules.ad.modes.reverse_trace import ReverseTrace
from chainrules.ad.traced.trace import CONSTANT, OPTED_OUT
from chainrules.ad.traced.tracing import traced
from chainrules_core import NoTangent, RuleNotFoundError, Tangent, ZeroTangent, primitive, rrule, typeof_
from chainrules_testutils import grad as grad_by_differences
from tests.chainrules.rule_checks import normal
from tests.python_calls import functions_run_by

X = normal(3)


def test_an_operation_is_recorded_with_the_records_of_its_arguments():
    """The node of a result has those of the arguments, and the pullback of the rule."""
    trace = ReverseTrace()
    node = input_node()

    y = trace.call(np.multiply, (1.5, 2.0), (CONSTANT, node, CONSTANT))

    _, parents, pullback = y._record
    assert (y._value, y._trace) == (3.0, trace)
    assert parents == (CONSTANT, node, CONSTANT)
    assert pullback(1.0)[1] == 2.0


def test_values_of_another_trace_are_constants():
    """A trace takes only its own values apart; the result is traced by both."""
    outer, inner = ReverseTrace(), ReverseTrace()
    x, _ = traced(1.5, outer, input_node)

    y = inner.call(np.sin, (x,), (CONSTANT, input_node()))

    assert y._trace is inner
    assert y._value._trace is outer


def test_keywords_reach_the_rule():
    """Keywords reach the rule, for one argument and for several."""
    x = normal(2, 3)

    gradient = grad(lambda x: np.sum(np.sum(x, axis=0) * x[0]))(x)
    both = grad(lambda x: np.sum(x) + np.sum(np.sum(x, axis=0) * x[0]))(x)

    np.testing.assert_allclose(gradient, [x[0] * 2 + x[1], x[0]])
    np.testing.assert_allclose(both, gradient + 1)  # where the rule is remembered without them
    assert grad(lambda x: np.sum(np.diff(x, n=1, axis=1)))(x).tolist() == [[-1.0, 0.0, 1.0]] * 2


def test_callees_that_are_not_hashable():
    """Nothing is remembered for them; their rules are found each time."""

    @dataclass
    class Scale:
        factor: float

        def __call__(self, x):
            return self.factor * x

    @rrule.dispatch
    def scale_rrule(f: Scale, x: float):
        return f(x), lambda y_bar: (Tangent[Scale](factor=x * y_bar), f.factor * y_bar)

    with pytest.raises(TypeError):
        hash(Scale(2.0))
    assert grad(lambda x: call(Scale(2.0), x))(3.0) == 2.0
    assert grad(lambda c: call(Scale(c), 3.0))(2.0) == 3.0


def test_integers_are_not_traced():
    """They have no derivative, whatever the pullback of the rule."""

    @primitive
    def floor(x):
        return x.astype(int)

    @rrule.dispatch
    def floor_rrule(f: typeof_(floor), x: np.ndarray):
        return floor(x), lambda y_bar: (NoTangent(), ZeroTangent())

    seen = []
    grad(lambda x: seen.append(floor(x)) or np.sum(x))(normal(3))

    assert type(seen[0]) is np.ndarray


@pytest.mark.parametrize("y", [2, np.array(2), np.int64(2), "text"])
def test_results_without_derivative(y):
    """They stay as they are, whatever the pullback of the rule."""

    @primitive
    def f(x):
        return y

    @rrule.dispatch
    def f_rrule(f: typeof_(f), x: float):
        return y, lambda y_bar: (NoTangent(), 0.0)

    assert ReverseTrace().call(f, (1.5,), (CONSTANT, input_node())) is y


def test_without_a_rule():
    """That is an error, unless the caller says that there is something else to call."""

    def f(x):
        return x

    arguments = f, (1.5,), (CONSTANT, input_node())
    with pytest.raises(RuleNotFoundError):
        ReverseTrace().call(*arguments)
    assert ReverseTrace().call(*arguments, None, True) is OPTED_OUT


def test_results_that_are_traced_already():
    """By this trace: the value was not among the arguments, and its derivative would be lost."""
    trace = ReverseTrace()
    hidden, _ = traced(1.5, trace, input_node)

    @primitive
    def f(x):
        return hidden

    @rrule.dispatch
    def f_rrule(f: typeof_(f), x: float):
        return hidden, lambda y_bar: (NoTangent(), y_bar)

    with pytest.raises(TypeError, match="a traced value that was not among its arguments"):
        trace.call(f, (1.5,), (CONSTANT, input_node()))


@pytest.mark.parametrize("intercepting", [True, False])
@pytest.mark.parametrize("sine", [math.sin, np.sin])
def test_rules_of_users_meet_values_of_another_trace(sine, intercepting):
    """What they call is called by its rule as well, when a rule is first used and later."""

    @primitive
    def f(x):
        return sine(x)

    @rrule.dispatch
    def f_rrule(f: typeof_(f), x: float):
        return sine(x), lambda y_bar: (NoTangent(), y_bar * sine(x + math.pi / 2))

    def second():
        with interception(intercepting):
            return grad(grad(f))(0.5)

    if sine is math.sin and not intercepting:
        with pytest.raises(TypeError, match="about to become a float"):
            second()
    else:
        for _ in range(2):
            np.testing.assert_allclose(second(), -math.sin(0.5))
        with debug_nans():
            np.testing.assert_allclose(second(), -math.sin(0.5))


@pytest.mark.parametrize(
    "f",
    [
        np.multiply,
        lambda x, c: np.multiply(c, x),
        lambda x, c: x * c,
        lambda x, c: c * x,
        lambda x, c: np.where(c > 0, x * c, c**2 * x),
        lambda x, c: np.interp(x, c, c**2),
        lambda x, c: np.sum(x, axis=0, where=c > 0.5),
        lambda x, c: np.average(x, weights=c),
        lambda x, c: np.linalg.multi_dot([x, np.eye(3), c]),
    ],
)
def test_constants_that_are_written_into(f):
    """A pullback sees them as they were when the function was called."""
    buffer = np.ones(3)

    def program(x):
        total = 0.0
        for scale in (1.0, 2.0, 3.0):
            buffer[:] = scale * np.arange(1.0, 4.0)
            total = total + np.sum(f(x * x, buffer))
        return total

    np.testing.assert_allclose(grad(program)(X), grad_by_differences(None, program, X)[0], rtol=1e-7)


LONG_WAYS = {"traced_result", "ReverseTrace._answer"}


@pytest.mark.parametrize(
    ("f", "values"),
    [
        (operator.neg, (1.5,)),
        (operator.mul, (1.5, np.float64(2.0))),
        (np.sin, (X,)),
        (np.multiply, (X, 2.0)),
        (np.multiply, (2.0, X)),
        (np.multiply, (X, X)),
        (np.multiply, (np.float32(X), np.float32(X))),
        (np.multiply, (1j * X, X)),
        (np.clip, (X, -0.5, 0.5)),
    ],
)
def test_the_short_way(f, values):
    """A rule that was used before is called at once, and its result traced at once, of any usual class.

    Constants are looked at that could be written into: arrays, not numbers.
    """
    trace = ReverseTrace()
    records = [input_node() if isinstance(x, np.ndarray) else CONSTANT for x in values]
    ran = functions_run_by(lambda: trace.call(f, values, (CONSTANT, *records)))

    assert not LONG_WAYS & ran.keys()
    if len(values) < 3:
        assert "keep" not in ran
        assert not any(name.startswith("ReverseTrace.call.<locals>") for name in ran)


def test_the_short_way_for_values_of_another_trace():
    """Rules are remembered for what these carry, and results traced at once; where somebody looks on, too."""
    x, _ = traced(X, ReverseTrace(), input_node)

    ran = functions_run_by(lambda: ReverseTrace().call(np.sin, (x,), (CONSTANT, input_node())))
    assert not LONG_WAYS & ran.keys()
    with debug_nans():
        assert "_configured_rrule" not in functions_run_by(lambda: grad(np.sin)(1.5))
