"""The tangent of one operation, forwards."""

import functools
import math
import operator
import types

import numpy as np
import pytest

from chainrules.ad import debug_nans, jvp
from chainrules.ad.modes.forward_trace import ForwardTrace
from chainrules.ad.modes.nodes import input_node
from chainrules.ad.modes.reverse_trace import ReverseTrace
from chainrules.ad.traced.trace import CONSTANT, OPTED_OUT
from chainrules.ad.traced.tracing import traced
from chainrules_core import RuleNotFoundError, Tangent, ZeroTangent, frule, primitive, thunk, typeof_
from tests.chainrules.rule_checks import normal
from tests.python_calls import functions_run_by

X = normal(3)


def test_an_operation_computes_the_tangent_of_its_result():
    """The record of a result is its tangent; constants do not move."""
    trace = ForwardTrace()

    y = trace.call(np.multiply, (1.5, 2.0), (CONSTANT, 0.5, CONSTANT))

    assert (y._value, y._record, y._trace) == (3.0, 1.0, trace)


def test_values_of_another_trace_are_constants():
    """A trace takes only its own values apart; the result is traced by both."""
    outer, inner = ReverseTrace(), ForwardTrace()
    x, _ = traced(1.5, outer, input_node)

    y = inner.call(np.multiply, (x, 2.0), (CONSTANT, 1.0, CONSTANT))

    assert y._trace is inner
    assert y._value._trace is outer


def test_without_a_rule():
    """That is an error, unless the caller says that there is something else to call."""

    def f(x):
        return x

    arguments = f, (1.5,), (CONSTANT, 1.0)
    with pytest.raises(RuleNotFoundError):
        ForwardTrace().call(*arguments)
    assert ForwardTrace().call(*arguments, None, True) is OPTED_OUT


def test_tangents_of_containers_and_closures():
    """A container, or a closure, with values that move inside has a structural tangent."""
    seen = []

    @primitive
    def first(pair, g):
        return pair[0] * g(1.0)

    @frule.dispatch
    def first_frule(tangents, f: typeof_(first), pair: tuple, g: types.FunctionType):
        seen.append(tangents)
        _, pair_dot, g_dot = tangents
        return first(pair, g), pair_dot[0] * g(1.0) + pair[0] * g_dot.x

    _, y_dot = jvp(lambda x: first((x, 2.0), lambda y: x * y), (3.0,), (1.0,))

    assert y_dot == 6.0
    assert seen[0][1] == Tangent[tuple](1.0, ZeroTangent())


@pytest.mark.parametrize("path", [(0,), (1, "a"), (1, "b", 0), (1, "b", 1)])
def test_tangents_inside_of_containers_of_containers(path):
    """Each number moves by its own tangent, however deep it is."""

    @primitive
    def part(x):
        return functools.reduce(operator.getitem, path, x)

    @frule.dispatch
    def part_frule(tangents, f: typeof_(part), x: list):
        return part(x), functools.reduce(operator.getitem, path, tangents[1])

    x, x_dot = [1.0, {"a": 2.0, "b": (3.0, 4.0)}], [0.1, {"a": 0.2, "b": (0.3, 0.4)}]

    def program(x):
        return part([x[0], {"a": x[1]["a"], "b": (x[1]["b"][0], x[1]["b"][1])}])

    assert jvp(program, (x,), (x_dot,)) == (part(x), part(x_dot))


@pytest.mark.parametrize(
    ("y", "y_dot", "record"),
    [
        (2.0, 0.5, 0.5),
        (2.0, thunk(lambda: 0.5), 0.5),
        (np.float32(2.0), np.float32(0.5), 0.5),
        (2.0, ZeroTangent(), None),
        (2.0, thunk(ZeroTangent), None),
        (2, ZeroTangent(), None),
        (np.array(2), 0.0, None),
    ],
)
def test_tangents_of_results(y, y_dot, record):
    """Thunks are computed at once; a result without tangent, or of integers, is a constant."""

    @primitive
    def f(x):
        return y

    @frule.dispatch
    def f_frule(tangents, f: typeof_(f), x: float):
        return y, y_dot

    result = ForwardTrace().call(f, (1.5,), (CONSTANT, 1.0))

    if record is None:
        assert result is y
    else:
        assert (result._value, result._record) == (y, record)


def test_rules_of_users_meet_values_of_another_trace():
    """What they call is called by its rule as well, when a rule is first used and later."""

    @primitive
    def f(x):
        return math.sin(x)

    @frule.dispatch
    def f_frule(tangents, f: typeof_(f), x: float):
        return math.sin(x), tangents[1] * math.cos(x)

    def second():
        return jvp(lambda x: jvp(f, (x,), (1.0,))[1], (0.5,), (1.0,))[1]

    assert second() == second() == -math.sin(0.5)
    with debug_nans():
        assert second() == -math.sin(0.5)


LONG_WAYS = {"traced_result", "evaluated", "ForwardTrace._answer"}


@pytest.mark.parametrize(
    ("f", "values"),
    [
        (operator.neg, (1.5,)),
        (operator.mul, (1.5, np.float64(2.0))),
        (np.sin, (X,)),
        (np.multiply, (X, 2.0)),
        (np.multiply, (X, X)),
        (np.multiply, (np.float32(X), np.float32(X))),
        (np.multiply, (1j * X, X)),
        (np.clip, (X, -0.5, 0.5)),
    ],
)
def test_the_short_way(f, values):
    """A rule that was used before is called at once, and its result traced at once, of any usual class."""
    trace = ForwardTrace()
    ran = functions_run_by(lambda: trace.call(f, values, (CONSTANT, *values)))

    assert not LONG_WAYS & ran.keys()
    if len(values) < 3:
        assert not any(name.startswith("ForwardTrace.call.<locals>") for name in ran)


def test_the_short_way_for_values_of_another_trace():
    """Rules are remembered for what these carry; where somebody looks on, too."""
    x, _ = traced(X, ReverseTrace(), input_node)

    assert "ForwardTrace._answer" not in functions_run_by(
        lambda: ForwardTrace().call(np.sin, (x,), (CONSTANT, X))
    )
    assert "evaluated" not in functions_run_by(lambda: ForwardTrace().call(np.sin, (x,), (CONSTANT, x)))
    with debug_nans():
        assert "_configured_frule" not in functions_run_by(lambda: jvp(np.sin, (X,), (X,)))


def test_keywords_reach_the_rule():
    """They are passed on, also where the rule is remembered for calls without them."""
    x, x_dot = normal(2, 3), normal(2, 3, seed=1)

    def f(x):
        return np.sum(x) * np.sum(x, axis=0)

    expected = np.sum(x_dot) * np.sum(x, axis=0) + np.sum(x) * np.sum(x_dot, axis=0)
    np.testing.assert_allclose(jvp(f, (x,), (x_dot,))[1], expected)
