"""Whether a call leaves its arguments alone: copies of values, and the comparison of values with them."""

import copy
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from chainrules_core import unthunk_fully
from chainrules_testutils.values.parts import is_sparse, leaves, parts, places_of_entries, with_parts

_BY_VALUE = (int, float, complex, str, bytes, set, frozenset, bytearray, np.generic, type(None))

# The work that an exact answer about shared memory may take; beyond it, overlapping bounds count as sharing.
_MAX_WORK = 10_000


def copied(x: Any) -> Any:
    """A deep copy, with the values that a closure holds; `x` itself where it cannot be copied."""
    if isinstance(x, types.FunctionType):
        cells = parts(x)
        return with_parts(x, {name: copied(cell) for name, cell in cells.items()}) if cells else x
    try:
        return copy.deepcopy(x)
    except Exception:  # noqa: BLE001 - locks, files, generators: they raise various exceptions
        below = {name: copied(part) for name, part in parts(x).items()}
        return with_parts(x, below) if below else x


def differences(before: Any, after: Any, where: str) -> Iterator[str]:
    """The places where a value differs from its copy."""
    before, after = unthunk_fully(before), unthunk_fully(after)
    parts_before, parts_after = parts(before), parts(after)
    if type(before) is not type(after) or parts_before.keys() != parts_after.keys():
        yield where
    elif parts_before:
        for name, part in parts_before.items():
            yield from differences(part, parts_after[name], f"{where}, {name}")
    elif not _same_leaf(before, after):
        yield where


def _same_leaf(before: Any, after: Any) -> bool:
    if isinstance(before, np.ndarray):
        return before.shape == after.shape and _same_array(before, after)
    if is_sparse(before):
        entries, entries_after = before.tocoo(), after.tocoo()
        places, places_after = places_of_entries(entries), places_of_entries(entries_after)
        same_places = before.shape == after.shape and np.array_equal(places, places_after)
        return same_places and _same_array(entries.data, entries_after.data)
    # Objects that cannot be compared by value, a generator or a lock, count as the same.
    return not isinstance(before, _BY_VALUE) or _same_value(before, after)


def _same_array(x: Any, y: Any) -> bool:
    return x.dtype == y.dtype and bool(np.array_equal(x, y, equal_nan=x.dtype.kind in "fc"))


def _same_value(x: Any, y: Any) -> bool:
    return type(x) is type(y) and bool(x == y or (x != x and y != y))  # noqa: PLR0124 - NaN


def shared_memory(tangent: Any, primal: Any) -> bool:
    """Whether an array in a tangent shares memory with one in a primal."""
    arrays = [leaf for leaf in leaves(primal) if isinstance(leaf, np.ndarray)]
    return any(
        _share_memory(leaf, array)
        for leaf in leaves(tangent)
        if isinstance(leaf, np.ndarray)
        for array in arrays
    )


def _share_memory(x: Any, y: Any) -> bool:
    try:
        return np.shares_memory(x, y, max_work=_MAX_WORK)  # type: ignore[arg-type]  # any limit is allowed
    except np.exceptions.TooHardError:
        return True
