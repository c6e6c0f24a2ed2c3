"""Whether structural tangents are equal, and hashes that agree with the answer."""

from typing import Any

import numpy as np

from chainrules_core.tangents.abstract_zero import ZeroTangent
from chainrules_core.tangents.arithmetic import is_tangent, unthunk_fully

_ZERO = ZeroTangent()


def equal(x: Any, y: Any) -> bool:
    """Whether two tangents of the same class have equal fields; one not given equals ``ZeroTangent()``."""
    a, b = x.__tangent_backing__, y.__tangent_backing__
    if type(a) is not type(b):
        return False
    if type(a) is tuple:
        return len(a) == len(b) and all(map(_equal_fields, a, b))
    return all(_equal_fields(a.get(name, _ZERO), b.get(name, _ZERO)) for name in a.keys() | b.keys())


def _equal_fields(x: Any, y: Any) -> bool:
    x, y = unthunk_fully(x), unthunk_fully(y)
    if is_tangent(x) or is_tangent(y):
        return bool(x == y)
    if hasattr(x, "tocoo") and hasattr(y, "tocoo"):
        return bool(x.shape == y.shape and (x != y).nnz == 0)
    return np.shape(x) == np.shape(y) and bool(np.all(x == y))


def hash_of(tangent: Any) -> int:
    """A hash that depends neither on the order of the fields nor on implicit zeros."""
    given = tangent.__tangent_backing__
    if type(given) is tuple:
        return hash((type(tangent), tuple(map(unthunk_fully, given))))
    items = ((name, unthunk_fully(field)) for name, field in given.items())
    return hash((type(tangent), frozenset(item for item in items if item[1] is not _ZERO)))
