"""Check that a tangent has the shape of its primal, and convert it to the primal's precision.

This is stricter than `ProjectTo`, by which a rule brings its own result into a tangent space: no axis is
added or dropped here, since a tangent of another shape was meant for another primal.
"""

import dataclasses
import math
import operator
from typing import Any

import numpy as np

from chainrules_core.arrays.lazy_arrays import LazyArray
from chainrules_core.backends import backend_of
from chainrules_core.dispatch.descriptions import describe_value
from chainrules_core.exceptions import DimensionMismatchError, TangentStructureError
from chainrules_core.tangent_spaces.projection import ProjectTo
from chainrules_core.tangents.abstract_zero import AbstractZero
from chainrules_core.tangents.arithmetic import Rank, is_tangent, rank_of, unthunk_throughout
from chainrules_core.tangents.structural_tangent import StructuralTangent

_NUMBERS = (int, float, complex, np.number)
# Values of these classes are tangents of no number and no array, though NumPy would make an array of some.
NEVER_TANGENTS = (list, tuple, dict, str, bytes, type(None))


@dataclasses.dataclass(frozen=True, slots=True)
class ArrayLayout:
    """The shape and dtype of a plain array, which decide whether a tangent fits, without the array."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]


class _Named(dict[Any, Any]):
    """The items of a NamedTuple or a dict by name; a class of its own, as some arrays are dicts too."""


def layout_of(x: Any) -> Any:
    """The layout of an array, of a container with the layouts of the arrays in it; any other value itself.

    Items that are containers stay as they are: one of them may be the whole.
    """
    if isinstance(x, tuple | list):
        items = map(_array_layout, x)
        fields = getattr(x, "_fields", None)
        return _Named(zip(fields, items, strict=True)) if fields else tuple(items)
    if type(x) is dict:
        return _Named(zip(x, map(_array_layout, x.values()), strict=True))
    return _array_layout(x)


def _array_layout(x: Any) -> Any:
    return ArrayLayout(x.shape, x.dtype) if isinstance(x, np.ndarray) else x


def fitted(layout: Any, x_bar: Any) -> Any:
    """A tangent, or cotangent, as its primal has it: computed, of the primal's shape, in its precision.

    Parameters
    ----------
    layout
        The `layout_of` the primal.
    x_bar
        The tangent.

    Returns
    -------
    Any
        `x_bar` itself if it fits already. Integers become floats, complex numbers real ones where the primal
        is real. Thunks are computed, in fields too; tuples and lists are looked at item by item.

    Raises
    ------
    DimensionMismatchError
        If its shape, or its number of items, is not that of the primal.
    TangentStructureError
        If it cannot be a tangent of the primal, whatever its shape.
    """
    x_bar = unthunk_throughout(x_bar)
    if isinstance(x_bar, AbstractZero) or rank_of(x_bar) is Rank.NOT_IMPLEMENTED:
        return x_bar
    if isinstance(layout, tuple | _Named):
        return _fitted_parts(layout, x_bar)
    shape = shape_of(layout)
    if shape is None or isinstance(x_bar, StructuralTangent):
        return x_bar
    own_shape = shape_of(x_bar)
    if own_shape is None and isinstance(x_bar, NEVER_TANGENTS):
        raise TangentStructureError(
            f"is a {type(x_bar).__name__}, which is no tangent of a number or array: write `np.array(...)`."
        )
    if own_shape is not None and own_shape != shape and not is_unknown(shape):
        raise DimensionMismatchError(_other_shape(shape, own_shape))
    return _in_precision(layout, x_bar)


def shape_of(x: Any) -> tuple[int, ...] | None:
    """The shape of a number, of an array and of its layout; `None` for what has none, or does not say."""
    if isinstance(x, _NUMBERS):
        return ()
    shape = None if is_tangent(x) else getattr(x, "shape", None)
    return tuple(shape) if isinstance(shape, tuple) else None


def is_unknown(shape: tuple[int, ...]) -> bool:
    """Whether a lazy array does not know its lengths yet: then its projector looks at the shape."""
    return any(map(math.isnan, shape))


def _other_shape(shape: tuple[int, ...], own_shape: tuple[int, ...]) -> str:
    """What is wrong with a shape, and the mend."""
    problem = f"has the shape {own_shape}, and needs the shape {shape}"
    if own_shape == ():
        return f"{problem}: write `np.full({shape}, c)` if each element has the tangent `c`."
    if len(own_shape) > len(shape):
        return f"{problem}: sum over the axes that were broadcast."
    return f"{problem}."


def _in_precision(layout: Any, x_bar: Any) -> Any:
    """A number or an array in the precision of the primal, where that is one too."""
    if isinstance(layout, ArrayLayout):
        # An array of no memory of its own, which is only asked for its shape and dtype.
        primal: Any = np.broadcast_to(np.zeros((), layout.dtype), layout.shape)
        has_precision = layout.dtype.kind in "fciu"
    else:
        primal, has_precision = layout, isinstance(layout, _NUMBERS) and not isinstance(layout, bool)
        has_precision = has_precision or isinstance(layout, LazyArray)
    is_array = isinstance(x_bar, np.ndarray | LazyArray) and x_bar.dtype.kind != "O"
    if has_precision:
        return ProjectTo(primal)(x_bar) if is_array or isinstance(x_bar, _NUMBERS) else x_bar
    # The cotangent of a matrix with structure, perhaps: its own projection keeps the precision, of floats.
    return x_bar.astype(float) if is_array and x_bar.dtype.kind in "iu" else x_bar


def _fitted_parts(layout: Any, x_bar: Any) -> Any:
    """A tangent of a tuple, list or NamedTuple, of which each part fits its own."""
    given = x_bar.__tangent_backing__ if isinstance(x_bar, StructuralTangent) else x_bar
    if isinstance(given, dict):
        if not (isinstance(layout, _Named) and given.keys() <= layout.keys()):
            raise _no_tangent_of_several(layout, x_bar)
        parts: Any = {name: fitted(layout_of(layout[name]), part) for name, part in given.items()}
        same = all(parts[name] is part for name, part in given.items())
    elif isinstance(given, tuple | list):
        _check_number(len(layout), len(given))
        whole = layout.values() if isinstance(layout, _Named) else layout
        parts = tuple(map(fitted, map(layout_of, whole), given))
        same = all(map(operator.is_, parts, given))
    elif shape_of(x_bar):
        _check_number(len(layout), x_bar.shape[0])
        return x_bar  # an array, or a carrier of one, whose first axis runs over the items
    elif backend_of(type(x_bar)) is not None:
        return x_bar
    else:
        raise _no_tangent_of_several(layout, x_bar)
    if same:
        return x_bar
    return x_bar.__tangent_from__(parts) if isinstance(x_bar, StructuralTangent) else parts


def _check_number(number: int, given: int) -> None:
    if given != number:
        raise DimensionMismatchError(
            f"has {given} items, and needs {number}: an item without a derivative has `ZeroTangent()`."
        )


def _no_tangent_of_several(layout: Any, x_bar: Any) -> TangentStructureError:
    return TangentStructureError(
        f"is a {describe_value(x_bar)}, which is no tangent of {len(layout)} values: write "
        "`Tangent[tuple](...)` with one tangent for each, `ZeroTangent()` where there is none."
    )
