"""Functions in Python that hand their work to code in C."""

from chainrules.ad.values.facts import fact

fact(
    *(f"scipy.integrate._quadpack_py.{name}" for name in ("quad", "dblquad", "tplquad", "nquad")),
    "scipy.integrate._odepack_py.odeint",
    not_entered="is written in C",
)
# It takes the steps of Newton's method for a mesh that it refines, and stops when it is near.
fact(
    "scipy.integrate._bvp.solve_bvp",
    not_entered="searches: the derivative of its steps is not that of its result",
)
