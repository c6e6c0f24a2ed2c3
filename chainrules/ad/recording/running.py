"""What a generated program calls besides NumPy, and the comparison of its results with the plain ones."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from chainrules.ad.recording.structured_results import in_containers
from chainrules.ad.recording.tape import are_same_arrays, kind_of


class _Miss:
    """The result of a program that decides otherwise than the recorded one."""

    def __repr__(self) -> str:
        return "MISS"


MISS = _Miss()


def owned(y: Any, arguments: Sequence[Any]) -> Any:
    """A result whose arrays belong to the caller: no argument, no constant, no view, and none there twice."""
    return _owned(y, set(map(id, arguments)))


def _owned(y: Any, taken: set[int]) -> Any:
    cls = type(y)
    if cls is np.ndarray:
        if y.base is not None or not y.flags.writeable or id(y) in taken:
            y = np.array(y, order="K")
        taken.add(id(y))
        return y
    if isinstance(y, tuple | list):
        parts = [_owned(part, taken) for part in y]
        return cls(parts) if cls is tuple or cls is list else cls(*parts)  # one with names
    if cls is dict:
        return {key: _owned(part, taken) for key, part in y.items()}
    return y


def same_elements(x: Any, y: Any) -> bool:
    """Whether an array or number is the one that was recorded."""
    x = np.asarray(x)
    return are_same_arrays(x, y)


def has_nan(x: Any) -> bool:
    """Whether any element of an array is a NaN: then the sum of their squares is one, and only then.

    NumPy warns of nothing in this product, other than in those of arrays.
    """
    if type(x) is not np.ndarray:
        return bool(x != x)  # noqa: PLR0124 - NaN alone differs from itself
    flat = x if x.ndim == 1 else x.ravel("K")
    # Of complex numbers infinite ones would pass for a NaN; the greatest element is a NaN if one is.
    found = np.vdot(flat, flat) if x.dtype.kind == "f" else flat[flat.argmax()] if x.size else 0.0
    return bool(found != found)  # noqa: PLR0124 - NaN alone differs from itself


def is_finite(x: Any) -> bool:
    """Whether all elements of an array are finite; nearly always the sum of their squares is."""
    flat = x if x.ndim == 1 else x.ravel("K")
    return math.isfinite(np.vdot(flat, flat)) or bool(np.isfinite(x).all())


def is_within(x: Any, bound: float) -> bool:
    """Whether all elements of an array are smaller; nearly always the root of the sum of their squares is.

    Of a large array that is asked of each part, since the sum of so many is larger.
    """
    flat = x if x.ndim == 1 else x.ravel("K")
    if flat.size > 65_536:
        return all(is_within(part, bound) for [part] in parts_of(65_536, flat))
    return bool(np.vdot(flat, flat) < bound * bound or -bound < flat.min() <= flat.max() < bound)


def parts_of(length: int, *arrays: Any, spare: int = 0) -> Iterator[list[Any]]:
    """The parts of arrays that belong together, of so many rows or elements each, one after another.

    Behind them there are spare arrays like the part of the last one, to be written into, the same each time.
    """
    like = arrays[-1]
    spares = [np.empty((length, *like.shape[1:]), like.dtype) for _ in range(spare)]
    for i in range(0, len(like), length):
        parts = [x[i : i + length] for x in arrays]
        size = len(parts[0])
        yield parts + (spares if size == length else [x[:size] for x in spares])


def ignoring_errors() -> Any:
    """A block without warnings of divisions by zero, overflow and invalid operations."""
    return np.errstate(divide="ignore", over="ignore", invalid="ignore")


SCOPE = {
    "has_nan": has_nan,
    "is_finite": is_finite,
    "is_within": is_within,
    "parts_of": parts_of,
    "ignoring_errors": ignoring_errors,
    "np": np,
    "math": math,
    "MISS": MISS,
    "owned": owned,
    "kind_of": kind_of,
    "same_elements": same_elements,
}


def difference_between(y: Any, plain: Any) -> str | None:
    """In what a result differs from the plain one by more than rounding; `None` if in nothing.

    Classes, dtypes, shapes, infinities and NaN have to be the same. Elements may differ by 1e-9 of the
    largest one, in single precision by 1e-4, since other functions may have added up in another order.
    """
    y, plain = (in_containers(x)[0] if type(y) is type(plain) else x for x in (y, plain))
    if type(y) is not type(plain):
        return f"an instance of {type(y).__name__} in the place of one of {type(plain).__name__}"
    if isinstance(y, tuple | list | dict):
        if len(y) != len(plain) or (isinstance(y, dict) and list(y) != list(plain)):
            return "other parts"
        pairs = (
            zip(y.values(), plain.values(), strict=True)
            if isinstance(y, dict)
            else zip(y, plain, strict=True)
        )
        return next((found for found in (difference_between(*pair) for pair in pairs) if found), None)
    if isinstance(y, np.ndarray | float | complex | np.generic):
        return _difference_of_numbers(np.asarray(y), np.asarray(plain))
    return None if y == plain else f"{y!r} in the place of {plain!r}"


def _difference_of_numbers(y: Any, plain: Any) -> str | None:
    if y.dtype != plain.dtype or y.shape != plain.shape:
        return f"{y.dtype} in the shape {y.shape} in the place of {plain.dtype} in {plain.shape}"
    if y.dtype.kind not in "fc":
        return None if np.array_equal(y, plain) else "other whole numbers"
    if y.size == 0 or np.array_equal(y, plain):
        return None
    is_finite = np.isfinite(plain)
    if not np.array_equal(np.isfinite(y), is_finite) or not np.array_equal(
        y[~is_finite], plain[~is_finite], equal_nan=True
    ):
        return "other infinite or undefined numbers"
    y, plain = y[is_finite], plain[is_finite]
    if plain.size == 0:
        return None
    tolerance = 1e-9 if np.finfo(y.dtype).eps < 1e-10 else 1e-4 if np.finfo(y.dtype).eps < 1e-5 else 1e-1
    with np.errstate(all="ignore"):
        off, size = np.max(np.abs(y - plain)), np.max(np.abs(plain))
    return None if off <= tolerance * size else f"numbers that differ by {off:.2g}, beside {size:.2g}"
