"""Functions that search; the formulas of Rosenbrock among them are entered, and what holds arguments."""

from chainrules.ad.values.facts import fact

fact("scipy.optimize", not_entered="searches: the derivative of its steps is not that of its result")
fact(
    *(f"scipy.optimize._optimize.rosen{name}" for name in ("", "_der", "_hess", "_hess_prod")), not_entered=""
)
fact(
    "scipy.optimize._constraints.Bounds.__init__",
    "scipy.optimize._constraints.Bounds._input_validation",
    "scipy.optimize._constraints.LinearConstraint.__init__",
    "scipy.optimize._constraints.LinearConstraint._input_validation",
    "scipy.optimize._constraints.NonlinearConstraint.__init__",
    not_entered="",
)
fact(
    "scipy.optimize._milp.milp",
    refused="Its solution moves in steps: write the linear program with the whole numbers that it found, for "
    "`scipy.optimize.linprog`.",
)
fact(
    "scipy.optimize._linesearch.line_search_wolfe2",
    "scipy.optimize._optimize.bracket",
    refused="It is one step of a search, and has no derivative: differentiate the solution that the search "
    "finds, as of `scipy.optimize.minimize`.",
)
