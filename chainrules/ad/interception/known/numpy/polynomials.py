"""NumPy's old polynomials drop leading coefficients that are zero, and would lose their derivatives."""

import sys
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.constructing import constructor
from chainrules.ad.traced.program_places import place_in_program
from chainrules.ad.traced.tracing import innermost_trace
from chainrules.ad.values.facts import fact
from chainrules_core import ignore_derivatives

_construct = constructor(np.poly1d, always=False)


def _poly1d(c_or_r: Any, r: bool = False, variable: Any = None) -> Any:
    """`np.poly1d`, with an error where it would drop a traced coefficient."""
    trace = None if r or isinstance(c_or_r, np.poly1d) else innermost_trace((c_or_r,))
    if trace is not None:
        coefficients = np.ravel(ignore_derivatives(c_or_r))
        if coefficients.size and coefficients[0] == 0:
            raise trace.refuse(
                TypeError(
                    "numpy.poly1d drops leading coefficients that are zero, and was given a traced one"
                    f"{place_in_program(sys._getframe(1))}: its derivative would be lost. Write "
                    "`call(Polynomial, c[::-1])`, of `numpy.polynomial` and `chainrules.ad`, which keeps all."
                )
            )
    return _construct(c_or_r, r, variable)


fact(np.poly1d, stands_for_it=_poly1d)
