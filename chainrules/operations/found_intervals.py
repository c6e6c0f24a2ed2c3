"""The intervals that QUADPACK divides an integral into, also where the integrand is traced."""

from typing import Any

import scipy.integrate

from chainrules.numerics.integrals_of_vectors import as_divided
from chainrules.values.solver_calls import arguments_of
from chainrules_core import non_differentiable, primitive


@primitive
def intervals_of(*given: Any, **named: Any) -> Any:
    """Those of a call of `scipy.integrate.quad` without a weight, as `as_divided` has them."""
    arguments = arguments_of(scipy.integrate.quad, given, named) | {"full_output": 1}
    return as_divided(scipy.integrate.quad(**arguments)[2])


non_differentiable(intervals_of)
