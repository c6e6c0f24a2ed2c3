"""Arrays that go to another framework, which may write into them: nobody else may hold their memory.

A rule may return an argument, a view, or an array that its pullback keeps; a framework adds gradients in
place. CPython counts who holds an object, so an array that nobody else holds is given away as it is, and
others are copied.
"""

from sys import getrefcount
from typing import Any

import numpy as np


def _counts(arrays: list[Any]) -> list[int]:
    return [getrefcount(array) for array in arrays]


# How often an array is counted that only a list holds.
_ONLY_THE_LIST = _counts([np.empty(1)])[0]


def owned(arrays: list[Any]) -> list[Any]:
    """Arrays like those in a list, whose memory nobody else holds; numbers become arrays without axes.

    Whoever calls this holds the arrays in the list only, or they are copied.
    """
    counts = _counts(arrays)
    return [
        array if count <= _ONLY_THE_LIST and _holds_its_memory(array) else np.array(array)
        for array, count in zip(arrays, counts, strict=True)
    ]


def _holds_its_memory(array: Any) -> bool:
    if array.__class__ is not np.ndarray or array.base is not None:
        return False
    flags = array.flags
    return flags.owndata and flags.writeable
