"""Tests of `chainrules_core.tangent_spaces.natural_tangents`; those for structured arrays are with these."""

from dataclasses import dataclass

import numpy as np
import pytest

from chainrules_core import (
    NoTangent,
    ProjectTo,
    Tangent,
    ZeroTangent,
    not_implemented,
    thunk,
    to_natural,
    to_structural,
    unthunk,
)
from chainrules_core.structured import Diagonal, I, Symmetric, UpperTriangular


@dataclass
class Scaled:
    """A matrix that is stored as a number and a matrix."""

    factor: float
    matrix: np.ndarray


@dataclass
class Unknown:
    """A dataclass that does not say how its cotangents are converted."""

    x: float


@to_structural.dispatch
def structural_of_scaled(x: Scaled, x_bar: np.ndarray):
    """The adjoint of multiplying the two."""
    return Tangent[Scaled](factor=np.vdot(x.matrix, x_bar), matrix=x.factor * x_bar)


@to_natural.dispatch
def natural_of_scaled(x: Scaled, x_bar: Tangent[Scaled]):
    """Of the fields one is enough."""
    return x_bar.matrix / x.factor


X = Scaled(2.0, np.eye(2))


def test_a_dataclass_may_say_how():
    """A dataclass has two forms of cotangents by a method of each of the two functions."""
    x_bar = np.array([[1.0, 2.0], [3.0, 4.0]])

    structural = to_structural(X, x_bar)

    assert structural == Tangent[Scaled](factor=5.0, matrix=2 * x_bar)
    np.testing.assert_array_equal(to_natural(X, structural), x_bar)


def test_what_has_the_form_already():
    """A cotangent that has the form already is returned as it is; zeros have both forms."""
    structural = Tangent[Scaled](factor=1.0)

    assert to_structural(X, structural) is structural
    assert to_natural(X, structural.matrix) is ZeroTangent()
    for zero in (ZeroTangent(), NoTangent()):
        assert to_structural(X, zero) is to_natural(X, zero) is zero
    x_bar = np.ones((2, 2))
    assert to_natural(X, x_bar) is x_bar
    assert to_natural(1.0, 2.0) == 2.0


def test_thunks_are_converted_once_they_are_computed():
    """A thunk is never computed for its form."""

    def never():
        raise AssertionError

    to_structural(X, thunk(never))
    to_natural(X, thunk(never))
    assert unthunk(to_structural(X, thunk(lambda: np.eye(2)))).factor == 2.0
    np.testing.assert_array_equal(
        unthunk(to_natural(X, thunk(lambda: Tangent[Scaled](matrix=np.eye(2))))), np.eye(2) / 2
    )


def test_a_method_for_whatever_cotangent():
    """It is not asked of zeros and thunks, nor of what has the form already."""

    @dataclass
    class Any:
        x: float

    @to_structural.dispatch
    def structural_of_any(x: Any, x_bar: object):
        return Tangent[Any](x=x_bar)

    @to_natural.dispatch
    def natural_of_any(x: Any, x_bar: object):
        return 3.0 * x_bar

    assert to_structural(Any(1.0), ZeroTangent()) is ZeroTangent()
    assert unthunk(to_structural(Any(1.0), thunk(lambda: 2.0))) == Tangent[Any](x=2.0)
    assert unthunk(to_natural(Any(1.0), thunk(lambda: 2.0))) == 6.0


def test_nobody_has_said_how():
    """The error says what to write."""
    with pytest.raises(TypeError, match=r"@to_structural\.dispatch .*x: Unknown, x_bar: float"):
        to_structural(Unknown(1.0), 2.0)
    with pytest.raises(TypeError, match=r"@to_natural\.dispatch .*x: Unknown, x_bar: Tangent\[Unknown\]"):
        to_natural(Unknown(1.0), Tangent[Unknown](x=1.0))
    with pytest.raises(TypeError, match="to_structural"):
        to_structural(X, "cotangent")


@pytest.mark.parametrize(
    "x", [Diagonal([1.0, 2.0]), Symmetric(np.eye(2)), UpperTriangular(np.eye(2)), 2.0 * I]
)
def test_forms_that_need_no_conversion(x):
    """Zeros, structural tangents and thunks come first, whatever a method says of the primal."""
    tangent, natural = to_structural(x, ProjectTo(x)(2.0 * I)), ProjectTo(x)(2.0 * I)

    for x_bar in (ZeroTangent(), NoTangent(), not_implemented("")):
        assert to_structural(x, x_bar) is x_bar
        assert to_natural(x, x_bar) is x_bar
    assert to_structural(x, tangent) is tangent
    assert to_natural(x, natural) is natural
    assert unthunk(to_structural(x, thunk(lambda: natural))) == tangent
    assert unthunk(to_natural(x, thunk(lambda: tangent))) == natural
