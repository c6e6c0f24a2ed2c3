"""Data types: functions that ask for them, and conversion to classes of numbers."""

import numpy as np

from chainrules.makers.linear_rules import linear_rule
from chainrules.makers.versions import present
from chainrules_core import non_differentiable

non_differentiable(np.can_cast, np.promote_types, np.min_scalar_type, np.common_type)
non_differentiable(np.issubdtype, np.mintypecode, np.isdtype)
non_differentiable(*present(np, "typename"))  # deprecated in NumPy 2.5

_INTEGERS = (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)
_OTHER_INTEGERS = {np.intc, np.uintc, np.longlong, np.ulonglong}.difference(_INTEGERS)  # by the platform

_REAL = (np.float16, np.float32, np.float64, np.longdouble)
_COMPLEX = (np.complex64, np.complex128, np.clongdouble)

for _inexact in (*_REAL, *_COMPLEX):
    linear_rule(_inexact, lambda y_bar, _: y_bar)  # in the precision of the argument again
    non_differentiable(_inexact, str | bytes)

# One by one: of several, all but the first would be taken for the types of its arguments.
for _kind in (np.dtype, np.finfo, np.iinfo, np.bool_, np.bytes_, np.str_, *_INTEGERS, *_OTHER_INTEGERS):
    non_differentiable(_kind)
