"""`zero_tangent`: a tangent of a primal that is zero, with all of the primal's structure written out.

Forward mode through programs that mutate starts from it: the tangents of fields are there to be assigned
to, and they alias as the primals do.
"""

import functools
import numbers
import types
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
from plum import Function

from chainrules_core.arrays.abstract_array import AbstractArray
from chainrules_core.arrays.sparse_arrays import SparseArray
from chainrules_core.backends import backend_of, value_for_dispatch
from chainrules_core.fields import backing
from chainrules_core.tangent_spaces.projection import (
    ArrayProjector,
    NonPerturbable,
    NoTangentProjector,
    NumberProjector,
    ProjectTo,
    SparseProjector,
)
from chainrules_core.tangents.abstract_tangent import AbstractTangent
from chainrules_core.tangents.abstract_zero import AbstractZero, NoTangent, ZeroTangent
from chainrules_core.tangents.structural_tangent import StructuralTangent

# The zeros made so far, by the identity of their primals; the primal is kept too, so that its identity stays
# taken.
_Memo = dict[int, tuple[Any, Any]]
_memo: ContextVar[_Memo | None] = ContextVar("chainrules_zero_tangents", default=None)


@Function
def zero_tangent(primal: object) -> Any:
    """The zero tangent of `primal`. Extend it with ``@zero_tangent.dispatch``.

    ==================================================  =============================================
    a primal                                            has the zero tangent
    ==================================================  =============================================
    number                                              0 in its precision; of an integer ``0.0``
    array                                               zeros in its precision; of integers floats
    array of objects                                    an array of the elements' zero tangents
    tuple, list, dict, NamedTuple, frozen dataclass     `Tangent` with the zero tangent of each part
    closure, `functools.partial`, bound method          `Tangent` likewise
    value whose fields can be assigned to               `MutableTangent` likewise
    bool, string, `None`, function without a closure    ``NoTangent()``
    tangent                                             the zero of the same structure
    anything else                                       ``ZeroTangent()``
    ==================================================  =============================================

    Integers have floats for tangents, as `ProjectTo` makes them. Parts of the primal that are one
    object have one object for their zero tangent; a primal that contains itself has a tangent that does too.

    Parameters
    ----------
    primal
        A value; a carrier counts as the primal that it carries.

    Returns
    -------
    Any
        The zero tangent. It shares no memory with the primal.

    Examples
    --------
    >>> import numpy as np
    >>> from chainrules_core import zero_tangent
    >>> zero_tangent((1.5, np.ones(2, dtype=np.float32), "name"))
    Tangent[tuple](0.0, array([0., 0.], dtype=float32), NoTangent())
    """
    raise NotImplementedError  # the methods follow


@zero_tangent.dispatch
def zero_of_object(primal: object) -> Any:
    """A value with fields that are attributes; for one without fields, it is only known that zero fits."""
    if backend_of(type(primal)) is not None:
        return zero_tangent(value_for_dispatch(primal))
    try:
        fields = backing(primal)
    except TypeError:
        return ZeroTangent()
    has_fields = fields is not primal and bool(fields)
    return _zero_of_fields(primal, fields) if has_fields else ZeroTangent()


@zero_tangent.dispatch(precedence=1)  # type: ignore[untyped-decorator] # plum loses the type here
def zero_of_non_perturbable(primal: NonPerturbable) -> Any:
    """A bool is an `int`, an `enum.IntFlag` too: the precedence says that this matters more."""
    if backend_of(type(primal)) is not None:
        return zero_tangent(value_for_dispatch(primal))
    return primal if isinstance(primal, AbstractZero) else NoTangent()


@zero_tangent.dispatch
def zero_of_number(primal: numbers.Number) -> Any:
    """In the precision that the number's cotangents have."""
    if backend_of(type(primal)) is not None:  # another one of its type may be an array
        return zero_tangent(value_for_dispatch(primal))
    project = ProjectTo(primal)
    return project.number_type(0) if isinstance(project, NumberProjector) else type(primal)(0)  # type: ignore[call-arg]  # a type of numbers takes one


@zero_tangent.dispatch
def zero_of_array(primal: AbstractArray) -> Any:
    """In the precision that the array's cotangents have. A carrier of a number looks like an array too."""
    if backend_of(type(primal)) is not None:
        return zero_tangent(value_for_dispatch(primal))
    return _zero_of_array(primal)


def _zero_of_array(primal: Any) -> Any:
    with traversal() as memo:
        if id(primal) in memo:
            return memo[id(primal)][1]
        if getattr(primal.dtype, "kind", None) == "O" and isinstance(primal, np.ndarray):
            return _zero_of_object_array(primal, memo)
        project = ProjectTo(primal)
        if isinstance(project, NoTangentProjector):
            return NoTangent()
        zero: Any = ZeroTangent()
        if isinstance(project, ArrayProjector | SparseProjector):
            zero = _zero_array(primal, project.dtype)
        memo[id(primal)] = primal, zero
        return zero


# A `dok_array` is a `dict` too: the precedence says that this matters less.
@zero_tangent.dispatch(precedence=1)  # type: ignore[untyped-decorator]  # plum's
def zero_of_sparse(primal: SparseArray) -> Any:
    """A sparse array without entries."""
    return _zero_of_array(primal)


@zero_tangent.dispatch
def zero_of_sequence(primal: tuple | list) -> Any:  # type: ignore[type-arg] # unfaithful with parameters
    """Item by item; of a NamedTuple field by field."""
    return _zero_of_fields(primal, backing(primal))


@zero_tangent.dispatch
def zero_of_structure(primal: dict | functools.partial | types.MethodType) -> Any:  # type: ignore[type-arg]  # faithful for plum
    """Part by part."""
    return _zero_of_fields(primal, backing(primal))


@zero_tangent.dispatch
def zero_of_function(primal: types.FunctionType) -> Any:
    """Of a closure, of the variables that it closes over."""
    return _zero_of_fields(primal, backing(primal)) if primal.__closure__ else NoTangent()


@zero_tangent.dispatch
def zero_of_tangent(primal: AbstractTangent) -> Any:
    """A thunk is not computed."""
    if not isinstance(primal, StructuralTangent):
        return ZeroTangent()
    return _zero_with(primal, type(primal), primal.__tangent_backing__)


def _zero_array(array: Any, dtype: Any) -> Any:
    if hasattr(array, "tocoo"):
        # NumPy would take it for an object. A sparsity pattern without any entry is the zero of all.
        return type(array)(array.shape, dtype=dtype)
    return np.zeros_like(array, dtype=dtype)


def _zero_of_object_array(array: Any, memo: _Memo) -> Any:
    zeros = np.empty(array.shape, dtype=object)
    memo[id(array)] = array, zeros
    for index in np.ndindex(array.shape):
        zeros[index] = zero_tangent(array[index])
    return zeros


def _zero_of_fields(primal: Any, fields: Any) -> Any:
    tangent_class: Any = StructuralTangent
    return _zero_with(primal, tangent_class[type(primal)], fields)


def _zero_with(primal: Any, tangent_class: Any, fields: Any) -> Any:
    """The tangent of `tangent_class` with the zero of each field; known before it is filled, for cycles."""
    with traversal() as memo:
        if id(primal) in memo:
            return memo[id(primal)][1]
        zero = tangent_class.__tangent_from__(None)
        memo[id(primal)] = primal, zero
        if isinstance(fields, Mapping):
            zeros: Any = {name: zero_tangent(field) for name, field in fields.items()}
        else:
            zeros = tuple([zero_tangent(field) for field in fields])
        # As `__tangent_from__` does it, for a tangent that may contain itself by now.
        object.__setattr__(zero, "__tangent_backing__", zeros)
        return zero


@contextmanager
def traversal() -> Iterator[_Memo]:
    """The memo of the outermost `zero_tangent` that is at work in this thread."""
    memo = _memo.get()
    if memo is not None:
        yield memo
        return
    memo = {}
    token = _memo.set(memo)
    try:
        yield memo
    finally:
        _memo.reset(token)
