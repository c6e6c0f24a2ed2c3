"""Rules for the inverse of a matrix.

For ``Y = A⁻¹``: ``Y_dot = -Y A_dot Y``, and ``A_bar = -Yᴴ Y_bar Yᴴ``; Giles 2008, section 2.2.3.
"""

from typing import Any

import numpy as np

from chainrules.operations.lu import lu_of
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import adjoint
from chainrules_core import NoTangent, ProjectTo, frule, rrule, typeof_, unthunk


@frule.dispatch
def inv_frule(tangents: Any, f: typeof_(np.linalg.inv), A: ArrayOperand) -> tuple[Any, Any]:
    Y = _inverse(A)
    return Y, -(Y @ unthunk(tangents[1]) @ Y)


@rrule.dispatch
def inv_rrule(f: typeof_(np.linalg.inv), A: ArrayOperand) -> tuple[Any, Any]:
    Y = _inverse(A)
    project = ProjectTo(A)

    def inv_pullback(Y_bar: Any) -> Any:
        Y_adjoint = adjoint(Y)
        return NoTangent(), project(-(Y_adjoint @ unthunk(Y_bar) @ Y_adjoint))

    return Y, inv_pullback


def _inverse(A: Any) -> Any:
    # By its factors: NumPy solves a system for each column of the identity, which takes half as long again.
    lu = lu_of(A)
    return np.linalg.inv(A) if lu is None else lu.inverse()
