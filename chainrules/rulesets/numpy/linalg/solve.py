"""Rules for the solution of linear systems; see `chainrules.formulas.equations.linear_solutions`."""

import numpy as np

from chainrules.formulas.equations.linear_solutions import pull_solution, push_solution
from chainrules.numerics.lazy_matrices import solve
from chainrules.shortcuts.numpy.linalg.solve import push_solve_of_plain, solve_of_plain
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import adjoint
from chainrules_core import frule, rrule, shortened_by, typeof_


@frule.dispatch
@shortened_by(push_solve_of_plain)
def solve_frule(tangents, f: typeof_(np.linalg.solve), A: ArrayOperand, B: ArrayOperand):
    X = np.linalg.solve(A, B)
    return X, push_solution(tangents, A, X, lambda C: solve(A, C))


@rrule.dispatch
@shortened_by(solve_of_plain)
def solve_rrule(f: typeof_(np.linalg.solve), A: ArrayOperand, B: ArrayOperand):
    X = np.linalg.solve(A, B)

    def solve_pullback(X_bar):
        return pull_solution(X_bar, A, B, X, lambda C: solve(adjoint(A), C))

    return X, solve_pullback
