"""Results of functions over NumPy, taken apart into arrays for another framework."""

from typing import Any

import numpy as np

from chainrules.ad.tracing import is_differentiable
from chainrules.adapters.errors import AdapterError
from chainrules.adapters.holes import Holes, filled, find_holes
from chainrules_core import AbstractArray, describe_callee, primal_of

_KINDS = "biufc"  # truth values, integers, unsigned ones, real and complex numbers


def taken_apart(f: Any, y: Any) -> tuple[list[Any], Any, Holes]:
    """The numbers and arrays in a result, its containers with nothing in their places, and the holes.

    Raises
    ------
    AdapterError
        If something in the result is an array of another kind, such as a sparse one.
    """
    leaves: list[Any] = []
    holes = find_holes(y, _is_leaf, leaves)
    for leaf in leaves:
        _check(f, primal_of(leaf))
    return leaves, filled(y, holes, [None] * len(leaves)), holes


def _is_leaf(x: Any) -> bool:
    return isinstance(
        x, np.ndarray | int | float | complex | np.generic | AbstractArray
    ) or is_differentiable(x)


def _check(f: Any, y: Any) -> None:
    if isinstance(y, np.ndarray | np.generic | bool | int | float | complex):
        if np.asarray(y).dtype.kind in _KINDS:
            return
        kind = f"an array of {np.asarray(y).dtype}"
    else:
        kind = f"a {type(y).__module__.partition('.')[0]} {type(y).__name__}"
    raise AdapterError(
        f"{describe_callee(f)} returned {kind}, which other frameworks do not know. Return numbers and plain "
        "NumPy arrays, such as `np.asarray(y)`, or `y.toarray()` of a sparse array; the function itself is "
        "given NumPy arrays."
    )
