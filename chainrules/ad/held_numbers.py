"""The numbers and arrays that a value consists of, as observers of a differentiation look at them."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from chainrules.ad.structures import has_parts, parts_of
from chainrules_core import SparseArray, primal_of


def held_numbers(x: Any) -> Iterator[Any]:
    """The real and complex numbers and arrays that a value is or holds, without the traces around them.

    Of sparse and structured arrays they are the arrays of the stored elements. A value that a thunk has not
    computed yet is not among them.
    """
    x = primal_of(x)
    if isinstance(x, np.ndarray):
        if x.dtype.kind in "fc":
            yield x
    elif isinstance(x, SparseArray):
        yield from held_numbers(x.tocoo().data)
    elif isinstance(x, float | complex | np.inexact):
        yield x
    elif has_parts(x):
        for part in parts_of(x).values():
            yield from held_numbers(part)
