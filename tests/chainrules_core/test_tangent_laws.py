"""The laws of a vector space, for tangents of all kinds, on random tangents."""

from dataclasses import dataclass
from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chainrules_core import AbstractZero, NoTangent, Tangent, Thunk, ZeroTangent, canonicalize, thunk, unthunk
from chainrules_core.tangents.arithmetic import is_tangent, unthunk_fully
from chainrules_core.tangents.linear_operations import (
    add_tangents,
    conjugate_tangent,
    dot,
    iszero,
    muladd,
    norm,
    scale_tangent,
)


@dataclass
class Layer:
    """A primal."""

    weights: np.ndarray
    bias: float
    inner: tuple


# Small integers as floats: sums and products are exact, so laws hold without a tolerance.
numbers = st.integers(-8, 8).map(float)
complexes = st.builds(complex, numbers, numbers)
arrays = st.lists(complexes, min_size=3, max_size=3).map(np.array)
LAYERS = st.sampled_from([0, 0, 1, 2])
zeros = st.sampled_from([ZeroTangent(), NoTangent()])


def lazily(values):
    """`values`, some of them in one or two thunks."""
    return st.builds(lambda v, layers: reduce(in_thunk, range(layers), v), values, LAYERS)


def in_thunk(x, _):
    """`x` in a thunk."""
    return Thunk(lambda: x)


def optional(values):
    """`values`, zeros, and zeros by absence (None)."""
    return lazily(values) | zeros | st.none()


def layer(weights, bias, first, second):
    """A tangent of a layer; absent fields are given as None."""
    fields = {"weights": weights, "bias": bias}
    given_fields = {name: field for name, field in fields.items() if field is not None}
    inner = Tangent[tuple](*(ZeroTangent() if item is None else item for item in (first, second)))
    return Tangent[Layer](**given_fields, inner=inner)


layers = st.builds(layer, optional(arrays), optional(complexes), optional(arrays), optional(complexes))
SPACES = {
    "numbers": lazily(complexes) | zeros,
    "arrays": lazily(arrays) | zeros,
    "structures": lazily(layers) | zeros,
    "tuples": lazily(st.builds(Tangent[tuple], lazily(arrays), lazily(complexes))) | zeros,
    "dicts": lazily(st.dictionaries(st.sampled_from("abc"), lazily(complexes)).map(Tangent[dict])) | zeros,
}
in_every_space = pytest.mark.parametrize("space", SPACES.values(), ids=SPACES.keys())
quickly = settings(max_examples=25)


def same(x, y):
    """Equality of tangents, by value, where zeros, absent fields and numbers that are 0 are equal."""
    return iszero(unthunk_fully(x) - unthunk_fully(y))


@in_every_space
@quickly
@given(data=st.data())
def test_addition_is_commutative_and_associative(space, data):
    """x + y = y + x, and (x + y) + z = x + (y + z)."""
    x, y, z = (data.draw(space) for _ in range(3))
    assert same(add_tangents(x, y), add_tangents(y, x))
    assert same(add_tangents(add_tangents(x, y), z), add_tangents(x, add_tangents(y, z)))


@in_every_space
@quickly
@given(data=st.data())
def test_zero_is_the_identity(space, data):
    """x + 0 is x, the same object, unless x is a zero of the other kind."""
    x = data.draw(space)
    for zero in (ZeroTangent(), NoTangent()):
        if not isinstance(x, AbstractZero):
            assert add_tangents(x, zero) is x
            assert add_tangents(zero, x) is x
        assert same(add_tangents(x, zero), x)


@in_every_space
@quickly
@given(data=st.data())
def test_every_element_has_a_negative(space, data):
    """x + (-x) = 0, and x - y = x + (-y)."""
    x, y = data.draw(space), data.draw(space)
    assert iszero(add_tangents(x, -x))
    assert same(x - y, add_tangents(x, -y))
    assert same(-(-x), x)  # noqa: B002 - the law


@in_every_space
@quickly
@given(data=st.data(), a=numbers, b=numbers)
def test_scaling_is_linear(space, data, a, b):
    """a(x + y) = ax + ay, (a + b)x = ax + bx, (ab)x = a(bx), 1x = x, ax = xa."""
    x, y = data.draw(space), data.draw(space)
    assert same(scale_tangent(a, add_tangents(x, y)), add_tangents(scale_tangent(a, x), scale_tangent(a, y)))
    assert same(scale_tangent(a + b, x), add_tangents(scale_tangent(a, x), scale_tangent(b, x)))
    assert same(scale_tangent(a * b, x), scale_tangent(a, scale_tangent(b, x)))
    assert same(scale_tangent(1.0, x), x)
    assert same(scale_tangent(a, x), scale_tangent(x, a))
    assert same(muladd(a, x, y), add_tangents(scale_tangent(a, x), y))


@in_every_space
@quickly
@given(data=st.data(), a=complexes)
def test_conjugation(space, data, a):
    """Conjugation is its own inverse, additive, and conjugates factors."""
    x, y = data.draw(space), data.draw(space)
    assert same(conjugate_tangent(conjugate_tangent(x)), x)
    assert same(
        conjugate_tangent(add_tangents(x, y)), add_tangents(conjugate_tangent(x), conjugate_tangent(y))
    )
    assert same(conjugate_tangent(scale_tangent(a, x)), scale_tangent(a.conjugate(), conjugate_tangent(x)))


@in_every_space
@quickly
@given(data=st.data(), a=complexes)
def test_inner_product(space, data, a):
    """It is linear in its second operand, Hermitian, and positive, and gives the norm."""
    x, y, z = (data.draw(space) for _ in range(3))
    assert complex(dot(x, add_tangents(y, z))) == complex(add_tangents(dot(x, y), dot(x, z)))
    assert complex(dot(x, scale_tangent(a, y))) == complex(scale_tangent(a, dot(x, y)))
    assert complex(dot(x, y)) == complex(dot(y, x)).conjugate()
    assert complex(dot(x, x)).real >= 0.0
    assert norm(x) ** 2 == pytest.approx(complex(dot(x, x)).real, rel=1e-14, abs=0.0)
    assert bool(norm(x) == 0.0) == iszero(x)


@quickly
@given(x=layers, y=layers)
def test_translating_a_primal(x, y):
    """(p + x) + y = p + (x + y), and p + 0 = p."""
    p = Layer(np.arange(3.0), 1.0, (np.ones(3), 2.0))
    for left, right in [((p + x) + y, p + (x + y)), (p + Tangent[Layer](), p), (p + ZeroTangent(), p)]:
        np.testing.assert_array_equal(left.weights, right.weights)
        assert left.bias == right.bias
        np.testing.assert_array_equal(left.inner[0], right.inner[0])
        assert left.inner[1] == right.inner[1]


@quickly
@given(x=layers)
def test_completing_changes_nothing(x):
    """A canonical tangent equals the tangent, and canonicalizing it again changes nothing."""
    assert canonicalize(x) == x
    assert canonicalize(canonicalize(x)).keys() == canonicalize(x).keys() == ("weights", "bias", "inner")


@in_every_space
@quickly
@given(data=st.data())
def test_thunks_are_transparent(space, data):
    """A thunk of a tangent adds like the tangent, and unthunking takes off one layer."""
    x, y = data.draw(space), data.draw(space)
    t = thunk(lambda: x)
    assert unthunk(t) is x
    assert same(add_tangents(t, y), add_tangents(x, y))
    assert same(scale_tangent(2.0, t), scale_tangent(2.0, x))
    assert is_tangent(t)
