"""Data types: functions that ask for them, and conversion to classes of numbers."""

from typing import Any

import numpy as np

from chainrules.makers.linear_rules import linear_rule
from chainrules.makers.versions import present
from chainrules.values.operands import Operand
from chainrules_core import NO_TANGENT, ProjectTo, frule, non_differentiable, rrule, typeof_

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

for _complex in (np.complex64, np.complex128):  # of both parts; the widest takes no second one

    @frule.dispatch
    def complex_frule(tangents: Any, f: typeof_(_complex), real: Operand, imag: Operand):
        z = f(real, imag)
        project = ProjectTo(z)
        return z, project(tangents[1]) + project(1j * tangents[2])

    @rrule.dispatch
    def complex_rrule(f: typeof_(_complex), real: Operand, imag: Operand):
        project_real, project_imag = ProjectTo(real), ProjectTo(imag)

        def complex_pullback(z_bar):
            return NO_TANGENT, project_real(z_bar), project_imag(-1j * z_bar)

        return f(real, imag), complex_pullback


# One by one: of several, all but the first would be taken for the types of its arguments.
for _kind in (np.dtype, np.finfo, np.iinfo, np.bool_, np.bytes_, np.str_, *_INTEGERS, *_OTHER_INTEGERS):
    non_differentiable(_kind)
