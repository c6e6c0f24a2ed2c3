"""Numbers and arrays of the usual classes, which are known by their class alone, and other operands."""

from numbers import Number
from typing import Any

import numpy as np

from chainrules.ad.values.kinds_of_arrays import check_kind
from chainrules_core import LazyArray, SparseArray

# Nearly all results that are numbers, and nearly all operands of traced values, have these classes. To look a
# class up here is far quicker than `isinstance`, which finds the others.
FLOATS = frozenset({float, np.float64})
# What says by ``__class__`` that it is an array: arrays, and recorded values that stand for one.
ARRAYS: set[Any] = {np.ndarray}
FREQUENT = FLOATS | {int, complex, np.ndarray}
BUILTIN_CONTAINERS = frozenset({tuple, list, dict})

# Nearly all arrays have this very dtype, which is found out sooner than its kind.
DOUBLE = np.dtype(np.float64)

# In the flags of an array, `x.flags.num`. By name, those of `numpy.broadcast_arrays` warn of being asked.
WRITEABLE = 0x400

# NumPy makes arrays of these where it expects an array; a range holds nothing traced.
SEQUENCES = (list, tuple)
ARRAY_LIKE = (*SEQUENCES, range)

# Classes of objects whose operators have rules, by their names, since programs need not have imported them.
_WITH_OPERATORS = {
    ("numpy.polynomial._polybase", "ABCPolyBase"),
    ("statistics", "NormalDist"),
    ("scipy.spatial.transform._rotation", "Rotation"),
    ("scipy.spatial.transform._rigid_transform", "RigidTransform"),
}

_COMPUTING = (float, complex, np.ndarray)

_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "matmul")
BINARY_OPERATORS = frozenset(f"__{prefix}{name}__" for name in _BINARY for prefix in ("", "r"))
_OPERATORS = BINARY_OPERATORS | {"__neg__", "__pos__", "__abs__", "__array_ufunc__"}

_NOT_COMPUTING = frozenset(dir(object)) | {
    "__array_finalize__",
    "__array_priority__",
    "__array_wrap__",
    "__class_getitem__",
    "__copy__",
    "__deepcopy__",
    "__getnewargs__",
    "__setstate__",
}

_ARRAY_TYPES = (Number, np.ndarray, np.generic, SparseArray)


def is_array_like(x: Any, other: Any) -> bool:
    """Whether both are plain arrays of one dtype and shape."""
    return (
        x.__class__ is np.ndarray
        and other.__class__ is np.ndarray
        and x.dtype is other.dtype
        and x.shape == other.shape
    )


def is_operand(x: Any) -> bool:
    """Whether an operator between `x` and a traced value calls a function by its rule.

    Other classes that look like arrays may be containers that hold traced values.

    Raises
    ------
    TypeError
        For masked arrays and matrices.
    """
    cls = type(x)
    if cls not in FREQUENT and isinstance(x, np.ndarray):
        check_kind(x)
    return cls in FREQUENT or (
        (isinstance(x, _ARRAY_TYPES) or has_rules(cls) or has_operators(cls))
        and not has_operators_of_its_own(cls)
    )


def has_operators_of_its_own(cls: type) -> bool:
    """Whether a subclass of `float`, `complex` or `numpy.ndarray` computes otherwise than these.

    Rules know nothing of it: they would take its value, and the derivative of the class above.
    """
    if issubclass(cls, float | complex | np.ndarray):
        for base in cls.__mro__:  # pragma: no branch - one of the three classes is among them
            if base in _COMPUTING or str(base.__module__).partition(".")[0] == "numpy":
                return False
            if not _OPERATORS.isdisjoint(vars(base)):
                return True
    return False


def redefined_in(cls: type) -> str | None:
    """The name of an attribute by which a subclass of numbers or arrays computes otherwise than these.

    `None` if it has none. It may be made, shown, copied, compared and pickled in a way of its own.
    """
    if issubclass(cls, float | complex | np.ndarray):
        above = next(plain for plain in _COMPUTING if issubclass(cls, plain))
        computing = (set(dir(above)) | _OPERATORS) - _NOT_COMPUTING
        for base in cls.__mro__:  # pragma: no branch - the class above is among them
            if base is above or str(base.__module__).partition(".")[0] == "numpy":
                return None
            redefined = sorted(computing.intersection(vars(base)))
            if redefined:
                return redefined[0]
    return None


def has_rules(cls: type) -> bool:
    """Whether the arrays of a class leave operations with traced values to rules."""
    return getattr(cls, "intercepts_carriers", False) or issubclass(cls, SparseArray | LazyArray)


def has_operators(cls: type) -> bool:
    """Whether operators with objects of a class on one side have rules."""
    return any((base.__module__, base.__qualname__) in _WITH_OPERATORS for base in cls.__mro__)
