"""Hints on element type and rank, to dispatch on: ``Array[np.floating, 2]``.

A hint looks at a value's `dtype` and `ndim`. So it cannot be faithful, which is plum's word for a type that
looks at the class only. Its attribute `depends_only_on_dtype_and_ndim` says that a memory of chosen methods
has to look at these two as well.
"""

import copyreg
from typing import Any, NoReturn, TypeVar, Union, Unpack, get_args, get_origin

import numpy as np

from chainrules_core.dispatch.hint_checks import CLASSES_FOR_HINTS
from chainrules_core.dispatch.parameters import is_union
from chainrules_core.parametric_types import ParametricType, is_concrete, parametric


class _Elements(tuple[type[np.generic], ...]):
    """The element types of a hint, as they were written; their order says nothing."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Elements) and set(self) == set(other)

    def __hash__(self) -> int:
        return hash(frozenset(self))


_Parameter = tuple[_Elements, int | None]
_ANY = _Elements([np.generic])  # type: ignore[type-abstract]  # any class will do


class _ArrayHint(ParametricType):
    """The metaclass of `Array`; it has no ``__repr__`` because beartype refuses such metaclasses."""

    depends_only_on_dtype_and_ndim = True

    @property
    def __faithful__(cls) -> bool:
        return not is_concrete(cls)  # `Array` is the same set of values as `np.ndarray`

    @property
    def elements(cls) -> _Elements:
        """The types of elements: an array's own derives from one of these."""
        elements: _Elements = cls.type_parameter[0] if is_concrete(cls) else _ANY
        return elements

    @property
    def rank(cls) -> int | None:
        """The number of axes; `None` if it may be any."""
        rank: int | None = cls.type_parameter[1] if is_concrete(cls) else None
        return rank

    def __getitem__(cls, parameters: Any) -> "_ArrayHint":
        given = parameters if isinstance(parameters, tuple) else (parameters,)
        has_elements, has_rank = cls.elements != _ANY, cls.rank is not None
        if len(given) > 2 - has_elements - has_rank or not given:
            raise TypeError(f"{cls.__name__}[{parameters!r}]: expected Array[element type, rank], each once.")
        if has_elements:
            return _array_hint(cls.elements, _rank_from(given[0]))
        rank = _rank_from(given[1]) if len(given) == 2 else cls.rank
        return _array_hint(_elements_from(given[0]), rank)

    def __name_of_parameter__(cls, parameter: Any) -> str:
        elements, rank = parameter
        of = "Any" if elements == _ANY else " | ".join(element.__name__ for element in elements)
        return of if rank is None else f"{of}, {rank}"

    def __instancecheck__(cls, x: object) -> bool:
        if not isinstance(x, np.ndarray):
            return False
        elements, rank = cls.type_parameter if is_concrete(cls) else (_ANY, None)
        return issubclass(x.dtype.type, elements) and (rank is None or x.ndim == rank)

    def __subclasscheck__(cls, other: type) -> bool:
        return (cls is Array and issubclass(other, np.ndarray)) or super().__subclasscheck__(other)

    def __call__(cls, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise TypeError(f"{cls.__name__} is a type to dispatch on and has no instances; make a np.ndarray.")


# The base has no parameters: beartype would take the class for a hint of its own kind.
@parametric
class Array(np.ndarray, metaclass=_ArrayHint):
    """A hint on `np.ndarray`: ``Array[np.floating, 2]``, ``Array[np.float32]``, ``Array[Any, 2]``.

    The first parameter is a NumPy scalar type, abstract or concrete, a Python number type or dtype (which
    stand for their scalar type), a union of these, or ``Any``; the second the rank. ``Vector`` and ``Matrix``
    fix the rank and take an element type, ``RealArray`` (floats, integers, bools) and ``ComplexArray`` the
    element type and take a rank.

    For plum, each of these is more specific than the next: ``Array[np.float64, 2]``,
    ``Array[np.floating, 2]``, ``Array[np.floating]``, ``np.ndarray``, `AbstractArray`. Instances of
    subclasses of `np.ndarray` match by their dtype and rank too.

    Raises
    ------
    TypeError
        On parameters that are not an element type and a rank, and when called: there are no instances.
    """

    @classmethod
    def __le_type_parameter__(cls, left: _Parameter, right: _Parameter) -> bool:
        (elements, rank), (wider, required) = left, right
        return required in (None, rank) and all(issubclass(element, wider) for element in elements)

    @classmethod
    def __infer_type_parameter__(cls, *args: Any, **kwargs: Any) -> NoReturn:
        # plum asks when `Array` is called.
        _ArrayHint.__call__(cls, *args, **kwargs)

    def __array_finalize__(self, obj: Any) -> NoReturn:
        raise TypeError(f"{type(self).__name__} is a type to dispatch on: an array cannot be viewed as one.")


def _array_hint(elements: tuple[type[np.generic], ...], rank: int | None) -> _ArrayHint:
    parameter = _Elements(elements), rank
    made: Any = Array if parameter == (_ANY, None) else ParametricType.__getitem__(Array, parameter)
    return made  # type: ignore[no-any-return]  # with the metaclass of `Array`


def _rank_from(parameter: Any) -> int:
    if isinstance(parameter, int) and not isinstance(parameter, bool) and parameter >= 0:
        return parameter
    raise TypeError(f"The rank in Array[element type, rank] is an int that is at least 0, not {parameter!r}.")


def _elements_from(parameter: Any) -> tuple[type[np.generic], ...]:
    if parameter is Any:
        return _ANY
    if is_union(parameter):
        parts = [element for part in get_args(parameter) for element in _elements_from(part)]
        return tuple(dict.fromkeys(parts))
    if isinstance(parameter, type) and issubclass(parameter, np.generic):
        return (parameter,)
    is_python_number = isinstance(parameter, type) and parameter in (bool, int, float, complex)
    if is_python_number or isinstance(parameter, np.dtype):
        return (np.dtype(parameter).type,)
    raise TypeError(
        f"The element type in Array[element type, rank] is a NumPy scalar type such as np.floating, "
        f"or Any, not {parameter!r}."
    )


def _reduce(hint: _ArrayHint) -> Any:
    # Not as other parametric types: the elements are not what one writes.
    return (_array_hint, (tuple(hint.elements), hint.rank)) if is_concrete(hint) else "Array"


copyreg.pickle(type(Array), _reduce)

Vector = _array_hint(_ANY, 1)
Matrix = _array_hint(_ANY, 2)
RealArray = _array_hint((np.bool_, np.integer, np.floating), None)
ComplexArray = _array_hint((np.complexfloating,), None)


def hint_of_numpy(hint: Any) -> Any:
    """The type that stands for one of NumPy's own hints, ``np.ndarray[shape, dtype]``.

    plum knows nothing of these: it would warn of each, ask beartype at every call, and remember no answer.

    Parameters
    ----------
    hint
        Such a hint: ``npt.NDArray[np.floating[Any]]``, ``np.ndarray[tuple[int, int], np.dtype[np.float64]]``.

    Returns
    -------
    Any
        `np.ndarray`, or an `Array` with the element types and the rank; `hint` itself if none is like it.
    """
    shape, dtype = (*get_args(hint), Any)[:2]
    rank = _rank_of(shape)
    try:
        elements = _elements_of(dtype)
        if rank is not None:
            return Array[elements, rank]
        return np.ndarray if elements is Any else Array[elements]
    except TypeError:
        return hint


CLASSES_FOR_HINTS[np.ndarray] = hint_of_numpy


def _rank_of(shape: Any) -> int | None:
    lengths = get_args(shape)
    is_known = get_origin(shape) is tuple and not any(
        length is Ellipsis or get_origin(length) is Unpack for length in lengths
    )
    return len(lengths) if is_known else None


def _elements_of(parameter: Any) -> Any:
    if parameter is Any:
        return Any
    (element,) = get_args(parameter) or (parameter,)
    if isinstance(element, TypeVar):
        element = element.__bound__ or Union[element.__constraints__ or Any]  # noqa: UP007 - of several
    members = get_args(element) if is_union(element) else (element,)
    plain = tuple(get_origin(member) or member for member in members)
    return Any if Any in plain or np.generic in plain else Union[plain]  # noqa: UP007 - of several
