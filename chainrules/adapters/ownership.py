"""Arrays that go to another framework, which may write into them: nobody else may hold their memory.

A rule may return an argument, a view, or an array that its pullback keeps; a framework adds gradients in
place. CPython counts who holds an object, so an array that nobody else holds is given away as it is, and
others are copied.
"""

import sys
from typing import Any

import numpy as np


def _holders(arrays: list[Any], place: int) -> int:
    return sys.getrefcount(arrays[place])


# How often an array is counted that only a list holds.
_ONLY_THE_LIST = _holders([np.empty(1)], 0)


def owned(arrays: list[Any]) -> list[Any]:
    """Arrays like those in a list, whose memory nobody else holds; numbers become arrays without axes.

    Whoever calls this holds the arrays in the list only, or they are copied.
    """
    return [
        arrays[place] if _is_held_by_list_only(arrays, place) else np.array(arrays[place])
        for place in range(len(arrays))
    ]


def _is_held_by_list_only(arrays: list[Any], place: int) -> bool:
    if _holders(arrays, place) > _ONLY_THE_LIST:
        return False
    array = arrays[place]
    return type(array) is np.ndarray and array.base is None and array.flags.owndata and array.flags.writeable
