"""Wrong rules whose calls are not apart from each other, or from their arguments, for both modes.

A factory makes each rule, since a call changes what it remembers: ``(make, f, args, says)``. `make` returns
the pair of a rule for reverse mode and of one for forward mode.
"""

# ruff: noqa: D103 - a wrong rule's name says what is wrong with it

import numpy as np
import pytest

from chainrules_core import NoTangent
from tests.chainrules_testutils.calls import V

REMEMBERING = []


def remembers(f, *args, says):
    """Register a factory of wrong rules of a call, and a regular expression for the message."""

    def register(make):
        REMEMBERING.append(pytest.param(make, f, args, says, id=make.__name__))
        return make

    return register


def exponential(x):
    return np.exp(x)


def plus_zero(x):
    return x + 0.0


@remembers(
    exponential,
    V,
    says="the primal value changed when the rule was called with other arguments",
)
def one_buffer_for_all_results():
    buffer = np.empty_like(V)

    def rrule_f(config, f, x):
        y, slope = np.exp(x, out=buffer), np.exp(x)
        return y, lambda y_bar: (NoTangent(), slope * y_bar)

    return rrule_f, lambda config, tangents, f, x: (np.exp(x, out=buffer), np.exp(x) * tangents[1])


@remembers(exponential, V, says="another call .*: the (cotangents|tangent of the output) changed when")
def the_latest_call():
    state, buffer = {}, np.empty_like(V)

    def rrule_f(config, f, x):
        y = state["y"] = np.exp(x)
        return y, lambda y_bar: (NoTangent(), state["y"] * y_bar)

    def frule_f(config, tangents, f, x):
        return np.exp(x), np.multiply(np.exp(x), tangents[1], out=buffer)

    return rrule_f, frule_f


@remembers(
    exponential,
    V,
    says="with other arguments the rule gives the same (co)?tangent.*, wrong there",
)
def the_first_call():
    slopes = {}

    def slope(x):
        return slopes.setdefault(x.shape, np.exp(x))

    def rrule_f(config, f, x):
        k = slope(x)
        return np.exp(x), lambda y_bar: (NoTangent(), k * y_bar)

    return rrule_f, lambda config, tangents, f, x: (np.exp(x), slope(x) * tangents[1])


@remembers(exponential, 0.7, says="not linear: it does not give -1024 times")
def positive_tangents():
    def rrule_f(config, f, x):
        return np.exp(x), lambda y_bar: (NoTangent(), np.exp(x) * np.sqrt(y_bar * y_bar))

    return rrule_f, lambda config, tangents, f, x: (np.exp(x), np.exp(x) * abs(tangents[1]))


@remembers(plus_zero, V, says="memory of the primal value: it shares memory with an argument, which the")
def the_argument_itself():
    def rrule_f(config, f, x):
        return x, lambda y_bar: (NoTangent(), 1.0 * y_bar)

    return rrule_f, lambda config, tangents, f, x: (x, 1.0 * tangents[1])
