"""Conversion of the elements of an array to another dtype, as a function that has rules."""

from typing import Any

import numpy as np

from chainrules.values.operands import Operand
from chainrules_core import NO_TANGENT, ProjectTo, frule, primitive, rrule, typeof_, unthunk


@primitive
def astype(x: Any, dtype: Any, **kwargs: Any) -> Any:
    """``x.astype(dtype)``, also of a Python number; rules call it where `x` may be traced."""
    return x.astype(dtype, **kwargs) if hasattr(x, "astype") else np.dtype(dtype).type(x)


@frule.dispatch
def astype_frule(
    tangents: Any,
    f: typeof_(astype),
    x: Operand,
    dtype: object,
    **kwargs: Any,
) -> tuple[Any, Any]:
    """The tangent in the new dtype."""
    _, x_dot, _ = tangents
    y = astype(x, dtype, **kwargs)
    return y, ProjectTo(y)(unthunk(x_dot)) if y.dtype.kind in "fc" else NO_TANGENT


@rrule.dispatch
def astype_rrule(f: typeof_(astype), x: Operand, dtype: object, **kwargs: Any) -> tuple[Any, Any]:
    """The cotangent back in the old dtype."""
    project = ProjectTo(x)

    def astype_pullback(y_bar: Any) -> Any:
        return NO_TANGENT, project(unthunk(y_bar)), NO_TANGENT

    return astype(x, dtype, **kwargs), astype_pullback
