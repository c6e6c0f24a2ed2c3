"""Scalar rules of ufuncs, and of whatever is not a plain real number."""

import math
import typing

import numpy as np
import pytest

from chainrules_core import (
    DerivativeNotImplementedError,
    NoTangent,
    NotImplementedTangent,
    RuleDefinitionError,
    Tangent,
    ZeroTangent,
    frule,
    not_implemented,
    register_carrier,
    rrule,
    scalar_rule,
    thunk,
)
from chainrules_core.definition.scalar_propagation import ScalarRule
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


@pytest.mark.parametrize("zero", [ZERO, NT])
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


@pytest.mark.parametrize("partials", [[(1.0,), (2.0,)], ((1.0,),), ((1.0,),) * 3, 1.0])
def test_partials_of_several_results_that_do_not_fit(partials):
    """They are a tuple of tuples, one for each result."""
    rule = ScalarRule(math.sin, lambda ys, x: partials, 1, ("here", 1))

    for call in (lambda: rule.push((1.0, 2.0), (1.0,), (3.0,)), lambda: rule.partials((1.0, 2.0), (1.0,))):
        with pytest.raises(RuleDefinitionError, match="one tuple for each of the 2 results"):
            call()


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


def test_precision_of_the_argument_is_kept():
    """A float32 argument has a float32 cotangent, an int a float one."""

    def half(x):
        return x / 2

    scalar_rule(half, lambda y, x: 0.5)
    assert type(rrule(half, np.float32(1))[1](1.0)[1]) is np.float32
    assert type(rrule(half, 1)[1](1.0)[1]) is float
    assert type(rrule(half, 1.0)[1](1.0)[1]) is float


def test_complex_reverse_conjugates_and_forward_does_not():
    """Upstream's pin: forwards ``(1 + 2i) ẋ``, in reverse ``(1 - 2i) ȳ``."""

    def scale(z):
        return (1 + 2j) * z

    scalar_rule(scale, lambda y, z: 1 + 2j)
    z, dot = 3.0 + 4.0j, 1.5 - 0.5j
    assert frule((NT, dot), scale, z) == (scale(z), (1 + 2j) * dot)
    assert rrule(scale, z)[1](dot) == (NT, (1 - 2j) * dot)
    assert rrule(scale, 3.0)[1](1.0) == (NT, 1.0), "the cotangent of a real argument is real"


def test_projection():
    """Upstream's pin: a real argument of a function with complex values has a real cotangent."""

    def make_imaginary(x):
        return x * 1j

    scalar_rule(make_imaginary, lambda y, x: 1j)
    for x, y_bar, expected in [(2.0, 1j, 1.0), (2.0, 1.0, 0.0), (2j, 1j, 1 + 0j), (2j, 1.0, -1j)]:
        _, x_bar = rrule(make_imaginary, x)[1](y_bar)
        assert (x_bar, type(x_bar)) == (expected, type(expected))


def test_several_results():
    """Forwards a `Tangent` of the tuple; in reverse any kind of cotangent of a tuple."""

    def sum_and_product(x, y):
        return x + y, x * y

    @scalar_rule(sum_and_product)
    def _(s, x, y):
        return (1.0, 1.0), (y, x)

    assert frule((NT, 1.0, 10.0), sum_and_product, 3.0, 4.0) == ((7.0, 12.0), Tangent[tuple](11.0, 34.0))
    _, pullback = rrule(sum_and_product, 3.0, 4.0)
    for y_bar in [
        (1.0, 10.0),
        Tangent[tuple](1.0, 10.0),
        thunk(lambda: Tangent[tuple](1.0, 10.0)),
        Tangent[tuple](thunk(lambda: 1.0), 10.0),
    ]:
        assert pullback(y_bar) == (NT, 41.0, 31.0)
    assert pullback(Tangent[tuple](ZERO, 10.0)) == (NT, 40.0, 30.0)
    assert pullback(ZERO)[1:] == (ZERO, ZERO)
    assert frule((NT, ZERO, ZERO), sum_and_product, 3.0, 4.0)[1] == ZERO


def test_one_argument_and_several_results():
    """Upstream's `simo`: one tuple for each result; partials may be of another precision."""

    def simo(x):
        return x, 2 * x

    scalar_rule(simo, lambda ys, x: (np.float32(1), np.float32(2)))
    _, pullback = rrule(simo, 3.0)
    assert pullback((10.0, 20.0)) == (NT, 50.0)
    y, y_dot = frule((NT, 1.0), simo, 3.0)
    assert (y, y_dot) == ((3.0, 6.0), Tangent[tuple](1.0, 2.0))


def test_zero_tangent_as_partial():
    """A partial that is `ZeroTangent()` makes the tangents zero, identically."""

    def step(x, y):
        return y

    @scalar_rule(step)
    def _(z, x, y):
        return ZERO, 1.0

    assert rrule(step, 3.0, 2.0)[1](1.0) == (NT, ZERO, 1.0)
    assert rrule(step, 3.0, 2.0)[1](1.0)[1] is ZERO
    assert frule((NT, 5.0, 2.0), step, 3.0, 2.0) == (2.0, 2.0)

    def constant(x):
        return 1.0

    scalar_rule(constant, lambda y, x: ZERO)
    assert rrule(constant, 3.0)[1](1.0) == (NT, ZERO)
    assert frule((NT, 1.0), constant, 3.0)[1] is ZERO


def test_not_implemented_partial():
    """A partial that is not implemented is in the way only of whoever needs it."""

    def bessel(order, x):
        return x

    @scalar_rule(bessel)
    def _(z, order, x):
        return not_implemented("the derivative by the order"), 2.0

    f_bar, order_bar, x_bar = rrule(bessel, 3.0, 2.0)[1](1.5)
    assert (f_bar, x_bar) == (NT, 3.0)
    assert isinstance(order_bar, NotImplementedTangent)
    _, y_dot = frule((NT, 1.0, 1.0), bessel, 3.0, 2.0)
    assert isinstance(y_dot, NotImplementedTangent)
    assert frule((NT, ZERO, 1.5), bessel, 3.0, 2.0)[1] == 3.0
    with pytest.raises(DerivativeNotImplementedError, match="by the order"):
        float(y_dot)


@pytest.mark.parametrize("zero", [0.0, np.float64(0), 0, ZERO, NT, thunk(lambda: 0.0)])
def test_zero_tangents_are_strong(zero):
    """Where the derivative is infinite or undefined a tangent that is zero still gives zero."""

    def root(x):
        return x**0.5

    @scalar_rule(root)
    def _(y, x):
        return float("inf") if y == 0 else 0.5 / y

    _, x_bar = rrule(root, 0.0)[1](zero)
    y_dot = frule((NT, zero), root, 0.0)[1]
    for tangent in (x_bar, y_dot):
        assert tangent in (ZERO, NT) if zero in (ZERO, NT) else tangent == 0.0
    assert rrule(root, 0.0)[1](1.0)[1] == float("inf")


@pytest.mark.parametrize("x", [1.0, np.ones(2)], ids=["numbers", "arrays"])
def test_a_bare_partial_derivative_of_two_arguments_is_refused(x):
    """A bare partial derivative must not pass for the first of two."""

    def weigh(w, x):
        return w * x

    @scalar_rule(weigh)
    def _(y, w: float | np.ndarray, x: float | np.ndarray):
        return x

    with pytest.raises(RuleDefinitionError, match="a tuple of 2, one for each argument"):
        frule((NoTangent(), x, x), weigh, x, x)
    with pytest.raises(RuleDefinitionError, match="a tuple of 2, one for each argument"):
        rrule(weigh, x, x)[1](x)
