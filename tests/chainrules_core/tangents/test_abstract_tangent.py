"""A tangent type of one's own."""

from dataclasses import dataclass
from datetime import timedelta

import numpy as np
import pytest

from chainrules_core import AbstractTangent, NoTangent, Thunk, ZeroTangent, not_implemented
from chainrules_core.tangents.abstract_tangent import no_attribute
from chainrules_core.tangents.linear_operations import add_tangents, conjugate_tangent, iszero


@dataclass(frozen=True)
class Scaled(AbstractTangent):
    """So many times a unit vector."""

    factor: float

    def __add__(self, other):
        return Scaled(self.factor + other.factor) if isinstance(other, Scaled) else super().__add__(other)

    def __mul__(self, other):
        return Scaled(self.factor * other) if isinstance(other, int | float) else super().__mul__(other)

    __rmul__ = __mul__


T = Scaled(2.0)


def test_the_contract_is_enough():
    """Sums and scaling are its own, the negative and the difference follow."""
    assert Scaled(4.0) == T + T
    assert Scaled(6.0) == 3 * T == T * 3
    assert Scaled(-2.0) == -T
    assert +T is T
    assert conjugate_tangent(T) is T
    assert not iszero(T)


@pytest.mark.parametrize("zero", [ZeroTangent(), NoTangent()], ids=repr)
def test_with_zeros(zero):
    """Zeros are identities and absorb, on both sides."""
    assert T + zero is T
    assert zero + T is T
    assert T - zero is T
    assert zero - T == -T
    assert T * zero is zero
    assert zero * T is zero


def test_with_other_tangents():
    """Not implemented derivatives and thunks work with it; numbers and arrays are refused."""
    ni = not_implemented("unknown")
    assert T + ni is ni
    assert ni + T is ni
    assert T + Thunk(lambda: T) == Scaled(4.0)
    assert Thunk(lambda: T) + T == Scaled(4.0)
    for other in (1.0, np.ones(2)):
        with pytest.raises(TypeError):
            T + other
        with pytest.raises(TypeError):
            other + T


def test_natural_tangents_of_other_types():
    """A tangent need not be one of ours: a time moves by a duration."""
    assert add_tangents(np.datetime64("2026-01-01"), np.timedelta64(1, "D")) == np.datetime64("2026-01-02")
    assert add_tangents(timedelta(1), ZeroTangent()) == timedelta(1)


def test_missing_attributes_are_reported_as_python_does():
    """The error knows the name and the object."""
    error = no_attribute(T, "x", "There are none.")
    assert str(error) == "'Scaled' object has no attribute 'x'. There are none."
    assert error.name == "x"
    assert error.obj is T
