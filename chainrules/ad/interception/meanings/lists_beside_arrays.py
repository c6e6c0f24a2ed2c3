"""Operators of an array and a list or tuple: NumPy takes it for an array, and so does the derivative."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.ruled_calls import array_if_traced
from chainrules.ad.values.plain_values import FREQUENT


def with_array(compute: Callable[[Any, Any], Any], x: Any, y: Any) -> Any:
    """An operator of a plain array and a list, which is a traced array if a number in it is traced.

    Parameters
    ----------
    compute
        The operator.
    x, y
        Its operands, in either order.
    """
    if FREQUENT.issuperset(map(type, y if type(x) is np.ndarray else x)):
        return compute(x, y)
    return compute(array_if_traced(x), array_if_traced(y))
