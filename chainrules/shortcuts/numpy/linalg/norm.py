"""A shorter way for the square root of the sum of all squares of a plain array."""

import math
from typing import Any

import numpy as np

from chainrules.formulas.norms.vector_norms import ratio
from chainrules.shortcuts.plain_reductions import OF_ALL, is_real, plain_reduction
from chainrules_core import NO_TANGENT, ProjectTo
from chainrules_core.speed import REAL_CLASSES


def norm_of_plain(f: Any, x: Any, *options: Any, **named: Any) -> Any:
    """The norm of a plain array of floats."""
    if plain_reduction(x, options, named) is not OF_ALL or not is_real(x) or not x.ndim:
        return None
    y = np.linalg.norm(x)
    if not math.isfinite(y):
        return None

    def norm_pullback(y_bar: Any) -> Any:
        x_bar = x * (y_bar / y if y_bar.__class__ in REAL_CLASSES and y else ratio(y_bar, y))
        return NO_TANGENT, x_bar if x_bar.dtype is x.dtype else ProjectTo(x)(x_bar)

    return y, norm_pullback
