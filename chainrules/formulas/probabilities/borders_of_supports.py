"""One-sided derivatives of densities that are zero at an end of their support.

Near an end `a` such a density is ``f(z) ≈ C |z - a|^k``, where ``k`` is the limit of ``(z - a) s(z)``, with
the score `s`. Its derivative ``f(z) s(z)`` has the limit 0 for ``k > 1``, ``±C`` for ``k = 1``, and is
infinite otherwise. Both limits are taken at two points within, and extrapolated to the end.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules_core import primal_of


def slope_at_end(density: Callable[[Any], Any], score: Callable[[Any], Any], end: Any, inwards: Any) -> Any:
    """The derivative of a density at an end of its support, from within.

    Parameters
    ----------
    density, score
        The density, and the derivative of its logarithm.
    end
        The end, not traced: the difference of two points says nothing of further derivatives.
    inwards
        The sign of the way into the support; 0 at other points, where the result has no meaning.
    """
    precision = np.finfo(np.result_type(end, np.float32))
    relative = np.abs(end) * float(precision.eps) ** (1.0 / 3.0)
    step = inwards * np.where(relative == 0.0, float(precision.tiny) ** 0.125, relative)
    near, further = end + step, end + 2.0 * step
    scores = score(near), score(further)
    slope = 2.0 * density(near) * scores[0] - density(further) * scores[1]
    power = primal_of(2.0 * step * (scores[0] - scores[1]))
    close = float(precision.eps) ** 0.5
    infinite = np.where((power > close) & (power < 1.0), np.inf * np.where(inwards < 0, -1.0, 1.0), 0.0)
    return np.where(np.abs(power - 1.0) <= close, slope, infinite)
