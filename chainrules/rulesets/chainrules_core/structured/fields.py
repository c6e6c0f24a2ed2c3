"""Rules for the fields and transposes of structured arrays: `getattr` with the name of one.

A triangular or symmetric matrix looks at one triangle of the array that it is made of. The other triangle has
no part in its tangents: read through ``A.data``, it is constant.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.values.stacks import adjoint
from chainrules_core import (
    NO_TANGENT,
    ProjectTo,
    Tangent,
    field_names,
    frule,
    primal_of,
    rrule,
    to_natural,
    typeof_,
)
from chainrules_core.structured import StructuredArray, triangle

# The attributes that are linear functions of the array, each the adjoint of itself.
_TRANSPOSES: dict[str, Callable[[Any], Any]] = {"T": np.transpose, "mT": np.transpose, "H": adjoint}


@frule.dispatch
def getattr_frule(tangents: Any, f: typeof_(getattr), x: StructuredArray, name: str):
    if name in _TRANSPOSES:
        return _TRANSPOSES[name](x), _TRANSPOSES[name](tangents[1])
    if name not in field_names(primal_of(x)):
        return None
    y = getattr(x, name)
    if isinstance(y, str):
        return y, NO_TANGENT
    x_dot = ProjectTo(x)(tangents[1])
    if name == "data" and isinstance(x_dot, StructuredArray):
        return y, triangle(x_dot.full(), primal_of(x).uplo)
    return y, getattr(x_dot, name)


@rrule.dispatch
def getattr_rrule(f: typeof_(getattr), x: StructuredArray, name: str):
    matrix = primal_of(x)
    if name in _TRANSPOSES:
        return _pull_transpose(_TRANSPOSES[name], x)
    if name not in field_names(matrix):
        return None
    y = getattr(x, name)

    def getattr_pullback(y_bar):
        if isinstance(y, str):
            return NO_TANGENT, NO_TANGENT, NO_TANGENT
        tangent: Any = Tangent[type(matrix)]  # type: ignore[misc] # made at run time
        return NO_TANGENT, to_natural(matrix, tangent(**{name: y_bar})), NO_TANGENT

    return y, getattr_pullback


def _pull_transpose(transpose: Callable[[Any], Any], x: Any) -> tuple[Any, Any]:
    y = transpose(x)
    project = ProjectTo(x)

    def transpose_pullback(y_bar):
        y_bar = to_natural(primal_of(y), y_bar)
        return NO_TANGENT, project(transpose(y_bar)), NO_TANGENT

    return y, transpose_pullback
