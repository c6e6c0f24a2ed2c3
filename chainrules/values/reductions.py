"""What the rules of reductions share: from the result's shape back to that of the argument."""

import math
import operator
from typing import Any, NamedTuple

import numpy as np

from chainrules.values.operands import refuse_out
from chainrules_core import REAL_CLASSES, NoTangent, ProjectTo, primal_of


class Reduction(NamedTuple):
    """What a reduction was asked, whether by position or by keyword.

    Attributes
    ----------
    axis, keepdims, where
        As in NumPy. `where` is `True` where nothing is left out.
    """

    axis: Any
    keepdims: bool
    where: Any


_FLOAT64 = np.dtype(np.float64)

_OF_AXES = frozenset({"axis", "keepdims"})

# So many numbers are written faster than NumPy makes a view that repeats fewer.
_FEW = 4096


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
    if dtype is not None and np.dtype(dtype).kind not in "fc" and np.result_type(primal_of(x)).kind in "fc":
        raise TypeError(
            f"{name}(..., dtype={dtype!r}) of real or complex numbers cannot be differentiated: it is "
            "constant between jumps. Differentiate without `dtype`, and convert the result."
        )
    return Reduction(axis, given(keepdims, False), given(where, True))


def given(value: Any, default: Any) -> Any:
    """`value`, unless it is what NumPy's signatures have in the place of a default."""
    return default if value is np._NoValue else value  # noqa: SLF001 - there is no public name


def spread(y_bar: Any, x: Any, reduction: Reduction) -> Any:
    """Repeat the cotangent of a sum along the axes that it was taken over, and mask what it left out.

    Parameters
    ----------
    y_bar
        In the shape of the result.
    x
        What was summed.
    reduction
        How.

    Returns
    -------
    array
        In the shape of `x`; unless something is masked, a view of `y_bar`.
    """
    shape = shape_of(x)
    x_bar = _repeated(beside(y_bar, x, reduction), shape) if shape else y_bar
    return x_bar if reduction.where is True else np.where(reduction.where, x_bar, 0)


def _repeated(y_bar: Any, shape: tuple[int, ...]) -> Any:
    if (y_bar.__class__ is np.ndarray or y_bar.__class__ in REAL_CLASSES) and math.prod(shape) <= _FEW:
        x_bar = np.empty(shape, getattr(y_bar, "dtype", _FLOAT64))
        x_bar[...] = y_bar
        return x_bar
    return np.broadcast_to(y_bar, shape)


def repeated_along(y_bar: Any, x: np.ndarray, axis: int) -> Any:
    """The cotangents of the sums along one axis of a plain array, in its dtype, for each of its elements."""
    shape = x.shape
    axis %= len(shape)
    y_bar = y_bar.reshape((*shape[:axis], 1, *shape[axis + 1 :]))
    if x.size > _FEW:
        return np.broadcast_to(y_bar, shape)
    x_bar = np.empty(shape, y_bar.dtype)
    x_bar[...] = y_bar
    return x_bar


def are_along_one_axis(y_bar: Any, x: np.ndarray, reduction: Reduction) -> bool:
    """Whether that is asked for, with a cotangent in the dtype of `x`."""
    is_of_one = reduction.axis.__class__ is int and not reduction.keepdims
    return is_of_one and y_bar.__class__ is np.ndarray and y_bar.dtype is x.dtype


def beside(y: Any, x: Any, reduction: Reduction) -> Any:
    """The result of a reduction with the axes that it lost, so that it broadcasts against the argument."""
    shape = shape_of(x)
    if reduction.keepdims or reduction.axis is None or not shape:
        return y
    axes = reduced_axes(reduction.axis, len(shape))
    kept = tuple([1 if a in axes else n for a, n in enumerate(shape)])
    return y.reshape(kept) if y.__class__ is np.ndarray else np.reshape(y, kept)


def reduced_axes(axis: Any, ndim: int) -> tuple[int, ...]:
    """The axes that `axis` means for an array with `ndim` axes, as numbers from zero; `None` means all."""
    if axis is None:
        return tuple(range(ndim))
    axes = axis if isinstance(axis, tuple | list) else (axis,)
    return tuple(operator.index(a) % ndim for a in axes)


def without_nans(x: Any, reduction: Reduction) -> Reduction:
    """The same reduction, of only those elements of `x` that are numbers."""
    is_number = ~np.isnan(primal_of(x))
    return reduction._replace(where=is_number if reduction.where is True else is_number & reduction.where)


def option_cotangents(options: tuple[Any, ...], place: int, cotangent: Any) -> tuple[Any, ...]:
    """The cotangents of options given by position, of which none but the one at `place` may have one.

    Parameters
    ----------
    options
        What was given after the array.
    place
        The place among them of an option that numbers are expected of.
    cotangent
        Called, if that was given, for its cotangent.
    """
    bars: list[Any] = [NoTangent()] * len(options)
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
    axes = reduced_axes(axis, len(shape))
    kept = [a for a in range(len(shape)) if a not in axes]
    lines = np.transpose(x, (*axes, *kept)) if kept else x
    return np.reshape(lines, (math.prod(shape[a] for a in axes), *(shape[a] for a in kept)))


def laid_back(lines: Any, x: Any, axis: Any) -> Any:
    """The inverse of `lined_up`: back in the shape of `x`."""
    shape = shape_of(x)
    axes = reduced_axes(axis, len(shape))
    order = (*axes, *(a for a in range(len(shape)) if a not in axes))
    moved = np.reshape(lines, tuple(shape[a] for a in order))
    return np.transpose(moved, tuple(int(place) for place in np.argsort(order))) if shape else moved


def is_of_all(x: Any, options: tuple[Any, ...], named: dict[str, Any]) -> bool:
    """Whether a plain array of float64 is reduced to one number: most often, and worth the shortest way."""
    return not options and not named and x.__class__ is np.ndarray and x.dtype is _FLOAT64 and x.size > 0


def repeated(y_bar: Any, x: np.ndarray) -> Any:
    """The cotangent of the sum of all elements of a plain array of float64, for each of them."""
    if y_bar.__class__ not in REAL_CLASSES or x.size > _FEW:
        return np.broadcast_to(y_bar, x.shape)
    x_bar = np.empty(x.shape)
    x_bar.fill(y_bar)
    return x_bar


def plain_reduction(x: Any, options: tuple[Any, ...], named: dict[str, Any]) -> Reduction | None:
    """What was asked, if it is over axes of a plain array of float64: often, and worth a shorter way."""
    if x.__class__ is not np.ndarray or x.dtype is not _FLOAT64 or len(options) > 1 or not x.size:
        return None
    if not named:
        return Reduction(options[0] if options else None, False, True)
    if not named.keys() <= _OF_AXES or (options and "axis" in named):
        return None
    return Reduction(options[0] if options else named.get("axis"), named.get("keepdims", False), True)


def number_reduced(x: Any, reduction: Reduction) -> Any:
    """How many elements each element of the result is made of: a number, or an array if some are left out.

    1 in the place of 0, so that a cotangent can be divided by it before it is spread over no elements.
    """
    shape = shape_of(x)
    if reduction.where is not True:
        counted = np.broadcast_to(reduction.where, shape)
        return np.maximum(np.sum(counted, axis=reduction.axis, keepdims=reduction.keepdims), 1)
    if reduction.axis is None:
        return max(math.prod(shape), 1)
    return max(math.prod([shape[a] for a in reduced_axes(reduction.axis, len(shape))]), 1)


def shape_of(x: Any) -> tuple[int, ...]:
    """The shape of an array or a number, or of what a carrier carries."""
    x = primal_of(x)
    return x.shape if x.__class__ is np.ndarray else np.shape(x)
