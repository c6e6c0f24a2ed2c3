"""The rules; loaded through the entry point.

``y = A x + b``: ``A_bar = y_bar xᵀ``, ``b_bar = y_bar``, ``x_bar = Aᵀ y_bar``.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from affine_maps.maps import AffineMap, Vector, apply, softplus
from chainrules_core import NoTangent, ProjectTo, Tangent, frule, rrule, scalar_rule, thunk, typeof_

Pullback = Callable[[Any], tuple[Any, ...]]


@scalar_rule(softplus)
def softplus_partials(y: float, x: float) -> float:
    return 1 / (1 + math.exp(-x))


@frule.dispatch(typeof_(apply))
def apply_frule(
    tangents: tuple[Any, Any, Any], primal: Any, f: AffineMap, x: np.ndarray
) -> tuple[Vector, Any]:
    _, f_dot, x_dot = tangents
    return apply(f, x), f_dot.A @ x + f_dot.b + f.A @ x_dot


@rrule.dispatch(typeof_(apply))
def apply_rrule(primal: Any, f: AffineMap, x: np.ndarray) -> tuple[Vector, Pullback]:
    project_f, project_x = ProjectTo(f), ProjectTo(x)

    def apply_pullback(y_bar: Any) -> tuple[Any, ...]:
        f_bar = Tangent[AffineMap](A=np.outer(y_bar, x), b=y_bar)
        return NoTangent(), project_f(f_bar), thunk(lambda: project_x(f.A.T @ y_bar))

    return apply(f, x), apply_pullback
