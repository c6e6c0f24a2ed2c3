"""What is called in the place of functions of which something is known."""

import functools
import itertools
import operator
import subprocess
import sys

import numpy as np
import pytest

from chainrules.ad import call, explain_calls, grad, jvp
from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.composing import rules_of_others_first
from chainrules.ad.values.facts import FACTS, fact
from chainrules_core import NoTangent, frule, rrule, typeof_
from tests.chainrules.ad.interception import rules_for_a_class
from tests.chainrules.ad.interception.ruled_callables import Remembering, Wrapping, double, wrapped
from tests.chainrules.ad.while_traced import while_traced


def test_replacing():
    """Where calls are intercepted, one function stands for another."""

    def one():
        return 1

    fact(one, stands_for_it=lambda: 2)
    try:
        assert while_traced(1.0, lambda x: one()) == 2
        assert one() == 1
    finally:
        del FACTS[one]


def test_plain_functions():
    """They are themselves, unless they call a method of an object of the user's."""
    assert choose(itertools.count) is itertools.count
    assert choose(print) is print


@pytest.mark.parametrize(
    "f",
    [
        functools.lru_cache(double),
        functools.cache(lambda x: 2.0 * x),
        functools.singledispatch(double),
        functools.partial(lambda a, x: a * x, 2.0),
        Remembering().method,
        vars(Remembering)["static"],
        Wrapping(double),
        wrapped,
        np.vectorize(double),
        np.frompyfunc(double, 1, 1),
        operator.methodcaller("__mul__", 2.0),
    ],
    ids=lambda f: type(f).__name__,
)
def test_a_rule_for_the_very_object_wins(f):
    """Over the body of the function inside, which is entered for arguments that the rule does not take."""

    @rrule.dispatch
    def f_rrule(g: typeof_(f), x: float):
        return 2.0 * x, lambda y_bar: (NoTangent(), 100.0 * y_bar)

    @frule.dispatch
    def f_frule(tangents, g: typeof_(f), x: float):
        return 2.0 * x, 100.0 * tangents[1]

    for program in (f, lambda x: f(x), lambda x: call(f, x), lambda x: next(map(f, [x]))):
        assert grad(program)(1.5) == jvp(program, (1.5,), (1.0,))[1] == 100.0
    rows = explain_calls(lambda x: f(x), 1.5).rows
    assert any(row.outcome == "rule" and row.how.startswith("f_rrule (") for row in rows)
    if not isinstance(f, np.ufunc):  # which has no body to be entered
        assert grad(lambda x: sum(f(x)))(np.ones(2)).tolist() == [2.0, 2.0]


def test_a_rule_for_a_remembered_method():
    """It is given the instance."""

    @rrule.dispatch
    def method_rrule(f: typeof_(Remembering.method), self: Remembering, x: float):
        return 2.0 * x, lambda y_bar: (NoTangent(), NoTangent(), 100.0 * y_bar)

    remembering = Remembering()
    assert grad(lambda x: remembering.method(x))(1.5) == 100.0
    assert grad(lambda x: Remembering.method(remembering, x))(1.5) == 100.0


def test_a_rule_for_a_method_in_c_of_one_object():
    """Of an array, also for an operator of it; the methods of other arrays are left alone."""
    a, b = np.ones(1), np.ones(1)

    for f in (a.cumsum, a.__mul__):

        @rrule.dispatch
        def method_rrule(f: typeof_(f), x: np.ndarray):
            return 2.0 * x, lambda y_bar: (NoTangent(), 100.0 * y_bar)

    programs = [lambda x: np.sum(a.cumsum(x)), lambda x: np.sum(a.__mul__(x)), lambda x: np.sum(b.__mul__(x))]
    assert [grad(f)(np.ones(1)).tolist() for f in programs] == [[100.0], [100.0], [1.0]]


def test_rules_of_a_program():
    """Over the methods of its class, and over what else serves the function; in a process of its own."""
    subprocess.run([sys.executable, "-m", rules_for_a_class.__name__], check=True)


def test_nobody_else_has_rules():
    """Then nothing stands before what serves a function."""
    for f in (operator.rshift, np.fmin, itertools.tee):
        assert rules_of_others_first(f, f) is f
