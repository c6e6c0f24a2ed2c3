"""The two forms of a cotangent: `to_structural` and `to_natural`.

A matrix that is stored as a structure has cotangents of two forms. The *natural* form is the one that
mathematics writes: a matrix of the same kind, which `ProjectTo` makes. An AD system that differentiates
through the fields gets the *structural* form: ``Tangent[P]``, with a cotangent for each field. The two say
the same if, for every change of the fields, the inner product of the structural form with that change is the
inner product of the natural form with the change of the matrix. They are then converted into each other by
the adjoints of "make the matrix from the fields" and of its inverse.

For a diagonal matrix nothing happens but a change of name. An element above the diagonal of a symmetric
matrix is two elements of the matrix, so its cotangent is twice the cotangent of one element.

Tangents in forward mode need neither function: a natural tangent has the fields of its primal already.
"""

from typing import Any

from plum import Function

from chainrules_core.tangents.abstract_tangent import AbstractTangent
from chainrules_core.tangents.structural_tangent import StructuralTangent
from chainrules_core.tangents.thunks import AbstractThunk, Thunk, unthunk


@Function
def to_structural(x: object, x_bar: object) -> Any:
    """The structural form of a cotangent: ``Tangent[type(x)](...)``.

    Extend it, for a type `P` of your own, with ``@to_structural.dispatch`` over a function with the
    parameters ``x: P`` and ``x_bar: Q``, where `Q` is the type of natural cotangents.

    Parameters
    ----------
    x
        The primal.
    x_bar
        Its cotangent, in either form. Structural tangents and zeros are returned as they are, a thunk gives a
        thunk.

    Raises
    ------
    TypeError
        If no method knows the natural cotangents of a primal of this type.

    Examples
    --------
    >>> from chainrules_core import to_structural
    >>> from chainrules_core.structured import Symmetric
    >>> to_structural(Symmetric(np.eye(2)), np.array([[1.0, 5.0], [3.0, 2.0]])).data
    array([[1., 8.],
           [0., 2.]])
    """
    raise NotImplementedError  # the methods follow


@Function
def to_natural(x: object, x_bar: object) -> Any:
    """The natural form of a cotangent: a number, an array, a structured array, ...

    Extend it, for a type `P` of your own, with ``@to_natural.dispatch`` over a function with the parameters
    ``x: P`` and ``x_bar: Tangent[P]``.

    Parameters
    ----------
    x
        The primal.
    x_bar
        Its cotangent, in either form. A cotangent that is not structural is returned as it is, a thunk
        gives a thunk.

    Raises
    ------
    TypeError
        If `x_bar` is the structural tangent of another type, or no method knows its natural form.
    """
    raise NotImplementedError


@to_structural.dispatch
def refuse_to_structural(x: object, x_bar: object) -> Any:
    """Raise: no method makes structural tangents of this primal."""
    raise _unknown("to_structural", x, x_bar)


# Zeros and structural tangents have this form; so says the precedence, whatever a method says of the primal.
@to_structural.dispatch(precedence=1)  # type: ignore[untyped-decorator] # plum loses the type here
def structural_as_it_is(x: object, x_bar: AbstractTangent) -> Any:
    """Zeros and structural tangents have this form."""
    return x_bar


@to_structural.dispatch(precedence=1)  # type: ignore[untyped-decorator] # plum loses the type here
def structural_of_thunk(x: object, x_bar: AbstractThunk) -> Any:
    """A thunk, whose value is converted when it is computed."""
    return Thunk(lambda: to_structural(x, unthunk(x_bar)))


@to_natural.dispatch
def natural_as_it_is(x: object, x_bar: object) -> Any:
    """A cotangent that is not structural has its natural form already."""
    return x_bar


@to_natural.dispatch
def refuse_to_natural(x: object, x_bar: StructuralTangent) -> Any:  # type: ignore[type-arg]  # faithful for plum
    """Raise: no method makes natural cotangents of this primal."""
    raise _unknown("to_natural", x, x_bar)


@to_natural.dispatch(precedence=1)  # type: ignore[untyped-decorator] # plum loses the type here
def natural_of_thunk(x: object, x_bar: AbstractThunk) -> Any:
    """A thunk, whose value is converted when it is computed."""
    return Thunk(lambda: to_natural(x, unthunk(x_bar)))


def _unknown(function: str, x: Any, x_bar: Any) -> TypeError:
    primal, given = type(x).__qualname__, type(x_bar).__qualname__
    return TypeError(
        f"{function}: no method says how to convert a {given} that is a cotangent of a {primal}. Write one: "
        f"@{function}.dispatch over a function of (x: {primal}, x_bar: {given})."
    )
