"""The classes of what traced values meet in an operation."""

from numbers import Number
from typing import Any

import numpy as np

from chainrules_core.sparse_arrays import SparseArray

# The other operand of an operator is nearly always one of these; what else is taken is found by `isinstance`.
FREQUENT = frozenset({float, int, complex, np.ndarray, np.float64})

# What NumPy makes arrays of where it expects one.
SEQUENCES = (list, tuple)

_ARRAY_TYPES = (Number, np.ndarray, np.generic, SparseArray)


def is_operand(x: Any) -> bool:
    """Whether an operation of `x` and a traced value is that of a function with a rule.

    Other classes that look like arrays may be containers that hold traced values.
    """
    cls = type(x)
    return cls in FREQUENT or isinstance(x, _ARRAY_TYPES) or has_rules(cls)


def has_rules(cls: type) -> bool:
    """Whether the arrays of a class leave operations with traced values to rules."""
    return getattr(cls, "intercepts_carriers", False) or issubclass(cls, SparseArray)
