"""Reductions over axes: how they are asked for, and from the shape of a result back to the array."""

import math
import operator
from typing import Any, NamedTuple

import numpy as np

from chainrules.values.operands import refuse_out
from chainrules_core import NO_TANGENT, ProjectTo, contains_nan, is_lazy, primal_of, without_warnings


class Reduction(NamedTuple):
    """The arguments of a reduction, whether they were given by position or by keyword.

    Attributes
    ----------
    axis, keepdims, where
        As in NumPy. `where` is `True` where nothing is left out.
    """

    axis: Any
    keepdims: bool
    where: Any


def read_reduction(  # noqa: PLR0913, PLR0917 - in the order of NumPy's signatures
    name: str,
    x: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    where: Any = True,
) -> Reduction:
    """Understand the arguments of the reduction `name`, or refuse them.

    Raises
    ------
    TypeError
        If the result is to be written into an array, or real numbers are to be cut to integers.
    """
    refuse_out(name, out)
    # (`np.dtype(None)` is the dtype of floats.)
    if np.dtype(dtype).kind not in "fc" and np.result_type(primal_of(x)).kind in "fc":
        raise TypeError(
            f"{name}(..., dtype={dtype!r}) of real or complex numbers cannot be differentiated: it is "
            "constant between jumps. Differentiate without `dtype`, and convert the result."
        )
    return Reduction(axis, given(keepdims, False), given(where, True))


def read_sum(  # noqa: PLR0913, PLR0917 - NumPy's signature
    f: Any,
    x: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = None,
    where: Any = True,
) -> tuple[Reduction, Any]:
    """Understand the arguments of a sum or a product `f`; the start is `None` if it is not given.

    Raises
    ------
    TypeError
        As `read_reduction`.
    """
    reduction = read_reduction(f"np.{f.__name__}", x, axis, dtype, out, keepdims, where)
    ignores_nans = f in (np.nansum, np.nanprod)
    return without_nans(x, reduction) if ignores_nans else reduction, given(initial, None)


def summed(x: Any, reduction: Reduction, dtype: Any = None) -> Any:
    """The sum of a reduction; of a lazy array too, whose own sums leave nothing out."""
    if reduction.where is not True and (is_lazy(x) or is_lazy(reduction.where)):
        x = np.where(reduction.where, x, 0)
    elif reduction.where is not True:
        return np.sum(x, axis=reduction.axis, dtype=dtype, keepdims=reduction.keepdims, where=reduction.where)
    return np.sum(x, axis=reduction.axis, dtype=dtype, keepdims=reduction.keepdims)


def given(value: Any, default: Any) -> Any:
    """`value`, or the default where the value is NumPy's mark for an argument that is not given."""
    return default if value is np._NoValue else value  # noqa: SLF001 - there is no public name


def spread(y_bar: Any, x: Any, reduction: Reduction) -> Any:
    """The cotangent of each element of `x` for the cotangent of their sum; zero for elements left out.

    Parameters
    ----------
    y_bar
        The cotangent of the sum, in the shape of the sum.
    x
        The array that was summed.
    reduction
        The axes and the elements that were summed over.

    Returns
    -------
    array
        In the shape of `x`; a view of `y_bar` if no element was left out.
    """
    x_bar = factor_for(y_bar, x, reduction)
    shape = shape_of(x)
    return x_bar if shape_of(x_bar) == shape else np.broadcast_to(x_bar, shape)


@without_warnings
def are_undefined(y: Any) -> bool:
    """Whether one of several results is infinite or NaN, so that its derivatives may be NaN.

    Then zero cotangents are multiplied with care, as by `strong_product`: nothing depends on their results.
    """
    return contains_nan(y - y)


def factor_for(y_bar: Any, x: Any, reduction: Reduction) -> Any:
    """As `spread`, but not repeated: a factor that broadcasts against arrays in the shape of `x`."""
    factor = beside(y_bar, x, reduction)
    return factor if reduction.where is True else np.where(reduction.where, factor, 0)


def beside(y: Any, x: Any, reduction: Reduction) -> Any:
    """The result of a reduction with the axes that it lost, so that it broadcasts against the argument."""
    shape = shape_of(x)
    if reduction.keepdims or reduction.axis is None or not shape:
        return y
    axes = reduced_axes(reduction.axis, len(shape))
    kept = tuple([1 if a in axes else n for a, n in enumerate(shape)])
    return np.reshape(y, kept)


def reduced_axes(axis: Any, ndim: int) -> tuple[int, ...]:
    """The axes that `axis` means for an array with `ndim` axes, as numbers from zero; `None` means all.

    A number has none, although NumPy takes the axes 0 and -1 of it.
    """
    if axis is None or ndim == 0:
        return tuple(range(ndim))
    axes = axis if isinstance(axis, tuple | list) else (axis,)
    return tuple(operator.index(a) % ndim for a in axes)


def without_nans(x: Any, reduction: Reduction) -> Reduction:
    """The same reduction, of only those elements of `x` that are numbers."""
    is_number = ~np.isnan(primal_of(x))
    return reduction._replace(where=is_number if reduction.where is True else is_number & reduction.where)


def option_cotangents(options: tuple[Any, ...], place: int, cotangent: Any) -> tuple[Any, ...]:
    """The cotangents of the options of a call: only a number may have one, at one place.

    Parameters
    ----------
    options
        The positional arguments after the array.
    place
        The place among them of the option that is a number.
    cotangent
        Called without arguments for the cotangent of that number, if it was given.
    """
    bars: list[Any] = [NO_TANGENT] * len(options)
    if len(options) > place:
        bars[place] = ProjectTo(options[place])(cotangent())
    return tuple(bars)


def lined_up(x: Any, axis: Any) -> Any:
    """Bring the axes of a reduction to the front, as one.

    Returns
    -------
    array
        Each element of the result of the reduction is made of one ``lined_up(x, axis)[:, ...]``.
    """
    shape = shape_of(x)
    axes = sorted(reduced_axes(axis, len(shape)))  # NumPy's order where all axes become one
    kept = [a for a in range(len(shape)) if a not in axes]
    lines = np.transpose(x, (*axes, *kept)) if kept else x
    return np.reshape(lines, (math.prod(shape[a] for a in axes), *(shape[a] for a in kept)))


def laid_back(lines: Any, x: Any, axis: Any) -> Any:
    """The inverse of `lined_up`: back in the shape of `x`."""
    shape = shape_of(x)
    axes = sorted(reduced_axes(axis, len(shape)))
    order = (*axes, *(a for a in range(len(shape)) if a not in axes))
    moved = np.reshape(lines, tuple(shape[a] for a in order))
    return np.transpose(moved, tuple(int(place) for place in np.argsort(order))) if shape else moved


def number_reduced(x: Any, reduction: Reduction) -> Any:
    """The number of elements that each element of the result is made of; an array if some are left out.

    It is 1 in the place of 0, so that a cotangent can be divided by it before it is spread over no elements.
    """
    shape = shape_of(x)
    if reduction.where is not True:
        counted = np.broadcast_to(reduction.where, shape)
        return np.maximum(np.sum(counted, axis=reduction.axis, keepdims=reduction.keepdims), 1)
    if reduction.axis is None:
        return max(math.prod(shape), 1)
    return max(math.prod([shape[a] for a in reduced_axes(reduction.axis, len(shape))]), 1)


def shape_of(x: Any) -> tuple[int, ...]:
    """The shape of an array or a number, or of the value that a carrier carries."""
    x = primal_of(x)
    shape = getattr(x, "shape", None)  # arrays are asked directly: NumPy takes longer
    return np.shape(x) if shape is None else shape
