"""Tangents of structured arrays beside their projectors: zeros, and sums in place."""

from itertools import combinations
from typing import Any

import numpy as np

from chainrules_core.structured.banded import Banded
from chainrules_core.structured.structured_array import StructuredArray
from chainrules_core.structured.triangular import Triangular
from chainrules_core.structured.uniform_scaling import UniformScaling
from chainrules_core.tangent_spaces.accumulation import add_to_array, is_inplaceable_destination
from chainrules_core.tangent_spaces.projection import NoTangentProjector, ProjectTo
from chainrules_core.tangent_spaces.zero_tangent import traversal, zero_tangent
from chainrules_core.tangents.abstract_zero import NoTangent

# --- Zeros -----------------------------------------------------------------------------------------


@zero_tangent.dispatch
def zero_of_structured(primal: StructuredArray) -> Any:
    """A matrix of the same kind; for a triangular matrix with ones on its diagonal, one without them."""
    if isinstance(ProjectTo(primal), NoTangentProjector):
        return NoTangent()
    with traversal() as memo:
        if id(primal) not in memo:
            stored = primal.widened() if isinstance(primal, Triangular) else primal
            memo[id(primal)] = primal, stored.map_arrays(zero_tangent)
        return memo[id(primal)][1]


@zero_tangent.dispatch
def zero_of_scaling(primal: UniformScaling) -> Any:
    """Zero times the identity."""
    factor = zero_tangent(primal.factor)
    return factor if isinstance(factor, NoTangent) else UniformScaling(factor)


# --- Sums in place ---------------------------------------------------------------------------------


@is_inplaceable_destination.dispatch
def is_inplaceable_banded(x: Banded) -> bool:
    """Of banded matrices: if their diagonals are, each in memory of its own."""
    arrays = x.arrays()
    are_apart = all(not np.may_share_memory(a, b) for a, b in combinations(arrays, 2))
    return all(map(is_inplaceable_destination, arrays)) and are_apart


@is_inplaceable_destination.dispatch
def is_inplaceable_triangular(x: Triangular) -> bool:
    """Of triangular matrices; those with ones on the diagonal are no vectors, so there is no sum."""
    return not x.has_unit_diagonal and bool(is_inplaceable_destination(x.data))


@add_to_array.dispatch
def add_structured_to_array(x: np.ndarray, y: StructuredArray) -> Any:
    """All elements."""
    return _added(x, y.to_dense(), x)


@add_to_array.dispatch
def add_banded_to_array(x: np.ndarray, y: Banded) -> Any:
    """Only the diagonals that are stored."""
    n = len(y)
    if not np.can_cast(y.dtype, x.dtype, "same_kind"):
        return x + y
    for k, band in y.bands().items():
        block = x[max(0, -k) : n - max(0, k), max(0, k) : n - max(0, -k)]
        _added(np.einsum("ii->i", block), band, block)  # `np.diagonal` is read-only
    return x


@add_to_array.dispatch
def add_scaling_to_array(x: np.ndarray, y: UniformScaling) -> Any:
    """The number, to the main diagonal."""
    if x.ndim != 2 or x.shape[0] != x.shape[1]:
        return x + y  # refused there
    return add_to_array(x, y(len(x)))


def _added(x: Any, y: Any, whole: Any) -> Any:
    if not np.can_cast(y.dtype, x.dtype, "same_kind"):
        return whole + y
    np.add(x, y, out=x)
    return whole
