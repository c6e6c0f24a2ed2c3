"""Functions that search; the formulas of Rosenbrock among them are entered."""

from chainrules.ad.values.facts import fact

fact("scipy.optimize", not_entered="searches: the derivative of its steps is not that of its result")
fact(
    *(f"scipy.optimize._optimize.rosen{name}" for name in ("", "_der", "_hess", "_hess_prod")), not_entered=""
)
