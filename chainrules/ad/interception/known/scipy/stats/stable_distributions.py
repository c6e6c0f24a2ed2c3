"""Stable distributions of SciPy with shapes for which there is a closed formula.

The formulas of the normal distribution and of those of Cauchy and Lévy do not contain the shapes: derivatives
by these would be 0. Here they are NaN; those by the variable are right. For other shapes SciPy integrates,
which is an error. SciPy is not imported: the functions are known by their names.
"""

from collections.abc import Callable
from typing import Any

from chainrules.ad.interception.choosing.entering import lending
from chainrules.ad.values.facts import fact
from chainrules.operations.unknown_slopes import unknown_slope
from chainrules_core import primal_of


def _of_one_point(function: Any) -> Callable[..., Any]:
    followed = lending(function)

    def call(x: Any, alpha: Any, beta: Any, **named: Any) -> Any:
        y = followed(x, primal_of(alpha), primal_of(beta), **named)
        return y + unknown_slope(alpha) + unknown_slope(beta)

    return call


fact(
    *(f"scipy.stats._levy_stable._{name}_single_value_piecewise_Z0" for name in ("pdf", "cdf")),
    wrapped=_of_one_point,
)
