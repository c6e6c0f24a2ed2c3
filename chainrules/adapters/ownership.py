"""Arrays that go to another framework, which may write into them: nobody else may hold their memory.

A rule may return an argument, a view, or an array that its pullback keeps; a framework adds gradients in
place. CPython counts who holds an object, so an array that nobody else holds is given away as it is, and
others are copied.
"""

from sys import getrefcount
from typing import Any

import numpy as np


def _count_of_first(arrays: list[Any]) -> int:
    array = arrays[0]
    return getrefcount(array)


# How often an array is counted that only a list holds, and a variable, as in a loop over this list.
_ONLY_THE_LIST = _count_of_first([object()])


def owned(arrays: list[Any]) -> list[Any]:
    """Arrays like those in a list, whose memory nobody else holds; numbers become arrays without axes.

    Whoever calls this holds the arrays in the list only, or they are copied.
    """
    results = []
    for array in arrays:
        if array.__class__ is not np.ndarray:
            results.append(np.array(array))
        elif (
            getrefcount(array) <= _ONLY_THE_LIST
            and array.base is None
            and array.flags.owndata
            and array.flags.writeable
        ):
            results.append(array)
        else:
            results.append(array.copy("K"))
    return results
