"""Lazy values, which hold a graph of tasks instead of numbers: the arrays of Dask, without importing Dask.

To look at one element of such an array computes the whole graph, and may bring more numbers into memory than
there is room for. So rules decide nothing by the elements of lazy arrays.
"""

from typing import Any

import numpy as np

from chainrules_core.backends import PLAIN_CLASSES, STAND_INS, primal_of

_LAZY = {("dask.array.core", "Array")}
# Whether a class is lazy: of the classes that are asked about most, and of those that are.
_is_lazy: dict[type, bool] = dict.fromkeys(PLAIN_CLASSES, False)


def is_lazy_class(cls: type) -> bool:
    """Whether the instances of a class are lazy arrays."""
    return any((base.__module__, base.__qualname__) in _LAZY for base in cls.__mro__)


def is_lazy(x: Any) -> bool:
    """Whether a value is a lazy array, or a carrier of one.

    Examples
    --------
    >>> is_lazy(np.ones(3))
    False
    """
    cls = type(primal_of(x))
    known = _is_lazy.get(cls)
    if known is None:
        known = cls not in STAND_INS and is_lazy_class(cls)
        if known:  # the classes of a program are not held, so that they can go
            _is_lazy[cls] = known
    return known


def may_hold(condition: Any) -> bool:
    """Whether a condition holds for any element; of a lazy array `True`, since nobody may look.

    Rules ask this where they can leave out a special case that no element needs. It has to be right to treat
    the case all the same, if slower.

    Parameters
    ----------
    condition
        A truth value or an array of them.

    Examples
    --------
    >>> may_hold(np.array([1.0, 2.0]) == 0)
    False
    """
    return is_lazy(condition) or bool(np.any(condition))
