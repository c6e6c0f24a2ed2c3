"""Interpolants in barycentric form, which SciPy evaluates at a node by looking the value of the node up.

With the node ``x_r`` at a place, ``d = x - x_r`` and ``c_j = w_j / (x - x_j)``, the same function is::

    p(x) = y_r + d Σ c_j (y_j - y_r) / (w_r + d Σ c_j),    j ≠ r,

whose derivatives by the place, the nodes, the weights and the values exist at the node as well. J.-P. Berrut
and L. N. Trefethen, "Barycentric Lagrange interpolation", SIAM Review 46 (2004), section 9.3.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.interception.known.scipy.interpolate.fits import as_array
from chainrules.ad.values.facts import fact
from chainrules_core import primal_of


def _value(x: Any, nodes: Any, weights: Any, values: Any) -> Any:
    """The interpolant of values in columns, in rows for each place."""
    distance = x[..., np.newaxis] - nodes
    is_node = primal_of(distance) == 0
    c = weights / np.where(is_node, 1.0, distance)
    y = c @ values / np.sum(c, axis=-1)[..., np.newaxis]
    if not is_node.any():
        return y
    node = np.argmax(is_node, axis=-1)
    others = np.where(is_node, 0.0, c)
    total = np.sum(others, axis=-1)[..., np.newaxis]
    d = np.sum(np.where(is_node, distance, 0.0), axis=-1)[..., np.newaxis]  # zero, with its derivative
    slope = others @ values - values[node] * total
    at_node = values[node] + d * slope / (weights[node][..., np.newaxis] + d * total)
    return np.where(is_node.any(axis=-1)[..., np.newaxis], at_node, y)


def _evaluating(evaluate: Any) -> Callable[..., Any]:
    """The function for the place of `BarycentricInterpolator._evaluate`."""

    def call(self: Any, x: Any) -> Any:
        return evaluate(self, x) if x.size == 0 else _value(x, self.xi, self.wi, self.yi)

    return entered_if_traced(evaluate, call)


def _evaluating_rational(evaluate: Any) -> Callable[..., Any]:
    """The function for the place of the method that evaluates `AAA` and `FloaterHormannInterpolator`."""

    def call(self: Any, z: Any) -> Any:
        z = as_array(z)
        places = np.ravel(z)
        values = np.reshape(self._support_values, (len(self._support_values), -1))
        is_endless = np.isinf(primal_of(places))
        y = _value(np.where(is_endless, 0.5, places), self._support_points, self.weights, values)
        if is_endless.any():
            at_infinity = np.sum(self.weights[:, np.newaxis] * values) / np.sum(self.weights)
            y = np.where(is_endless[:, np.newaxis], at_infinity, y)
        y = np.reshape(y, z.shape + self._shape)
        axis = getattr(self, "_axis", 0)  # always the first in SciPy 1.15
        return np.moveaxis(y, 0, axis) if z.ndim > 0 else y

    return entered_if_traced(evaluate, call)


fact("scipy.interpolate._polyint.BarycentricInterpolator._evaluate", wrapped=_evaluating)
fact("scipy.interpolate._bary_rational._BarycentricRational.__call__", wrapped=_evaluating_rational)
