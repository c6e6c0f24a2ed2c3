"""Functions that search; the formulas of Rosenbrock among them are entered, and what holds arguments."""

import scipy.optimize

from chainrules.ad.values.facts import fact

fact("scipy.optimize", not_entered="searches: the derivative of its steps is not that of its result")
fact(
    *(f"scipy.optimize._optimize.rosen{name}" for name in ("", "_der", "_hess", "_hess_prod")),
    *(
        f"scipy.optimize._constraints.{name}"
        for name in (
            *("Bounds.__init__", "Bounds._input_validation", "LinearConstraint.__init__"),
            *("LinearConstraint._input_validation", "NonlinearConstraint.__init__"),
        )
    ),
    not_entered="",
)
fact(
    scipy.optimize.milp,
    refused="Its solution moves in steps: write the linear program with the whole numbers that it found, for "
    "`scipy.optimize.linprog`.",
)
fact(
    scipy.optimize.line_search,
    scipy.optimize.bracket,
    refused="It is one step of a search, and has no derivative: differentiate the solution that the search "
    "finds, as of `scipy.optimize.minimize`.",
)
