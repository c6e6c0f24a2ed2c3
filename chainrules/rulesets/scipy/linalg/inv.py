"""Rules for the inverse of a matrix.

For ``Y = M⁻¹``, where ``M`` is what is read of the argument: ``Y_dot = -Y M_dot Y``, and ``M_bar = -Yᴴ Y_bar
Yᴴ``. M. B. Giles, "An extended collection of matrix derivative results for forward and reverse mode
algorithmic differentiation", 2008, section 2.2.3.

Where a diagonal matrix is assumed, SciPy returns the other elements as they were: these have their
derivatives too.
"""

from typing import Any

import numpy as np
from scipy.linalg import inv

from chainrules.formulas.equations.assumed_structures import structure_of
from chainrules.formulas.matrices.matrix_readings import DIAGONAL, Elements
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import adjoint, conjugate
from chainrules_core import NO_TANGENT, ProjectTo, frule, primal_of, primitive, rrule, typeof_

_inv = primitive(inv)


@frule.dispatch
def inv_frule(tangents, f: typeof_(inv), A: ArrayOperand, *options, **named):
    A_dot = tangents[1]
    Y, reading = _inverse_and_reading(A, *options, **named)
    return Y, _by_elements(Y, A_dot) if reading is DIAGONAL else -Y @ reading.push(A, A_dot, Y)


@rrule.dispatch
def inv_rrule(f: typeof_(inv), A: ArrayOperand, *options, **named):
    Y, reading = _inverse_and_reading(A, *options, **named)
    project = ProjectTo(A)

    def inv_pullback(Y_bar):
        if reading is DIAGONAL:
            A_bar = _by_elements(conjugate(Y), Y_bar)
        else:
            A_bar = reading.pull(A, -adjoint(Y) @ Y_bar, Y)
        return NO_TANGENT, project(A_bar), *(NO_TANGENT,) * len(options)

    return Y, inv_pullback


def _by_elements(Y: Any, A_dot: Any) -> Any:
    """The tangent where a diagonal matrix is assumed; the cotangent, if `Y` is the conjugate."""
    return np.where(np.eye(shape_of(Y)[-1], dtype=bool), -A_dot * Y * Y, A_dot)


def _inverse_and_reading(
    A: Any, overwrite_a: bool = False, check_finite: bool = True, **named: Any
) -> tuple[Any, Elements]:
    """The inverse, and what is read of the argument, which is never overwritten."""
    Y = _inv(A, check_finite=check_finite, **named)
    is_complex = primal_of(A).dtype.kind == "c"
    return Y, structure_of(named.get("assume_a"), bool(named.get("lower", False)), is_complex).reading
