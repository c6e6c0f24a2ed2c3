"""Both modes of functions of two operands that broadcast."""

import operator

import numpy as np

from chainrules.ad import grad
from chainrules.formulas.numbers.binary_functions import pullbacks
from chainrules_core import AbstractThunk, NoTangent, ZeroTangent, frule, rrule, unthunk
from tests.chainrules.rule_checks import normal


def test_partial_derivatives_are_computed_on_demand():
    """Each of the two only if its cotangent is asked for, and then once."""
    computed = []

    def partial(name):
        return lambda z, x, y: computed.append(name) or 1.0

    pullback = pullbacks(partial("x"), partial("y"), both=False)(normal(3), normal(3), normal(3))
    self_bar, x_bar, y_bar = pullback(np.ones(3))

    assert self_bar is NoTangent()
    assert isinstance(x_bar, AbstractThunk)
    assert computed == []
    np.testing.assert_array_equal(unthunk(x_bar), np.ones(3))
    unthunk(x_bar)
    assert computed == ["x"]
    np.testing.assert_array_equal(unthunk(y_bar), np.ones(3))
    assert computed == ["x", "y"]


def test_numbers_have_both_cotangents_at_once():
    """That costs less than to put them off, if not said otherwise."""
    pullback = pullbacks(lambda z, x, y: y, lambda z, x, y: x)(6.0, 2.0, 3.0)
    assert pullback(1.0) == (NoTangent(), 3.0, 2.0)


def test_operands_of_different_precision():
    """The derivative has the precision of the result, although one operand has less."""
    x, y = normal(3), np.float32(2.7)

    np.testing.assert_allclose(grad(lambda x: np.sum(x / y))(x), np.full(3, 1 / np.float64(y)), rtol=1e-15)
    np.testing.assert_allclose(grad(lambda x: np.sum(y**x))(x), y**x * np.log(np.float64(y)), rtol=1e-15)


def test_operands_of_different_precision_forwards():
    """The same forwards: a quotient by a float32 is not rounded to single precision."""
    x, x_dot, y = normal(3), normal(3, seed=1), np.float32(2.7)

    _, z_dot = frule((NoTangent(), x_dot, ZeroTangent()), np.divide, x, y)

    np.testing.assert_allclose(z_dot, x_dot / np.float64(y), rtol=1e-15)


def test_real_operands_of_complex_results_have_real_cotangents():
    """Whatever the kind of the cotangent is."""
    for z_bar in (1.0, np.float64(1.0), 1.0 + 1.0j):
        _, x_bar, _ = rrule(operator.pow, 2.0, 1.0j)[1](z_bar)
        assert isinstance(unthunk(x_bar), float)


def test_symmetric_functions():
    """The cotangents of ``f(x, x)`` are one, and those of ``f(x, y)`` are two."""
    pullback_of = pullbacks(lambda z, x, y: y, lambda z, x, y: x, both=False, symmetric=True)
    x, y = normal(3), normal(3, seed=1)

    _, x_bar, y_bar = pullback_of(x * y, x, y)(np.ones(3))
    np.testing.assert_array_equal(unthunk(x_bar), y)
    np.testing.assert_array_equal(unthunk(y_bar), x)
    _, first, second = pullback_of(x * x, x, x)(np.ones(3))
    assert first is second
