"""`to_vec`: any value as a vector of real numbers, and back. Finite differences move along that vector.

A complex number is two real ones. Integers count as numbers: one that the vector has moved comes back as a
float, one that it has not moved as the integer that it was. Values that cannot be moved (`None`, strings,
booleans, classes, modules, functions without a closure) have no numbers.
"""

import numbers
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from chainrules_core import AbstractThunk, AbstractZero, DimensionMismatchError, StructuralTangent, unthunk
from chainrules_core.structured import StructuredArray
from chainrules_testutils.values.extensible import extensible
from chainrules_testutils.values.parts import CONTAINERS, inside, is_sparse, parts, with_parts

RealVector: TypeAlias = npt.NDArray[np.float64]
Back: TypeAlias = Callable[[Any], Any]

# So many values are of these types that plum, which looks through all methods, is not asked about them.
_WITHOUT_STRUCTURE = (np.ndarray, StructuralTangent, StructuredArray)


@extensible
def to_vec(x: object) -> tuple[RealVector, Back]:
    """The numbers in a value, in one vector, and the function that rebuilds a value like it from a vector.

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
        For arrays of dates and of records, whose elements are no real numbers, and for masked arrays.
    ValueError
        For a value that holds itself, directly or through others.

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


def checked(back: Callable[[RealVector], Any], length: int) -> Back:
    """`back`, refusing vectors of any other length."""

    def checked_back(vec: Any) -> Any:
        vec = np.asarray(vec, dtype=np.float64)
        if vec.shape != (length,):
            raise DimensionMismatchError(
                f"back(vec): this value has {length} numbers, the vector given has shape {vec.shape}."
            )
        return back(vec)

    checked_back.unchecked = back  # type: ignore[attr-defined]  # for the parts of a value, whose vectors fit
    return checked_back


def _no_numbers() -> RealVector:
    return np.empty(0)


# --- Values without parts -----------------------------------------------------------------------


@to_vec.dispatch
def real_to_vec(x: numbers.Real) -> Any:
    """A real number."""
    value, number_type = float(x), type(x)

    def back(vec: RealVector) -> Any:
        if vec[0] == value:
            return x
        return float(vec[0]) if isinstance(x, numbers.Integral) else number_type(vec[0])  # type: ignore[call-arg]  # a type of numbers takes one

    return np.array([value]), checked(back, 1)


@to_vec.dispatch
def complex_to_vec(x: complex | np.complexfloating) -> Any:
    """A complex number: its real and its imaginary part."""
    number_type = type(x)
    return np.array([x.real, x.imag], dtype=np.float64), checked(lambda vec: number_type(complex(*vec)), 2)


@to_vec.dispatch(precedence=1)  # a bool is an integer too
def unmovable_to_vec(x: bool | np.bool_ | str | bytes | type | AbstractZero | None) -> Any:
    """Values without numbers to move."""
    return _no_numbers(), checked(lambda _: x, 0)


@to_vec.dispatch
def array_to_vec(x: np.ndarray) -> Any:
    """The elements of an array in the order of its axes; for each complex one its two parts."""
    if isinstance(x, np.ma.MaskedArray):
        raise TypeError("to_vec: the masked elements of an array are no numbers; give it unmasked.")
    kind = x.dtype.kind
    if kind == "O":
        return _parts_to_vec(x)
    if kind in "bSUT":
        return _no_numbers(), checked(lambda _: x.copy(), 0)
    if kind not in "fciu":
        raise TypeError(f"to_vec: an array of {x.dtype} has no elements that are numbers.")
    if kind == "c":
        vec = np.array(x, dtype=np.complex128, subok=False).ravel().view(np.float64)

        def back_of_parts(moved: RealVector) -> Any:
            return moved.copy().view(np.complex128).reshape(x.shape).astype(x.dtype)

        return vec, checked(back_of_parts, vec.size)
    vec = np.asarray(x, dtype=np.float64).ravel()

    def back(moved: RealVector) -> Any:
        return moved.reshape(x.shape).astype(x.dtype)

    def back_of_integers(moved: RealVector) -> Any:
        return back(moved) if np.array_equal(moved, vec) else moved.reshape(x.shape).copy()

    return vec.copy(), checked(back if kind == "f" else back_of_integers, vec.size)


# --- Values with parts --------------------------------------------------------------------------


def _object_to_vec(x: object) -> Any:
    """The parts of a value, one after the other; the stored entries of a sparse array."""
    return _sparse_to_vec(x) if is_sparse(x) else _parts_to_vec(x)


to_vec.dispatch(_object_to_vec)


def _parts_to_vec(x: Any) -> tuple[RealVector, Back]:
    below = parts(x)
    if not below:
        return _no_numbers(), checked(lambda _: x, 0)
    with inside(x):
        vecs, backs = zip(*map(to_vec, below.values()), strict=True)
    ends = np.cumsum([vec.size for vec in vecs]).tolist()
    slices = [slice(end - vec.size, end) for end, vec in zip(ends, vecs, strict=True)]
    pairs = [(getattr(back, "unchecked", back), part) for back, part in zip(backs, slices, strict=True)]

    def back_of_tuple(moved: RealVector) -> Any:  # the arguments of a function, again and again
        new = [back(moved[part]) for back, part in pairs]
        return tuple(new)

    def back(moved: RealVector) -> Any:
        return with_parts(x, dict(zip(below, back_of_tuple(moved), strict=True)))

    vec = np.concatenate(vecs)
    return vec, checked(back_of_tuple if type(x) is tuple else back, vec.size)


def _sparse_to_vec(x: Any) -> Any:
    entries = x.tocoo(copy=True)
    # A value and its tangent may store the same entries in different orders.
    entries.sum_duplicates()
    vec, back_of_data = to_vec(entries.data)

    def back(moved: RealVector) -> Any:
        rebuilt = entries.copy()
        rebuilt.data = back_of_data(moved)
        return rebuilt.asformat(x.format)

    return vec, back


@to_vec.dispatch
def thunk_to_vec(x: AbstractThunk) -> Any:
    """The value that a thunk computes."""
    return to_vec(unthunk(x))


def is_structure(x: Any) -> bool:
    """Whether `to_vec` goes through the parts of `x` one by one, so that ``Tangent[type(x)]`` fits it."""
    if isinstance(x, _WITHOUT_STRUCTURE) or not parts(x):
        return False
    return type(x) in CONTAINERS or to_vec.resolve_method((x,))[0] is _object_to_vec
