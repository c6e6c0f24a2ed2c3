"""`ZeroTangent` and `NoTangent` as values."""

import copy
import pickle

import numpy as np
import pytest

from chainrules_core import AbstractTangent, AbstractZero, NoTangent, ZeroTangent

pytestmark = pytest.mark.parametrize("zero", [ZeroTangent(), NoTangent()], ids=repr)


def test_there_is_one_instance(zero):
    """Every way to make, copy or restore a zero gives the same object."""
    assert type(zero)() is zero
    assert copy.copy(zero) is zero
    assert copy.deepcopy([zero])[0] is zero
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(zero, protocol)) is zero


def test_kinds(zero):
    """Both are zeros and tangents, and they differ from each other and from the number 0."""
    assert isinstance(zero, AbstractZero)
    assert isinstance(zero, AbstractTangent)
    assert (zero == ZeroTangent()) is isinstance(zero, ZeroTangent)
    assert zero != 0
    assert len({zero, ZeroTangent(), NoTangent()}) == 2


def test_public_attributes_are_the_zero(zero):
    """A field of a zero is that zero."""
    assert zero.weights is zero
    assert zero.real is zero
    assert zero.imag is zero
    assert zero.T is zero


def test_private_attributes_do_not_exist(zero):
    """Protocols that probe for names with an underscore find nothing (H11)."""
    for name in ("_repr_html_", "__array_interface__", "__length_hint__", "_ipython_display_"):
        assert not hasattr(zero, name)


def test_items_and_structure_are_the_zero(zero):
    """Items, slices and what arrays offer as methods give the zero."""
    assert zero[0] is zero
    assert zero["key"] is zero
    assert zero[1:, None] is zero
    assert zero.sum(axis=0, keepdims=True) is zero
    assert zero.reshape(2, 3) is zero
    assert zero.transpose() is zero
    assert zero.conj() is zero


def test_iterates_once(zero):
    """A zero iterates once, so a single result can be destructured."""
    (only,) = zero
    assert only is zero


def test_as_a_number_it_is_zero(zero):
    """The conversions to Python's numbers give their zero, of exactly that type."""
    for convert in (float, int, complex, bool):
        value = convert(zero)
        assert type(value) is convert
        assert value == 0


def test_among_floats_it_is_zero(zero):
    """Pullbacks mapped over values may give zeros among floats, and the result is usable as an array."""
    np.testing.assert_array_equal(np.array([1.0, zero, 2.0], dtype=float), [1.0, 0.0, 2.0])
    assert sum([1.0, zero, 2.0]) == 3.0


def test_items_cannot_be_assigned(zero):
    """Zeros are immutable."""
    with pytest.raises(TypeError, match="item assignment"):
        zero[0] = 1.0
    with pytest.raises(AttributeError):
        zero.x = 1.0


def test_repr_is_the_call(zero):
    """The representation makes the zero again."""
    assert eval(repr(zero)) is zero
