"""The tangent of one operation, forwards."""

import types

import numpy as np

from chainrules.ad import jvp
from chainrules.ad.forward_trace import ForwardTrace
from chainrules.ad.nodes import input_node
from chainrules.ad.reverse_trace import ReverseTrace
from chainrules.ad.trace import CONSTANT
from chainrules.ad.tracing import traced
from chainrules_core import (
    Tangent,
    ZeroTangent,
    frule,
    primitive,
    typeof_,
)
from tests.chainrules.rule_checks import normal


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


def test_keywords_reach_the_rule():
    """They are passed on, also where the rule is remembered for calls without them."""
    x, x_dot = normal(2, 3), normal(2, 3, seed=1)

    def f(x):
        return np.sum(x) * np.sum(x, axis=0)

    expected = np.sum(x_dot) * np.sum(x, axis=0) + np.sum(x) * np.sum(x_dot, axis=0)
    np.testing.assert_allclose(jvp(f, (x,), (x_dot,))[1], expected)
