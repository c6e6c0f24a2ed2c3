"""Integrals of smooth functions over intervals of their own for each element of an array.

The rule of Gauss and Legendre on a few panels, for integrands that are exponentials of slowly varying
functions: over a panel in which such an integrand falls by 20 orders of magnitude it has the precision of a
double.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

_NODES = 24

# So many elements at once, that the arrays of their nodes stay in the caches.
_ELEMENTS = 1024


def integrals(integrand: Callable[..., Any], ends: list[Any], *parameters: Any) -> Any:
    """The integrals from the first of `ends` to the last, panel by panel, element by element.

    Parameters
    ----------
    integrand
        Called with points, in an array of shape ``(m, nodes)``, and with the parameters in shape ``(m, 1)``.
    ends
        The ends of the panels, in their order: arrays of shape ``(n,)``.
    *parameters
        Arrays of shape ``(n,)``.
    """
    nodes, weights = _rule_on_unit_interval()
    y = np.zeros_like(ends[0])
    for first in range(0, len(y), _ELEMENTS):
        part = slice(first, first + _ELEMENTS)
        bounds = np.stack([end[part] for end in ends], axis=1)
        lows, widths = bounds[:, :-1], np.diff(bounds)
        own = [parameter[part, None] for parameter in parameters]
        # A few panels are taken together, so that numbers cost few operations.
        together = max(1, _ELEMENTS // len(lows))
        filled = np.flatnonzero(widths.any(axis=0))
        for panels in np.split(filled, range(together, len(filled), together)):
            low, width = lows[:, panels], widths[:, panels]
            points = (low[..., None] + width[..., None] * nodes).reshape(len(lows), -1)
            values = integrand(points, *own).reshape(*low.shape, _NODES)
            y[part] += (width * (values @ weights)).sum(axis=1)
    return y


@cache
def _rule_on_unit_interval() -> tuple[Any, Any]:
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return (nodes + 1) / 2, weights / 2
