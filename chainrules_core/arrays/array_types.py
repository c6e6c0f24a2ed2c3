"""Array types for dispatch: `AbstractArray`, and hints on element type and rank: `Array[np.floating, 2]`.

`AbstractArray` looks at the class only, so that plum may remember the method that it chose for a class (it
calls such a type *faithful*). `Array[...]` looks at a value's `dtype` and `ndim`. It cannot be faithful, but
its attribute `depends_only_on_dtype_and_ndim` says that a memory of chosen methods has to look at these two.
"""

import copyreg
import threading
from abc import ABC
from types import UnionType
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Union, get_args, get_origin

import numpy as np

from chainrules_core.tangents.abstract_tangent import AbstractTangent


class AbstractArray(ABC):  # noqa: B024 - a hook asks for the attributes
    """Whatever behaves like an array: ndarrays, Dask, CuPy, SciPy sparse and structured arrays.

    A class is one if it has ``shape``, ``dtype`` and ``__array_function__``, or ``__array_namespace__``, or
    ``shape`` and SciPy sparse's ``tocoo``. NumPy scalars and tangent types are not. A class whose instances
    get their ``shape`` only in ``__init__`` joins by deriving from `AbstractArray` or by
    ``AbstractArray.register(cls)``.
    """

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def shape(self) -> tuple[int, ...]:
            """The lengths of the axes."""

        @property
        def dtype(self) -> Any:
            """The type of the elements."""

    @classmethod
    def __subclasshook__(cls, other: type) -> Any:
        if cls is not AbstractArray:
            return NotImplemented
        if issubclass(other, np.generic | AbstractTangent):
            return False
        has_one_of_these = any(all(hasattr(other, name) for name in names) for names in _NAMES)
        return has_one_of_these or NotImplemented


_NAMES = (("shape", "dtype", "__array_function__"), ("__array_namespace__",), ("shape", "tocoo"))


class _ArrayHint(type):
    """The metaclass of `Array[...]`; it has no ``__repr__`` because beartype refuses such metaclasses."""

    elements: tuple[type[np.generic], ...]
    rank: int | None

    def __getitem__(cls, parameters: Any) -> "_ArrayHint":
        given = parameters if isinstance(parameters, tuple) else (parameters,)
        has_elements, has_rank = cls.elements != (np.generic,), cls.rank is not None
        if len(given) > 2 - has_elements - has_rank or not given:
            raise TypeError(f"{cls.__name__}[{parameters!r}]: expected Array[element type, rank], each once.")
        if has_elements:
            return _array_hint(cls.elements, _rank_from(given[0]))
        rank = _rank_from(given[1]) if len(given) == 2 else cls.rank
        return _array_hint(_elements_from(given[0]), rank)

    def __instancecheck__(cls, x: object) -> bool:
        return (
            isinstance(x, np.ndarray)
            and issubclass(x.dtype.type, cls.elements)
            and (cls.rank is None or x.ndim == cls.rank)
        )

    def __subclasscheck__(cls, other: type) -> bool:
        if isinstance(other, _ArrayHint):
            fits_rank = cls.rank is None or cls.rank == other.rank
            return fits_rank and all(issubclass(element, cls.elements) for element in other.elements)
        return cls is Array and issubclass(other, np.ndarray)

    def __call__(cls, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise TypeError(f"{cls.__name__} is a type to dispatch on and has no instances; make a np.ndarray.")


# The base has no parameters: beartype would take the class for a hint of its own kind.
class Array(np.ndarray, metaclass=_ArrayHint):
    """A hint on `np.ndarray`: ``Array[np.floating, 2]``, ``Array[np.float32]``, ``Array[Any, 2]``.

    The first parameter is a NumPy scalar type, abstract or concrete, a Python number type or dtype (which
    stand for their scalar type), a union of these, or ``Any``; the second the rank. ``Vector`` and ``Matrix``
    fix the rank and take an element type, ``RealArray`` (floats, integers, bools) and ``ComplexArray`` the
    element type and take a rank.

    For plum, ``Array[np.float64, 2]`` is more specific than ``Array[np.floating, 2]``, that than
    ``Array[np.floating]``, that than ``np.ndarray``, and that than `AbstractArray`. Instances of subclasses
    of `np.ndarray` match by their dtype and rank too.

    Raises
    ------
    TypeError
        On parameters that are not an element type and a rank, and when called: there are no instances.
    """

    elements: ClassVar[tuple[type[np.generic], ...]] = (np.generic,)
    rank: ClassVar[int | None] = None
    # The same set of values as `np.ndarray`, which looks at the class alone.
    __faithful__: ClassVar[bool] = True
    depends_only_on_dtype_and_ndim: ClassVar[bool] = True

    def __array_finalize__(self, obj: Any) -> NoReturn:
        raise TypeError(f"{type(self).__name__} is a type to dispatch on: an array cannot be viewed as one.")


_hints: dict[tuple[frozenset[type[np.generic]], int | None], _ArrayHint] = {
    (frozenset(Array.elements), None): Array
}
_lock = threading.Lock()


def _array_hint(elements: tuple[type[np.generic], ...], rank: int | None) -> _ArrayHint:
    """The one class for these parameters: plum and pickle compare hints by identity."""
    key = frozenset(elements), rank
    with _lock:
        if key not in _hints:
            of = "Any" if elements == (np.generic,) else " | ".join(element.__name__ for element in elements)
            name = f"Array[{of}]" if rank is None else f"Array[{of}, {rank}]"
            members = {
                "elements": elements,
                "rank": rank,
                "__faithful__": False,
                "__module__": __name__,
                "__qualname__": name,
            }
            _hints[key] = _ArrayHint(name, (Array,), members)
        return _hints[key]


def _rank_from(parameter: Any) -> int:
    if isinstance(parameter, int) and not isinstance(parameter, bool) and parameter >= 0:
        return parameter
    raise TypeError(f"The rank in Array[element type, rank] is an int that is at least 0, not {parameter!r}.")


def _elements_from(parameter: Any) -> tuple[type[np.generic], ...]:
    if parameter is Any:
        return (np.generic,)
    if get_origin(parameter) in (Union, UnionType):
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


def _reduce_hint(hint: _ArrayHint) -> Any:
    return "Array" if hint is Array else (_array_hint, (hint.elements, hint.rank))


copyreg.pickle(_ArrayHint, _reduce_hint)

Vector = _array_hint(Array.elements, 1)
Matrix = _array_hint(Array.elements, 2)
RealArray = _array_hint((np.bool_, np.integer, np.floating), None)
ComplexArray = _array_hint((np.complexfloating,), None)
