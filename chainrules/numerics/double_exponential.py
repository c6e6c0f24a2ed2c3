"""Nodes and weights of double exponential rules.

They are the trapezoidal rule, after a substitution by which the integrand falls doubly exponentially,
whatever singularity it has at an end: ``∫ g(t) dt`` over all positive numbers with ``t = exp(π/2 sinh
u)``, and over those between 0 and 1 with ``t = (1 + tanh(π/2 sinh u)) / 2``. H. Takahasi and M. Mori,
"Double exponential formulas for numerical integration", Publications of RIMS 9 (1974).
"""

from functools import cache
from math import pi
from typing import Any

import numpy as np

STEP = 0.04


@cache
def of_positive_numbers(step: float = STEP) -> tuple[Any, Any]:
    """The nodes and weights for integrals from 0 to infinity; two nodes whose product is 1 are symmetric."""
    u = _places(5.0, step)
    nodes = np.exp(0.5 * pi * np.sinh(u))
    return nodes, nodes * (0.5 * pi * np.cosh(u) * step)


@cache
def of_unit_interval(step: float = STEP) -> tuple[Any, Any]:
    """The nodes and weights for integrals from 0 to 1; the nodes are symmetric about 1/2."""
    u = _places(3.76, step)
    odds = np.exp(-pi * np.sinh(u))
    nodes = 1.0 / (1.0 + odds)
    return nodes, nodes * nodes * odds * (pi * np.cosh(u) * step)


def _places(largest: float, step: float) -> Any:
    n = round(largest / step)
    return step * np.arange(-n, n + 1)
