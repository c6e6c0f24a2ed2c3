"""Functions in Python that hand their work to code in C, and the spline of a boundary value problem.

SciPy is not imported: its functions are known by their names.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.entering import entered, entered_if_traced
from chainrules.ad.interception.choosing.ruled_calls import ruled
from chainrules.ad.traced.tracing import is_traced
from chainrules.ad.values.facts import fact

fact(
    *(f"scipy.integrate._quadpack_py.{name}" for name in ("quad", "dblquad", "tplquad", "nquad")),
    "scipy.integrate._odepack_py.odeint",
    not_entered="is written in C",
)


def _with_spline(solve_bvp: Any) -> Callable[..., Any]:
    """`solve_bvp`, with the spline through the traced values at the nodes in the place of SciPy's."""
    solve = ruled(solve_bvp, solve_bvp)
    create_spline: Any = entered(solve_bvp.__globals__["create_spline"])

    def call(*args: Any, **kwargs: Any) -> Any:
        found = solve(*args, **kwargs)
        x, y, slopes = found["x"], found["y"], found["yp"]
        if not is_traced((x, y, slopes)):
            return found
        return type(found)(found, sol=create_spline(y, slopes, x, np.diff(x)))

    return entered_if_traced(solve_bvp, call)


fact("scipy.integrate._bvp.solve_bvp", wrapped=_with_spline)

fact(
    "scipy.integrate._ivp.lsoda.LSODA.__init__",
    refused="Its steps are taken by code in C: write `solve_ivp` with `method='LSODA'` and `t_eval`, without "
    "`dense_output`, or a class that is written in Python, such as `RK45` or `BDF`.",
)
fact(
    *(f"scipy.integrate._ode.{name}.__init__" for name in ("ode", "complex_ode")),
    refused="Its steps are taken by code in C: write `solve_ivp` or `odeint`.",
)
