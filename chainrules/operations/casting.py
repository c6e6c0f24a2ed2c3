"""Conversion of the elements of an array to another dtype, as a function that has rules."""

from typing import Any

import numpy as np

from chainrules.values.operands import Operand
from chainrules_core import NO_TANGENT, ProjectTo, frule, primitive, rrule, typeof_


@primitive
def astype(x: Any, dtype: Any, **kwargs: Any) -> Any:
    """``x.astype(dtype)``, also of a Python number; rules call it where `x` may be traced."""
    return x.astype(dtype, **kwargs) if hasattr(x, "astype") else np.dtype(dtype).type(x)


@frule.dispatch
def astype_frule(
    tangents: Any, f: typeof_(astype), x: Operand, dtype: object, **kwargs: Any
) -> tuple[Any, Any]:
    """The tangent in the new dtype."""
    _, x_dot, _ = tangents
    y = astype(x, dtype, **kwargs)
    return y, ProjectTo(y)(x_dot) if y.dtype.kind in "fc" else NO_TANGENT


@rrule.dispatch
def astype_rrule(f: typeof_(astype), x: Operand, dtype: object, **kwargs: Any) -> tuple[Any, Any]:
    """The cotangent back in the old dtype."""
    project = ProjectTo(x)

    def astype_pullback(y_bar: Any) -> Any:
        return NO_TANGENT, project(y_bar), NO_TANGENT

    return astype(x, dtype, **kwargs), astype_pullback


def floating_dtype(*xs: Any) -> Any:
    """The dtype of an elementwise function of some numbers and arrays, where integers count as float64.

    As in ufuncs, Python's numbers take on the precision of the arrays that they meet.

    Examples
    --------
    >>> floating_dtype(np.ones(2, np.float32), 1.0), floating_dtype(1, 2)
    (dtype('float32'), dtype('float64'))
    """
    dtype = np.result_type(*map(_number_or_dtype, xs))
    return dtype if dtype.kind in "fc" else np.dtype(np.float64)


def single_or_double(y: Any, *xs: Any) -> Any:
    """`y`, computed in double precision, in single precision where no argument is more precise.

    Parameters
    ----------
    y
        An array, of which one without axes becomes a number.
    *xs
        The real arguments that it was computed of.
    """
    dtype = np.result_type(*xs)
    return y.astype(dtype if dtype == np.float32 else np.float64, copy=False)[()]


def _number_or_dtype(x: Any) -> Any:
    if isinstance(x, float | complex):
        return x
    dtype = getattr(x, "dtype", None)
    return np.asarray(x) if dtype is None else dtype
