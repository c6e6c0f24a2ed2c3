"""Rules for `isotonic_regression`: the values of a block are their weighted mean.

The blocks stay as they are. Where two of them are about to join, or one is about to part, the derivative is
that of the blocks that were found. M. J. Best, N. Chakravarti, "Active set algorithms for isotonic
regression; a unifying framework", Mathematical Programming 47, 1990.
"""

from typing import Any

import numpy as np
import scipy.optimize

from chainrules.values.several_arrays import array_of, cotangent_in_lists, tangent_as_array
from chainrules.values.solver_calls import cotangents_in_result, tangent_of_result
from chainrules_core import NO_TANGENT, AbstractZero, frule, primal_of, primitive, rrule, typeof_

CALLED = "scipy.optimize.isotonic_regression"
isotonic_regression = primitive(scipy.optimize.isotonic_regression)


@frule.dispatch
def isotonic_frule(tangents: Any, f: typeof_(scipy.optimize.isotonic_regression), y: Any, **named: Any):
    _, y_dot = tangents
    result = isotonic_regression(y, **named)
    if isinstance(y_dot, AbstractZero):
        return result, y_dot
    weights = weights_of(y, named)
    x_dot = pooled(result, weights * tangent_as_array(y, y_dot)) / pooled(result, weights)
    return result, tangent_of_result(result, {"x": x_dot, "weights": NO_TANGENT}, CALLED)


@rrule.dispatch
def isotonic_rrule(f: typeof_(scipy.optimize.isotonic_regression), y: Any, **named: Any):
    result = isotonic_regression(y, **named)

    def isotonic_pullback(result_bar):
        x_bar = cotangents_in_result(result, result_bar, ["x", "weights"], CALLED)["x"]
        if isinstance(x_bar, AbstractZero):
            return NO_TANGENT, x_bar
        weights = weights_of(y, named)
        return NO_TANGENT, cotangent_in_lists(y, weights * pooled(result, x_bar / pooled(result, weights)))

    return result, isotonic_pullback


def weights_of(y: Any, named: dict[str, Any]) -> Any:
    """The weight of each value."""
    weights = named.get("weights")
    return np.ones(np.shape(primal_of(array_of(y)))) if weights is None else np.asarray(weights)


def pooled(result: Any, x: Any) -> Any:
    """The sum of its block, for each element."""
    blocks = primal_of(result["blocks"])
    return np.repeat(np.add.reduceat(x, blocks[:-1]), np.diff(blocks))
