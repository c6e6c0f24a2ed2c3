"""Elementwise products: zero wherever one of the factors is."""

from typing import Any

import numpy as np

from chainrules_core.arrays.sparse_arrays import SparseArray
from chainrules_core.structured.banded import Banded
from chainrules_core.structured.kinds import (
    are_hermitian,
    are_symmetric,
    as_array,
    check_same_shape,
    from_bands,
    from_full,
    is_narrow,
)
from chainrules_core.structured.operations import multiply
from chainrules_core.structured.parents import diagonal_of, triangle
from chainrules_core.structured.protocols import dense, is_number
from chainrules_core.structured.structured_array import StructuredArray
from chainrules_core.structured.symmetric import Hermitian, Symmetric
from chainrules_core.structured.triangular import Triangular
from chainrules_core.structured.tridiagonal import SymTridiagonal


@multiply.dispatch
def multiply_objects(x: object, y: object) -> Any:
    """Whatever has no better method: NumPy's product, which broadcasts."""
    return np.multiply(dense(as_array(x)), dense(as_array(y)))


@multiply.dispatch
def multiply_structured(x: StructuredArray, y: StructuredArray) -> Any:
    """A matrix that reaches as far as both, and is symmetric or Hermitian if both are."""
    check_same_shape("multiply", x, y)
    lo, hi = max(x.extent[0], y.extent[0]), min(x.extent[1], y.extent[1])
    if is_narrow(lo, hi):
        if are_symmetric(x, y) and hi == 1:
            return SymTridiagonal(x.diagonal() * y.diagonal(), x.diagonal(1) * y.diagonal(1))
        return from_bands({k: x.diagonal(k) * y.diagonal(k) for k in range(lo, hi + 1)})
    product = x.to_dense() * y.to_dense()
    if are_symmetric(x, y):
        return Symmetric(product)
    if are_hermitian(x, y):
        return Hermitian(product)
    if type(x) is type(y) and isinstance(x, Triangular):
        return x.like(product)
    return from_full(product, lo, hi)


@multiply.dispatch
def multiply_structured_by_object(x: StructuredArray, y: object) -> Any:
    """A matrix of the kind of `x`, if `y` is a number, or an array that broadcasts to the shape of `x`."""
    if is_number(y):
        return x.scale(y)
    factor: Any = as_array(y)
    if getattr(factor, "shape", None) is None or not _broadcasts_to(tuple(factor.shape), x.shape):
        return np.multiply(x.to_dense(), factor)
    factor = np.broadcast_to(factor, x.shape)
    if isinstance(x, Banded):
        return from_bands({k: band * np.diagonal(factor, k) for k, band in x.bands().items()})
    if isinstance(x, Triangular):
        # The elements in the other triangle, even infinite ones, have no part in the product.
        return from_full(x.to_dense() * triangle(factor, x.uplo), *x.extent)
    return x.to_dense() * factor


@multiply.dispatch
def multiply_object_by_structured(x: object, y: StructuredArray) -> Any:
    """The same: numbers commute."""
    return multiply(y, x)


@multiply.dispatch
def multiply_structured_by_sparse(x: StructuredArray, y: SparseArray) -> Any:
    """A banded matrix stays one; anything else is as sparse as `y`."""
    check_same_shape("multiply", x, y)
    if isinstance(x, Banded):
        return from_bands({k: band * diagonal_of(y, k) for k, band in x.bands().items()})
    return y.multiply(x.full()).asformat(y.format)


@multiply.dispatch
def multiply_sparse_by_structured(x: SparseArray, y: StructuredArray) -> Any:
    """The same: numbers commute."""
    return multiply(y, x)


def _broadcasts_to(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    paired = zip(reversed(shape), reversed(target), strict=False)
    return len(shape) <= len(target) and all(length in (1, goal) for length, goal in paired)
