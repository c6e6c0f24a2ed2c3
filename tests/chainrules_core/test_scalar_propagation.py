# ruff: noqa: ARG005 - stand-ins do not use what they take
"""Scalar rules of ufuncs, and of whatever is not a plain real number."""

import math
import typing

import numpy as np
import pytest

from chainrules_core import (
    NoTangent,
    Tangent,
    ZeroTangent,
    register_carrier,
    thunk,
)
from chainrules_core.scalar_propagation import ScalarRule
from tests.chainrules_core.boxes import Box, backend

NT, ZERO = NoTangent(), ZeroTangent()


# Ufuncs of NumPy itself have their rules elsewhere; the law of this file is about the class.
POWER = ScalarRule(np.power, lambda z, x, p: (p * x ** (p - 1), np.log(x) * z), 2, ("here", 1))
SQRT = ScalarRule(np.sqrt, lambda y, x: 0.5 / y, 1, ("here", 1))
SINCOS = ScalarRule(math.sin, lambda ys, x: ((ys[1],), (-ys[0],)), 1, ("here", 1))


def test_arrays_broadcast_both_ways():
    """Forwards the result has the broadcast shape; in reverse each argument gets its own back."""
    x, p = np.array([[1.0], [2.0]]), np.array([1.0, 2.0, 3.0])
    z = x**p
    z_dot = POWER.push(z, (x, p), (np.ones_like(x), np.zeros_like(p)))
    np.testing.assert_allclose(z_dot, p * x ** (p - 1))
    f_bar, x_bar, p_bar = POWER.pull(z, (x, p), np.ones_like(z))
    assert f_bar is NT
    np.testing.assert_allclose(x_bar, (p * x ** (p - 1)).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(p_bar, (np.log(x) * z).sum(axis=0))


@pytest.mark.parametrize("shape", [(), (0,), (1,), (3, 0), (2, 3)])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64"])
def test_every_shape_and_precision(shape, dtype):
    """0-d, empty and other arrays keep their shape and their precision both ways."""
    x = np.full(shape, 4.0, dtype)
    y = np.asarray(np.sqrt(x))
    y_dot = SQRT.push(y, (x,), (x,))
    _, x_bar = SQRT.pull(y, (x,), y)
    assert (np.shape(y_dot), np.asarray(y_dot).dtype) == (shape, dtype)
    assert (np.shape(x_bar), np.asarray(x_bar).dtype) == (shape, dtype)
    np.testing.assert_array_equal(x_bar, np.full(shape, 0.5))


def test_integer_arrays_have_float_cotangents():
    """An array of integers is projected to floats, as a number is."""
    x = np.array([1, 4])
    _, x_bar = SQRT.pull(np.sqrt(x), (x,), np.ones(2))
    assert x_bar.dtype == np.float64
    np.testing.assert_array_equal(x_bar, [0.5, 0.25])


def test_zeros_in_arrays_are_strong():
    """An entry without tangent has none where the derivative is infinite, and nothing warns."""
    x = np.array([0.0, 4.0, 0.0])
    y = np.sqrt(x)
    np.testing.assert_array_equal(SQRT.push(y, (x,), (np.array([0.0, 1.0, 1.0]),)), [0.0, 0.25, np.inf])
    np.testing.assert_array_equal(SQRT.pull(y, (x,), np.array([0.0, 1.0, 1.0]))[1], [0.0, 0.25, np.inf])


@pytest.mark.parametrize("zero", [ZERO, NT, thunk(lambda: ZERO)])
def test_zero_tangent_types(zero):
    """Zero tangents stay what they are, and partials are not evaluated for them."""

    def fail(y, x):
        raise AssertionError

    rule = ScalarRule(np.sqrt, fail, 1, ("here", 1))
    x = np.zeros(2)
    assert rule.push(x, (x,), (zero,)) in (ZERO, NT)
    assert rule.pull(x, (x,), zero)[1] in (ZERO, NT)


def test_zero_tangent_beside_another():
    """A `ZeroTangent` contributes nothing, and the result has its full shape."""
    x, p = np.array([1.0, 2.0]), 2.0
    z_dot = POWER.push(x**p, (x, p), (ZERO, 1.0))
    np.testing.assert_allclose(z_dot, np.log(x) * x**p)
    z_dot = POWER.push(x**p, (1.0, x), (1.0, ZERO))
    assert z_dot.shape == (2,)


def test_large_numbers_do_not_warn():
    """Neither direction warns of overflow for numbers whose square overflows."""
    x = np.array([1e-200, 1.0])
    y = np.sqrt(x)
    np.testing.assert_allclose(SQRT.push(y, (x,), (np.array([1e90, 1.0]),)), [0.5e190, 0.5])
    np.testing.assert_allclose(SQRT.pull(y, (x,), np.array([1e90, 1.0]))[1], [0.5e190, 0.5])
    half = np.array([300.0], np.float16)
    np.testing.assert_array_equal(SQRT.pull(np.ones(1, np.float16), (half,), half)[1], [150.0])


def test_named_tuple_of_results():
    """The tangent of a named tuple has its names."""

    class Pair(typing.NamedTuple):
        sin: float
        cos: float

    y_dot = SINCOS.push(Pair(0.6, 0.8), (1.0,), (1.0,))
    assert y_dot == Tangent[Pair](sin=0.8, cos=-0.6)
    assert SINCOS.pull(Pair(0.6, 0.8), (1.0,), Tangent[Pair](sin=1.0, cos=ZERO)) == (NT, 0.8)


def test_tuple_of_one_result():
    """A tuple of one result is a tuple."""
    rule = ScalarRule(math.sin, lambda ys, x: ((2.0,),), 1, ("here", 1))
    assert rule.push((1.0,), (1.0,), (3.0,)) == Tangent[tuple](6.0)
    assert rule.pull((1.0,), (1.0,), (3.0,)) == (NT, 6.0)
    assert rule.partials((1.0,), (1.0,)) == ((2.0,),)


def test_zero_cotangents_of_several_results():
    """Results without cotangent contribute nothing; where none has one, nothing is evaluated."""
    rule = ScalarRule(math.sin, lambda ys, x: ((float("nan"),), (3.0,)), 1, ("here", 1))
    assert rule.pull((1.0, 2.0), (1.0,), (0.0, 1.0)) == (NT, 3.0)
    assert rule.pull((1.0, 2.0), (1.0,), Tangent[tuple](ZERO, 1.0)) == (NT, 3.0)


def test_carriers_go_through_their_own_arithmetic():
    """Products with carriers are the carriers' own: what they carry is not multiplied behind their back."""

    class Traced(Box):
        def __mul__(self, other):
            return Traced(self.value * getattr(other, "value", other))

        __rmul__ = __mul__

    register_carrier(__name__, Traced.__qualname__, backend)
    rule = ScalarRule(math.sin, lambda y, x: 3.0 * x, 1, ("here", 1))
    y_dot = rule.push(Traced(0.5), (Traced(2.0),), (Traced(5.0),))
    assert (type(y_dot), y_dot.value) == (Traced, 30.0)
