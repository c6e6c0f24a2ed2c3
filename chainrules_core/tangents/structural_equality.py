"""Whether structural tangents are equal, and hashes that agree with the answer."""

from typing import Any

import numpy as np

from chainrules_core.tangents.abstract_zero import ZERO_TANGENT
from chainrules_core.tangents.arithmetic import is_tangent, unthunk_fully


def equal(x: Any, y: Any) -> bool:
    """Whether two tangents of the same class have equal fields; one not given equals ``ZeroTangent()``."""
    a, b = x.__tangent_backing__, y.__tangent_backing__
    if type(a) is not type(b) or (type(a) is tuple and len(a) != len(b)):
        return False
    if type(a) is tuple:
        pairs: Any = zip(a, b, strict=True)
    else:
        pairs = ((a.get(name, ZERO_TANGENT), b.get(name, ZERO_TANGENT)) for name in a.keys() | b.keys())
    return all(_equal_fields(*map(x.__tangent_vector__, pair)) for pair in pairs)


def _equal_fields(x: Any, y: Any) -> bool:
    x, y = unthunk_fully(x), unthunk_fully(y)
    if is_tangent(x) or is_tangent(y):
        return bool(x == y)
    if hasattr(x, "tocoo") and hasattr(y, "tocoo"):
        return bool(x.shape == y.shape and (x != y).nnz == 0)
    return np.shape(x) == np.shape(y) and bool(np.all(x == y))


def hash_of(tangent: Any) -> int:
    """A hash that depends neither on the order of the fields nor on implicit zeros."""
    given, vector = tangent.__tangent_backing__, tangent.__tangent_vector__
    if type(given) is tuple:
        return hash((type(tangent), tuple([unthunk_fully(vector(field)) for field in given])))
    items = ((name, unthunk_fully(vector(field))) for name, field in given.items())
    return hash((type(tangent), frozenset(item for item in items if item[1] is not ZERO_TANGENT)))
