"""Student's distribution of ``v`` degrees of freedom: its density, and how its probability changes with them.

With ``w = t² / (v + t²)`` the probability is ``(1 + sign(t) I_w(1/2, v/2)) / 2``: https://dlmf.nist.gov/8.17.
"""

from math import pi
from typing import Any

import numpy as np
from scipy import special

from chainrules.operations.incomplete_beta import beta_probability
from chainrules_core import primal_of


def student_density(v: Any, t: Any) -> Any:
    """``f(t; v)``."""
    return special.poch(0.5 * v, 0.5) * np.exp(-0.5 * (v + 1.0) * np.log1p(t * t / v)) / np.sqrt(pi * v)


def student_slope(v: Any, t: Any) -> Any:
    """``∂F(t; v)/∂v``.

    The two terms cancel for many degrees of freedom: the relative error is about ``2e-13 v``.
    """
    square = t * t
    is_near = primal_of(square) < primal_of(v)
    # Of w and 1 - w, the lesser one keeps its digits.
    near = beta_probability(0, 1, 0.5, 0.5 * v, np.where(is_near, square, 0.0) / (v + square))
    far = beta_probability(1, 0, 0.5 * v, 0.5, np.where(is_near, 0.0, v) / (v + square))
    change = 0.25 * np.where(is_near, near, -far)
    return np.sign(primal_of(t)) * change - 0.5 * student_density(v, t) * t / v
