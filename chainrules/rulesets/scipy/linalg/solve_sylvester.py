"""Rules for the Sylvester equation.

For ``A X + X B = Q``: ``A X_dot + X_dot B = Q_dot - A_dot X - X B_dot``, and in reverse, with the solution
``S`` of ``Aᴴ S + S Bᴴ = X_bar``,

    Q_bar = S,   A_bar = -S Xᴴ,   B_bar = -Xᴴ S

T.-C. Kao, G. Hennequin, "Automatic differentiation of Sylvester, Lyapunov, and algebraic Riccati equations",
arXiv:2011.11430. For real matrices beside complex ones see
`chainrules.formulas.equations.sylvester_equations`.
"""

from typing import Any

from scipy.linalg import solve_sylvester

from chainrules.formulas.equations.sylvester_equations import solution_of_sylvester
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import adjoint
from chainrules_core import NO_TANGENT, AbstractZero, frule, rrule, thunk, typeof_, unbroadcast


@frule.dispatch
def solve_sylvester_frule(
    tangents: Any, f: typeof_(solve_sylvester), A: ArrayOperand, B: ArrayOperand, Q: ArrayOperand
):
    _, A_dot, B_dot, Q_dot = tangents
    X = solution_of_sylvester(A, B, Q)
    right = Q_dot - A_dot @ X - X @ B_dot
    return X, right if isinstance(right, AbstractZero) else solution_of_sylvester(A, B, right)


@rrule.dispatch
def solve_sylvester_rrule(f: typeof_(solve_sylvester), A: ArrayOperand, B: ArrayOperand, Q: ArrayOperand):
    X = solution_of_sylvester(A, B, Q)

    def solve_sylvester_pullback(X_bar):
        S = solution_of_sylvester(adjoint(A), adjoint(B), X_bar)
        A_bar = thunk(lambda: unbroadcast(A, -(S @ adjoint(X))))
        B_bar = thunk(lambda: unbroadcast(B, -(adjoint(X) @ S)))
        return NO_TANGENT, A_bar, B_bar, unbroadcast(Q, S)

    return X, solve_sylvester_pullback
