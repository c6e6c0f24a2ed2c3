"""The classes of what traced values meet in an operation."""

from numbers import Number
from typing import Any

import numpy as np

from chainrules_core import SparseArray

# The other operand of an operator is nearly always one of these; what else is taken is found by `isinstance`.
FREQUENT = frozenset({float, int, complex, np.ndarray, np.float64})

# What NumPy makes arrays of where it expects one.
SEQUENCES = (list, tuple)

# Classes of objects whose operators have rules, by their names, since programs need not have imported them.
_WITH_OPERATORS = {
    ("numpy.polynomial._polybase", "ABCPolyBase"),
    ("statistics", "NormalDist"),
}

_ARRAY_TYPES = (Number, np.ndarray, np.generic, SparseArray)


def is_operand(x: Any) -> bool:
    """Whether an operation of `x` and a traced value is that of a function with a rule.

    Other classes that look like arrays may be containers that hold traced values.
    """
    cls = type(x)
    return cls in FREQUENT or isinstance(x, _ARRAY_TYPES) or has_rules(cls) or has_operators(cls)


def has_rules(cls: type) -> bool:
    """Whether the arrays of a class leave operations with traced values to rules."""
    return getattr(cls, "intercepts_carriers", False) or issubclass(cls, SparseArray)


def has_operators(cls: type) -> bool:
    """Whether operators with objects of a class on one side have rules."""
    return any((base.__module__, base.__qualname__) in _WITH_OPERATORS for base in cls.__mro__)
