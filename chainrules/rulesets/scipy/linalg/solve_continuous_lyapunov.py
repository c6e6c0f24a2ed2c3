"""Rules for the continuous Lyapunov equation.

For ``A X + X Aᴴ = Q``: ``A X_dot + X_dot Aᴴ = Q_dot - A_dot X - X A_dotᴴ``, and in reverse, with the solution
``S`` of ``Aᴴ S + S A = X_bar``,

    Q_bar = S,   A_bar = -(S Xᴴ + Sᴴ X)

T.-C. Kao, G. Hennequin, "Automatic differentiation of Sylvester, Lyapunov, and algebraic Riccati equations",
arXiv:2011.11430. For real matrices beside complex ones see
`chainrules.formulas.equations.sylvester_equations`.
"""

from typing import Any

from scipy.linalg import solve_continuous_lyapunov

from chainrules.formulas.equations.sylvester_equations import solution_of_lyapunov
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import adjoint
from chainrules_core import NO_TANGENT, AbstractZero, frule, rrule, thunk, typeof_, unbroadcast


@frule.dispatch
def solve_continuous_lyapunov_frule(
    tangents: Any, f: typeof_(solve_continuous_lyapunov), A: ArrayOperand, Q: ArrayOperand
):
    _, A_dot, Q_dot = tangents
    X = solution_of_lyapunov(A, Q)
    if not isinstance(A_dot, AbstractZero):
        Q_dot = Q_dot - A_dot @ X - X @ adjoint(A_dot)
    return X, Q_dot if isinstance(Q_dot, AbstractZero) else solution_of_lyapunov(A, Q_dot)


@rrule.dispatch
def solve_continuous_lyapunov_rrule(f: typeof_(solve_continuous_lyapunov), A: ArrayOperand, Q: ArrayOperand):
    X = solution_of_lyapunov(A, Q)

    def solve_continuous_lyapunov_pullback(X_bar):
        S = solution_of_lyapunov(adjoint(A), X_bar)
        A_bar = thunk(lambda: unbroadcast(A, -(S @ adjoint(X) + adjoint(S) @ X)))
        return NO_TANGENT, A_bar, unbroadcast(Q, S)

    return X, solve_continuous_lyapunov_pullback
