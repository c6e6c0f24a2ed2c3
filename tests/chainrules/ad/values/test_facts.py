"""Of each function of others one fact is known, in one table."""

import ast
import copy
import functools
import random
import threading
import time

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.calls.rule_inputs import MutatedInputError
from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.syntax.names import names_written_into
from chainrules.ad.values.facts import FACTS, NOTHING, WRITING, Fact, fact, fact_of


@pytest.fixture
def put_twice():
    """A function of the kind that NumPy has, which writes twice a value into an array."""

    def implementation(a, ind, v):
        a[ind] = 2.0 * v

    implementation.__name__ = "put_twice"
    f = functools.update_wrapper(type(np.sum)(lambda a, ind, v: (a, v), implementation), implementation)
    yield f
    FACTS.pop(f, None)
    WRITING.discard("put_twice")


def test_a_function_that_writes_is_entered_at_one_place(put_twice):
    """By its fact it fills traced arrays and plain ones, in both ways of a call, and is told of."""
    buffer = np.ones(2)

    def filled(x):
        y = np.zeros(2)
        put_twice(y, 1, x)
        return np.sum(y * x)

    def filled_by_name(x):
        y = x * np.ones(2)
        put_twice(a=y, ind=0, v=x)
        return np.sum(y)

    def written_too_late(x):
        y = x * buffer
        put_twice(buffer, 0, 3.0)
        return np.sum(y)

    def write_twice(a, ind, v):
        a[ind] = 2.0 * v

    fact(put_twice, writes=0, writer=write_twice)

    assert "y" in names_written_into(ast.parse("np.put_twice(y, 0, x)"), {"np": "numpy"})
    assert grad(filled)(1.5) == 6.0
    assert grad(filled_by_name)(1.5) == 3.0
    with pytest.raises(MutatedInputError):
        grad(written_too_late)(np.ones(2))


def test_two_facts_for_one_function_are_an_error():
    """The first one stays."""
    known = FACTS[np.put]

    with pytest.raises(ValueError, match=r"put.* has a fact already"):
        fact(np.put, writes=1)

    assert FACTS[np.put] is known


def test_what_is_known():
    """By the function, or by its name; nothing of others, and of what is not hashable."""
    assert fact_of(np.put).writes == 0
    assert fact_of(copy.deepcopy).returns == ("a copy",)
    assert threading.Thread.start not in FACTS
    assert fact_of(threading.Thread.start).wrapped is not None
    for unknown in (len([]), [], np.ones(2), test_what_is_known, lambda x: x):
        assert fact_of(unknown) is NOTHING


def test_what_is_replaced():
    """What is known else of a function lets it be called as any other."""
    assert Fact(as_it_is=True).is_replaced
    assert Fact(method="__len__").is_replaced
    assert not Fact(writes=0).is_replaced
    assert not NOTHING.is_replaced


@pytest.mark.parametrize("f", [time.perf_counter, random.Random.gauss, np.random.Generator.normal, input])
def test_what_is_not_the_same_each_time(f):
    """It is known, and changes nothing of how it is called."""
    assert fact_of(f).is_not_the_same_each_time
    assert fact_of(f).as_it_is or not fact_of(f).is_replaced


def test_effects():
    """What has an effect is known; arithmetic has none."""
    assert fact_of(print).has_effect
    assert not fact_of(np.sin).has_effect
    assert choose(print) is print
