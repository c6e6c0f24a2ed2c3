"""`to_vec`: any value as a vector of real numbers, and back. Finite differences move along that vector.

A complex number is two real ones. Integers count as numbers: one that the vector has moved comes back as a
float, one that it has not moved as the integer that it was. What cannot be moved (`None`, strings, booleans,
classes, modules, functions without a closure) has no numbers.
"""

import inspect
import numbers
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from plum import Function

from chainrules_core import AbstractThunk, AbstractZero, DimensionMismatchError, StructuralTangent, unthunk
from chainrules_core.fields import backing, field_names, reconstruct

Vector: TypeAlias = npt.NDArray[np.float64]
Back: TypeAlias = Callable[[Any], Any]


@Function
def to_vec(x: object) -> Any:
    """The numbers in a value, in one vector, and the function that rebuilds such a value from a vector.

    Parameters
    ----------
    x
        A number, an array (dense, sparse, of objects), a tuple, list, dict, dataclass, instance of another
        class, closure, `functools.partial`, bound method, a tangent or a thunk; nested as they may be. Extend
        it to classes of your own with ``@to_vec.dispatch``.

    Returns
    -------
    vec : numpy.ndarray
        Of shape ``(n,)`` and dtype float64; new memory.
    back : callable
        ``back(vec)`` equals `x`, and ``back`` of another vector of this length is a value like `x` with
        other numbers. It shares no memory with the vector, and raises `DimensionMismatchError` for a vector
        of another length.

    Raises
    ------
    TypeError
        For arrays of dates and of records, whose elements are no real numbers.

    Examples
    --------
    >>> from chainrules_testutils import to_vec
    >>> vec, back = to_vec({"a": 1.0, "b": [2j]})
    >>> vec
    array([1., 0., 2.])
    >>> back(vec + 1.0)
    {'a': 2.0, 'b': [(1+3j)]}
    """
    raise NotImplementedError  # the methods follow


def checked(back: Callable[[Vector], Any], length: int) -> Back:
    """`back`, refusing vectors of any other length."""

    def checked_back(vec: Any) -> Any:
        vec = np.asarray(vec, dtype=np.float64)
        if vec.shape != (length,):
            raise DimensionMismatchError(
                f"back(vec): this value has {length} numbers, the vector given has shape {vec.shape}."
            )
        return back(vec)

    return checked_back


# The values that are being gone through, from the outermost to here.
_path: ContextVar[frozenset[int]] = ContextVar("to_vec_path", default=frozenset())


def _nothing() -> Vector:
    return np.empty(0)


# --- Values without fields -----------------------------------------------------------------------


@to_vec.dispatch
def real_to_vec(x: numbers.Real) -> Any:
    """A real number."""
    value, number_type = float(x), type(x)

    def back(vec: Vector) -> Any:
        if vec[0] == value:
            return x
        return float(vec[0]) if isinstance(x, numbers.Rational) else number_type(vec[0])  # type: ignore[call-arg]

    return np.array([value]), checked(back, 1)


@to_vec.dispatch
def complex_to_vec(x: complex | np.complexfloating) -> Any:  # type: ignore[type-arg]
    """A complex number: its real and its imaginary part."""
    number_type = type(x)
    return np.array([x.real, x.imag], dtype=np.float64), checked(lambda vec: number_type(complex(*vec)), 2)


@to_vec.dispatch
def unmovable_to_vec(x: bool | np.bool_ | str | bytes | type | AbstractZero | None) -> Any:
    """What has no numbers to move."""
    return _nothing(), checked(lambda vec: x, 0)


@to_vec.dispatch
def array_to_vec(x: np.ndarray) -> Any:  # type: ignore[type-arg]
    """The elements of an array in the order of its axes; for each complex one its two parts."""
    kind = x.dtype.kind
    if kind == "O":
        return _object_array_to_vec(x)
    if kind in "bSUT":
        return _nothing(), checked(lambda vec: x.copy(), 0)
    if kind not in "fciu":
        raise TypeError(f"to_vec: an array of {x.dtype} has no elements that are numbers.")
    if kind == "c":
        vec = x.astype(np.complex128).ravel().view(np.float64)
        return vec, checked(lambda vec: vec.copy().view(np.complex128).reshape(x.shape).astype(x.dtype), vec.size)
    vec = x.astype(np.float64).ravel()

    def back(moved: Vector) -> Any:
        if kind in "iu" and not np.array_equal(moved, vec):
            return moved.reshape(x.shape).copy()
        return moved.reshape(x.shape).astype(x.dtype)

    return vec.copy(), checked(back, vec.size)


def _object_array_to_vec(x: Any) -> Any:
    vec, back_of_items = _sequence_to_vec(x.ravel())

    def back(moved: Vector) -> Any:
        rebuilt = np.empty(x.size, dtype=object)
        for i, item in enumerate(back_of_items(moved)):
            rebuilt[i] = item
        return rebuilt.reshape(x.shape)

    return vec, back


# --- Values with fields --------------------------------------------------------------------------


def _object_to_vec(x: object) -> Any:
    """Whatever has fields: one after the other. The stored entries of a sparse array."""
    if is_sparse(x):
        return _sparse_to_vec(x)
    names, path = field_names(x), _path.get()
    if not names or id(x) in path:  # a function that calls itself holds itself
        return _nothing(), checked(lambda vec: x, 0)
    fields = backing(x)
    token = _path.set(path | {id(x)})
    try:
        vec, back_of_fields = _sequence_to_vec(fields[name] for name in names)
    finally:
        _path.reset(token)
    if isinstance(fields, dict):
        return vec, lambda moved: reconstruct(x, dict(zip(names, back_of_fields(moved), strict=True)))
    return vec, lambda moved: reconstruct(x, back_of_fields(moved))


to_vec.dispatch(_object_to_vec)


def _sequence_to_vec(items: Iterable[Any]) -> tuple[Vector, Callable[[Any], list[Any]]]:
    vecs, backs = [_nothing()], []
    for item in items:
        vec, back = to_vec(item)
        vecs.append(vec)
        backs.append(back)
    ends = np.cumsum([vec.size for vec in vecs])

    def back_of_items(moved: Vector) -> list[Any]:
        return [back(moved[start:end]) for back, start, end in zip(backs, ends, ends[1:], strict=False)]

    return np.concatenate(vecs), checked(back_of_items, int(ends[-1]))


def _sparse_to_vec(x: Any) -> Any:
    entries = x.tocoo(copy=True)
    vec, back_of_data = to_vec(entries.data)

    def back(moved: Vector) -> Any:
        rebuilt = entries.copy()
        rebuilt.data = back_of_data(moved)
        return rebuilt.asformat(x.format)

    return vec, back


# --- Tangents ------------------------------------------------------------------------------------


@to_vec.dispatch
def thunk_to_vec(x: AbstractThunk) -> Any:
    """The value that a thunk computes."""
    return to_vec(unthunk(x))


@to_vec.dispatch
def structural_tangent_to_vec(x: StructuralTangent) -> Any:  # type: ignore[type-arg]
    """The fields of a tangent that were given."""
    given = backing(x)
    vec, back_of_fields = _sequence_to_vec(given.values() if isinstance(given, dict) else given)

    def back(moved: Vector) -> Any:
        fields = iter(back_of_fields(moved))
        return StructuralTangent.map(x, lambda _: next(fields))

    return vec, back


def is_sparse(x: Any) -> bool:
    """Whether `x` is a sparse array, of SciPy's or with its methods."""
    return hasattr(type(x), "tocoo")  # of the class, since a zero tangent has every attribute


def is_structure(x: Any) -> bool:
    """Whether `to_vec` goes through the fields of `x` one by one, so that ``Tangent[type(x)]`` fits it."""
    if inspect.isclass(x) or isinstance(x, np.ndarray) or is_sparse(x) or not field_names(x):
        return False
    return to_vec.resolve_method((x,))[0] is _object_to_vec
