"""Functions in Python that hand their work to code in C."""

from chainrules.ad.values.facts import fact

fact(
    *(f"scipy.integrate._quadpack_py.{name}" for name in ("quad", "dblquad", "tplquad", "nquad")),
    "scipy.integrate._odepack_py.odeint",
    not_entered="is written in C",
)
