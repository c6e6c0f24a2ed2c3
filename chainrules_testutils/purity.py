"""Whether a call leaves alone what it was given: copies of values, and the comparison of values with them."""

import copy
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from chainrules_core import StructuralTangent
from chainrules_core.fields import backing, field_names, reconstruct
from chainrules_core.tangent_arithmetic import forced
from chainrules_testutils.leaves import leaves
from chainrules_testutils.to_vec import is_sparse, is_structure

_BY_VALUE = (int, float, complex, str, bytes, set, frozenset, bytearray, np.generic, type(None))

# What an exact answer about shared memory may cost; beyond it, overlapping bounds count as sharing.
_MAX_WORK = 10_000


def copied(x: Any) -> Any:
    """A deep copy, of what a closure holds as well; `x` itself where it cannot be copied."""
    if isinstance(x, types.FunctionType):
        cells = backing(x)
        return reconstruct(x, {name: copied(cell) for name, cell in cells.items() if cell is not x})
    try:
        return copy.deepcopy(x)
    except Exception:  # noqa: BLE001 - locks, files, generators: they raise various exceptions
        return x


def differences(before: Any, after: Any, where: str) -> Iterator[str]:
    """Where a value is not exactly what its copy is."""
    before, after = forced(before), forced(after)
    if isinstance(before, np.ndarray) and before.dtype.kind == "O":
        for index in np.ndindex(before.shape):
            yield from differences(before[index], after[index], f"{where}, index {index}")
    elif isinstance(before, StructuralTangent):
        before, after = backing(before), backing(after)
        for name in before if isinstance(before, dict) else range(len(before)):
            yield from differences(before[name], after[name], f"{where}, {name}")
    elif isinstance(before, np.ndarray) and isinstance(after, np.ndarray):
        if not _same_array(before, after):
            yield where
    elif is_sparse(before):
        if not _same_array(before.tocoo().data, after.tocoo().data):
            yield where
    elif is_structure(before):
        names = field_names(before)
        if type(before) is not type(after) or names != field_names(after):
            yield where
            return
        for name in names:
            if backing(before)[name] is not before:  # a function that calls itself
                yield from differences(backing(before)[name], backing(after)[name], f"{where}, {name}")
    elif isinstance(before, _BY_VALUE) and not _same_value(before, after):
        yield where


def _same_array(x: Any, y: Any) -> bool:
    return x.dtype == y.dtype and np.array_equal(x, y, equal_nan=x.dtype.kind in "fc")


def _same_value(x: Any, y: Any) -> bool:
    return type(x) is type(y) and bool(x == y or (x != x and y != y))  # noqa: PLR0124 - NaN


def shared_memory(tangent: Any, primal: Any) -> bool:
    """Whether an array in a tangent shares memory with one in a primal."""
    arrays = [leaf for leaf in leaves(primal) if isinstance(leaf, np.ndarray)]
    return any(
        _share(leaf, array) for leaf in leaves(tangent) if isinstance(leaf, np.ndarray) for array in arrays
    )


def _share(x: Any, y: Any) -> bool:
    try:
        return np.shares_memory(x, y, max_work=_MAX_WORK)
    except np.exceptions.TooHardError:
        return True
