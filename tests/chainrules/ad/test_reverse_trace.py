"""The record of one operation, backwards."""

from dataclasses import dataclass

import numpy as np
import pytest

from chainrules.ad import call, grad
from chainrules.ad.nodes import input_node
from chainrules.ad.reverse_trace import ReverseTrace
from chainrules.ad.trace import CONSTANT
from chainrules.ad.tracing import traced
from chainrules_core import (
    NoTangent,
    Tangent,
    ZeroTangent,
    primitive,
    rrule,
    typeof_,
)
from tests.chainrules.rule_checks import normal


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
