"""Methods of arrays, as functions of the array."""

import sys
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.ruled_calls import ruled
from chainrules.ad.interception.choosing.unentered import refusing
from chainrules.ad.traced.written_numbers import check_numbers_read
from chainrules.ad.values.facts import fact

_ndarray = np.ndarray

# It is called as a class to see the memory of another array in another shape.
fact(_ndarray, wrapped=lambda f: refusing(f, "Write `np.reshape(x, shape)`, or `np.array(x)` for a copy."))

_WRITING = "__setitem__ byteswap fill partition put resize setfield sort"
_OPERATORS = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift"

fact(*(getattr(_ndarray, name) for name in _WRITING.split()), writes=0)
fact(*(getattr(_ndarray, f"__i{name}__") for name in _OPERATORS.split()), writes=0)

# The position of the array to write the result into, beside the array itself.
fact(*(_ndarray.all, _ndarray.any, _ndarray.argmax, _ndarray.argmin, _ndarray.dot), out=2)
fact(*(_ndarray.max, _ndarray.min, _ndarray.round), out=2)
fact(*(_ndarray.clip, _ndarray.compress, _ndarray.cumprod, _ndarray.cumsum, _ndarray.mean), out=3)
fact(*(_ndarray.prod, _ndarray.std, _ndarray.sum, _ndarray.take, _ndarray.var), out=3)
fact(_ndarray.trace, out=5)
fact(_ndarray.choose, out=sys.maxsize)  # by keyword alone: what it is given by position are choices

_astype = ruled(_ndarray.astype, _ndarray.astype)


def astype(x: Any, *args: Any, **kwargs: Any) -> Any:
    """As `np.ndarray.astype`, which makes numbers of an array of text."""
    if x.__class__ is not _ndarray:
        return _astype(x, *args, **kwargs)
    y = x.astype(*args, **kwargs)
    if x.dtype.kind in "SU":
        check_numbers_read(y, sys._getframe(1))
    return y


fact(_ndarray.astype, stands_for_it=astype)
