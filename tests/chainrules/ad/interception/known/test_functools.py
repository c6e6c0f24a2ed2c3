"""Functions in C that call a Python function back use its rule, or its twin."""

import contextvars
import functools
import itertools
import math

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules_core import NoTangent, rrule, typeof_
from tests.chainrules.ad.while_traced import while_traced


def loud(x):
    """A function whose rule says 100 times too much."""
    return x


@rrule.dispatch
def loud_rrule(f: typeof_(loud), x: float):
    """Say so."""
    return x, lambda y_bar: (NoTangent(), 100.0 * y_bar)


def added(a, b):
    """A function without a rule, which calls one with a rule."""
    return a + loud(b)


def minus_sine(x):
    """A function without a rule."""
    return -math.sin(x)


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (lambda x: sum(map(loud, [x, x])), 200.0),
        (lambda x: functools.reduce(added, [x, x]), 101.0),
        (lambda x: sum(itertools.accumulate([x, x], added)), 102.0),
        (lambda x: sum(itertools.accumulate([x, x], added, initial=x)), 303.0),
        (lambda x: sum(itertools.accumulate([x, x], func=added)), 102.0),
        (lambda x: contextvars.copy_context().run(added, x, x), 101.0),
        (lambda x: sorted([x, 2.0 * x], key=minus_sine)[0], 2.0),
        (lambda x: next(iter(functools.partial(added, x, x), None)), 101.0),
        (lambda x: next(map(loud, iter([x]))), 100.0),
        (lambda x: next(iter(lambda: loud(x), None)), 100.0),
        (lambda x: sum(filter(loud, [x, x])), 2.0),
        (lambda x: functools.reduce(lambda a, b: a + loud(b), [x, x]), 101.0),
        (lambda x: functools.reduce(lambda a, b: a + loud(b), [x], x), 101.0),
        (lambda x: sum(itertools.starmap(loud, [(x,)])), 100.0),
        (lambda x: sum(itertools.accumulate([x, x], lambda a, b: a + loud(b))), 102.0),
        (lambda x: sum(itertools.accumulate([x, x], func=lambda a, b: a + loud(b))), 102.0),
        (lambda x: sum(itertools.accumulate([x, x])), 3.0),
        (lambda x: sum(itertools.takewhile(loud, [x, x])), 2.0),
        (lambda x: sum(sum(group) for _, group in itertools.groupby([x, x], key=math.floor)), 2.0),
        (lambda x: sum(sum(group) for _, group in itertools.groupby([x, x], math.floor)), 2.0),
        (lambda x: sorted([x, 2.0 * x], key=lambda y: -math.sin(y))[0], 2.0),
        (lambda x: sorted([2.0 * x, x])[0], 1.0),
        (lambda x: max([x, 2.0 * x], key=math.cos) + min(x, 3.0 * x, key=math.cos), 4.0),
        (lambda x: max(x, 0.0) + min([x, 5.0]), 2.0),
        (lambda x: [x, 2.0 * x][np.argmax(list(map(loud, [x, 2.0 * x])))], 2.0),
    ],
)
def test_functions_that_call_back(f, expected):
    """They take the functions as the program gives them."""
    assert grad(f)(0.5) == pytest.approx(expected)


def test_methods_that_call_back():
    """So does the method that sorts a list."""

    def f(x):
        items = [x, 2.0 * x]
        items.sort(key=lambda y: -math.sin(y))
        return items[0]

    assert grad(f)(0.5) == 2.0


def test_iterators_stay_iterators():
    """What is lazy stays lazy, and calls of a sentinel end."""
    steps = iter([1.0, 2.0, 3.0])

    assert while_traced(1.0, lambda x: type(map(loud, [x]))) is map
    assert while_traced(1.0, lambda x: list(iter(lambda: next(steps), 3.0))) == [1.0, 2.0]
    assert while_traced(1.0, lambda x: list(filter(None, [0, 1]))) == [1]


def test_wrong_calls_are_pythons_errors():
    """They are refused as anywhere."""
    for wrong in (lambda x: map(), lambda x: sorted(key=3), lambda x: iter()):
        with pytest.raises(TypeError, match="argument"):
            grad(wrong)(1.0)
