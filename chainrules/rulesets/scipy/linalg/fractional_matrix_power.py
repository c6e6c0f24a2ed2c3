"""Rules for powers of matrices with real exponents.

``Aᵗ = exp(t log A)``: its derivative by ``A`` is the derivative of the exponential in the direction of ``t``
times the derivative of the logarithm, and its derivative by ``t`` is ``Aᵗ log A``. The derivative by ``A`` of
an integer power, which SciPy computes by products, is that of
`chainrules.formulas.functions_of_matrices.matrix_powers`, so that a matrix need not have a logarithm. For
other exponents of a singular matrix `numpy.linalg.LinAlgError` is raised.
"""

from typing import Any

import numpy as np
from scipy.linalg import expm, fractional_matrix_power, logm

from chainrules.formulas.equations.sylvester_equations import singular_error
from chainrules.formulas.functions_of_matrices.matrix_functions import derivative_by_blocks
from chainrules.formulas.functions_of_matrices.matrix_logarithms import derivative_of_logarithm
from chainrules.formulas.functions_of_matrices.matrix_powers import derivative_of_power
from chainrules.makers.linear_rules import tangent_like
from chainrules.operations.casting import astype
from chainrules.values.operands import ArrayOperand, Operand
from chainrules.values.stacks import conjugate, transposed
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    frule,
    primal_of,
    primitive,
    rrule,
    sum_tangents,
    thunk,
    typeof_,
)

_power, _expm, _logm = primitive(fractional_matrix_power), primitive(expm), primitive(logm)


@frule.dispatch
def fractional_matrix_power_frule(
    tangents: Any, f: typeof_(fractional_matrix_power), A: ArrayOperand, t: Operand
):
    _, A_dot, t_dot = tangents
    Y = _power(A, t)
    terms = []
    if not isinstance(A_dot, AbstractZero):
        terms.append(_derivative(A, t, Y, A_dot))
    if not isinstance(t_dot, AbstractZero):
        terms.append(t_dot * (Y @ _logarithm(A)))
    return Y, tangent_like(Y, sum_tangents(Y, terms)) if terms else A_dot


@rrule.dispatch
def fractional_matrix_power_rrule(f: typeof_(fractional_matrix_power), A: ArrayOperand, t: Operand):
    Y = _power(A, t)
    project_A, project_t = ProjectTo(A), ProjectTo(t)

    def fractional_matrix_power_pullback(Y_bar):
        def pull_matrix():
            return project_A(conjugate(_derivative(transposed(A), t, Y, conjugate(Y_bar))))

        def pull_exponent():
            return project_t(np.sum(conjugate(Y @ _logarithm(A)) * Y_bar))

        return NO_TANGENT, thunk(pull_matrix), thunk(pull_exponent)

    return Y, fractional_matrix_power_pullback


def _derivative(A, t, Y, E):
    """The derivative by the matrix, in the direction `E`."""
    is_integer = primal_of(t) is t and t == int(t)
    if is_integer:
        return derivative_of_power(A, int(t), E)
    direction = t * derivative_of_logarithm(A, E, _NAME)
    derivative = derivative_by_blocks(_expm, t * _logarithm(A), direction)
    _check_digits(Y, direction, derivative)
    return derivative


_NAME = "a fractional power"


def _check_digits(Y, direction, derivative):
    """Raise where a large derivative of the logarithm cancels, and leaves the derivative without a digit."""
    Y, direction, derivative = (np.abs(primal_of(X)) for X in (Y, direction, derivative))
    of_power, of_logarithm, size = (X.max(axis=(-2, -1), initial=0) for X in (Y, direction, derivative))
    if np.any(np.finfo(direction.dtype).eps * of_power * of_logarithm > size / 10):
        raise singular_error(_NAME)


def _logarithm(A):
    """The logarithm in double precision: SciPy warns that one in single precision has not more."""
    dtype = primal_of(A).dtype
    return _logm(A if dtype.char in "dD" else astype(A, np.result_type(dtype, np.float64)))
