"""The distribution of von Mises: angles `z` of concentration ``κ``, with ``log f = κ cos z - log(2π I₀(κ))``.

Its probability is an integral, ``F(z + 2π) = F(z) + 1``: K. V. Mardia and P. E. Jupp, "Directional
Statistics" (2000), 3.5.
"""

from math import log, pi
from typing import Any

import numpy as np
from scipy import special

from chainrules.formulas.probabilities.integrals_of_scores import probability_slope
from chainrules_core import primal_of


def _log_density(z: Any, kappa: Any) -> Any:
    return kappa * special.cosm1(z) - np.log(special.i0e(kappa)) - log(2.0 * pi)


def score_of_concentration(z: Any, kappa: Any) -> Any:
    """``∂ log f/∂κ``; the scaled functions have a kink at 0, which their ratio has not."""
    return special.cosm1(z) + (1.0 - special.i1e(kappa) / special.i0e(kappa))


_slope_of_one_turn = probability_slope(
    _log_density, score_of_concentration, (-pi, pi), lambda z, kappa: z < 0
)


def slope_of_concentration(z: Any, kappa: Any) -> Any:
    """``∂F/∂κ``."""
    turns = np.round(primal_of(z) / (2.0 * pi))
    return _slope_of_one_turn(z - 2.0 * pi * turns, kappa)
