"""Rules for the matrix exponential and its derivative.

See `chainrules.formulas.functions_of_matrices.matrix_functions`. The derivative of
`scipy.linalg.expm_frechet` follows from that of the exponential of a block matrix, since ``expm([A E; 0 A]) =
[expm(A) L(A, E); 0 expm(A)]``.
"""

from typing import Any

from scipy.linalg import expm, expm_frechet

from chainrules.formulas.functions_of_matrices.matrix_functions import block_upper, derivative_by_blocks
from chainrules.formulas.numbers.precision import as_precise
from chainrules.makers.linear_rules import tangent_like
from chainrules.makers.matrix_functions import matrix_function_rule
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import tangent_as_array
from chainrules.values.stacks import adjoint
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, ZeroTangent, frule, primitive, rrule, typeof_

_expm, _expm_frechet = primitive(expm), primitive(expm_frechet)


def _derivative(A: Any, E: Any) -> Any:
    return derivative_by_blocks(_expm, A, E)


matrix_function_rule(expm, lambda A, _, E: _derivative(A, E))


@frule.dispatch
def expm_frechet_frule(
    tangents: Any, f: typeof_(expm_frechet), A: ArrayOperand, E: ArrayOperand, *options: Any, **named: Any
):
    A_dot, E_dot = (tangent_as_array(x, dot) for x, dot in zip((A, E), tangents[1:3], strict=True))
    y = _expm_frechet(A, E, *options, **named)
    has_both, n = isinstance(y, tuple | list), shape_of(A)[-1]
    # SciPy's results are of double precision, whatever the arguments are.
    X = as_precise(block_upper(A, E), y[0] if has_both else y)
    Y_dot = _derivative(X, block_upper(A_dot, E_dot))[..., :n, :]
    if has_both:
        return y, tangent_of_results(y, *map(tangent_like, y, (Y_dot[..., :n], Y_dot[..., n:])))
    return y, tangent_like(y, Y_dot[..., n:])


@rrule.dispatch
def expm_frechet_rrule(
    f: typeof_(expm_frechet), A: ArrayOperand, E: ArrayOperand, *options: Any, **named: Any
):
    y = _expm_frechet(A, E, *options, **named)
    n, project_A, project_E = shape_of(A)[-1], ProjectTo(A), ProjectTo(E)
    without_tangents = (NO_TANGENT,) * len(options)

    def expm_frechet_pullback(y_bar):
        bars = cotangents_of_results(y, y_bar) if isinstance(y, tuple | list) else (ZeroTangent(), y_bar)
        Y_bar, L_bar = bars
        A_bar, E_bar = Y_bar, ZeroTangent()
        if not isinstance(Y_bar, AbstractZero):
            A_bar = _derivative(adjoint(A), Y_bar)
        if not isinstance(L_bar, AbstractZero):
            # The adjoint of the derivative of the block matrix, for a cotangent of its upper right block.
            pulled = _derivative(block_upper(adjoint(A), adjoint(E)), block_upper(L_bar, 0 * L_bar))
            A_bar, E_bar = A_bar + pulled[..., :n, n:], pulled[..., :n, :n]
        return NO_TANGENT, project_A(A_bar), project_E(E_bar), *without_tangents

    return y, expm_frechet_pullback
