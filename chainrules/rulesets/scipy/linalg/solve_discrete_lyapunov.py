"""Rules for the discrete Lyapunov equation.

For ``A X Aᴴ - X + Q = 0`` the tangent solves the equation with ``Q_dot + A_dot X Aᴴ + A X A_dotᴴ`` in the
place of ``Q``, and in reverse, with the solution ``S`` of ``Aᴴ S A - S + X_bar = 0``,

    Q_bar = S,   A_bar = S A Xᴴ + Sᴴ A X

T.-C. Kao, G. Hennequin, "Automatic differentiation of Sylvester, Lyapunov, and algebraic Riccati equations",
arXiv:2011.11430. Real matrices beside complex ones are made complex first; see
`chainrules.formulas.equations.sylvester_equations`.
"""

from typing import Any

from scipy.linalg import solve_discrete_lyapunov

from chainrules.formulas.equations.sylvester_equations import in_one_kind
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import adjoint
from chainrules_core import NO_TANGENT, AbstractZero, frule, primitive, rrule, thunk, typeof_, unbroadcast

_solve_of_one_kind = primitive(solve_discrete_lyapunov)


def _solve(A, Q, *options, **named):
    return _solve_of_one_kind(*in_one_kind(A, Q), *options, **named)


@frule.dispatch
def solve_discrete_lyapunov_frule(
    tangents: Any,
    f: typeof_(solve_discrete_lyapunov),
    A: ArrayOperand,
    Q: ArrayOperand,
    *options: Any,
    **named: Any,
):
    _, A_dot, Q_dot = tangents[:3]
    X = _solve(A, Q, *options, **named)
    if not isinstance(A_dot, AbstractZero):
        Q_dot = Q_dot + A_dot @ X @ adjoint(A) + A @ X @ adjoint(A_dot)
    return X, Q_dot if isinstance(Q_dot, AbstractZero) else _solve(A, Q_dot, *options, **named)


@rrule.dispatch
def solve_discrete_lyapunov_rrule(
    f: typeof_(solve_discrete_lyapunov), A: ArrayOperand, Q: ArrayOperand, *options: Any, **named: Any
):
    X = _solve(A, Q, *options, **named)
    without_tangents = (NO_TANGENT,) * len(options)

    def solve_discrete_lyapunov_pullback(X_bar):
        S = _solve(adjoint(A), X_bar, *options, **named)
        A_bar = thunk(lambda: unbroadcast(A, S @ A @ adjoint(X) + adjoint(S) @ A @ X))
        return NO_TANGENT, A_bar, unbroadcast(Q, S), *without_tangents

    return X, solve_discrete_lyapunov_pullback
