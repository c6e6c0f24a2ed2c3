"""Data types: functions that ask for them, and classes of numbers that have no derivative."""

import numpy as np

from chainrules_core import non_differentiable

non_differentiable(np.can_cast, np.promote_types, np.min_scalar_type, np.common_type)
non_differentiable(np.issubdtype, np.mintypecode, np.typename)
if hasattr(np, "isdtype"):  # since NumPy 2.0
    non_differentiable(np.isdtype)

_INTEGERS = (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)
_OTHER_INTEGERS = {np.intc, np.uintc, np.longlong, np.ulonglong}.difference(_INTEGERS)  # by the platform

# One by one: of several, all but the first would be taken for the types of its arguments.
for _kind in (np.dtype, np.finfo, np.iinfo, np.bool_, *_INTEGERS, *_OTHER_INTEGERS):
    non_differentiable(_kind)
