"""Rules for algebraic Riccati equations, in continuous and in discrete time.

See `chainrules.formulas.equations.riccati_equations`. SciPy wants Hermitian ``Q`` and ``R``, and so their
cotangents are Hermitian.
"""

from typing import Any, NamedTuple

from scipy.linalg import solve_continuous_are, solve_discrete_are, solve_discrete_lyapunov

from chainrules.formulas.equations.riccati_equations import Riccati
from chainrules.formulas.equations.sylvester_equations import solution_of_lyapunov
from chainrules.values.operands import ArrayOperand
from chainrules_core import NO_TANGENT, AbstractZero, frule, primitive, rrule, typeof_, unbroadcast

_solve_discrete_lyapunov = primitive(solve_discrete_lyapunov)


def _solve_continuous(A, Q):
    return solution_of_lyapunov(A, -Q)


class _Asked(NamedTuple):
    """The arguments of a call."""

    a: Any
    b: Any
    q: Any
    r: Any
    e: Any = None
    s: Any = None
    balanced: bool = True


def _riccati_rules(primal, is_discrete, lyapunov):
    """Define the rules of one of the equations."""
    apply = primitive(primal)

    def solved(args, named):
        asked = _Asked(*args, **named)
        return Riccati.of(apply(*asked), asked[:6], is_discrete, lyapunov)

    @frule.dispatch
    def solve_are_frule(tangents: Any, f: typeof_(primal), a: ArrayOperand, *others: Any, **named: Any):
        equation = solved((a, *others), named)
        dots = [*tangents[1:7], *(NO_TANGENT for _ in range(6))][:6]
        return equation.X, equation.push(dots)

    @rrule.dispatch
    def solve_are_rrule(f: typeof_(primal), a: ArrayOperand, *others: Any, **named: Any):
        args = (a, *others)
        equation = solved(args, named)

        def solve_are_pullback(X_bar):
            return NO_TANGENT, *map(_cotangent, args, [*equation.pull(X_bar), NO_TANGENT])

        return equation.X, solve_are_pullback


def _cotangent(x, x_bar):
    is_coefficient = not (x is None or isinstance(x, bool) or isinstance(x_bar, AbstractZero))
    return unbroadcast(x, x_bar) if is_coefficient else NO_TANGENT


_riccati_rules(solve_continuous_are, False, _solve_continuous)
_riccati_rules(solve_discrete_are, True, _solve_discrete_lyapunov)
