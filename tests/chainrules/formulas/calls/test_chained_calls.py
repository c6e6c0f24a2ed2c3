"""Chains of calls, and how their cotangents travel backwards."""

import operator

from chainrules.ad import ADConfig
from chainrules.formulas.calls.chained_calls import pull_chain, push_chain
from chainrules_core import NoTangent, Tangent, ZeroTangent
from chainrules_testutils import TestConfig


def test_fold():
    """Each result has its tangent."""
    ys, y_dots = push_chain(
        TestConfig(), operator.mul, NoTangent(), [2.0, 3.0, 4.0], [1.0, ZeroTangent(), 1.0]
    )
    assert ys == [2.0, 6.0, 24.0]
    assert y_dots == [1.0, 3.0, 18.0]


def test_fold_back():
    """Cotangents of all results add up on their way."""
    ys, pull = pull_chain(ADConfig(), operator.mul, [2.0, 3.0, 4.0])
    assert ys == [2.0, 6.0, 24.0]
    g_bar, x_bars = pull([1.0, 1.0, 1.0])
    assert g_bar is NoTangent()
    assert [float(x_bar) for x_bar in x_bars] == [1 + 3 + 12, 2 + 8, 6]


def test_results_that_nothing_depends_on():
    """Calls whose results nothing depends on are not pulled back."""
    _, pull = pull_chain(ADConfig(), operator.mul, [2.0, 3.0, 4.0])
    _, x_bars = pull([1.0, ZeroTangent(), ZeroTangent()])
    assert x_bars == [1.0, ZeroTangent(), ZeroTangent()]


def test_nothing():
    """No items, no results."""
    ys, pull = pull_chain(ADConfig(), operator.mul, [])
    assert ys == []
    assert pull([]) == (NoTangent(), [])


def test_a_closure():
    """The values that a closure holds get the sum of its calls' cotangents."""
    w = 2.0
    _, pull = pull_chain(ADConfig(), lambda y, x: w * y * x, [1.0, 2.0, 3.0])
    g_bar, _ = pull([ZeroTangent(), ZeroTangent(), 1.0])
    assert g_bar == Tangent[type(test_fold)](w=24.0)
