"""Checks of the fields of structured arrays, made once, in the constructors."""

from typing import Any

import numpy as np

from chainrules_core.exceptions import DimensionMismatchError
from chainrules_core.structured.protocols import dense
from chainrules_core.tangent_spaces.projection.plain_arrays import is_masked
from chainrules_core.tangents.arithmetic import is_tangent, unthunk_fully


def vector(owner: object, name: str, length: int | None = None) -> Any:
    """The field `name` as an array of shape ``(length,)``; replaced in `owner` if it was none."""
    x = _field_array(owner, name)
    if len(x.shape) != 1:
        raise DimensionMismatchError(
            f"{type(owner).__name__}: {name} has shape {tuple(x.shape)}, but it is a vector, of shape (n,). "
            f"Of a matrix A, np.diagonal(A) is the main diagonal, np.diagonal(A, 1) the one above it."
        )
    if length is not None and x.shape[0] != length:
        raise DimensionMismatchError(
            f"{type(owner).__name__}: {name} has length {x.shape[0]}, but {length} fits the main "
            f"diagonal; the diagonals beside it are one shorter."
        )
    return x


def square(owner: object, name: str) -> Any:
    """The field `name` as an array of shape ``(n, n)``; replaced in `owner` if it was none."""
    x = _field_array(owner, name)
    if len(x.shape) != 2 or x.shape[0] != x.shape[1]:
        raise DimensionMismatchError(
            f"{type(owner).__name__}: {name} has shape {tuple(x.shape)}, but it is a square matrix, of shape "
            f"(n, n)."
        )
    return x


def check_uplo(owner: Any) -> None:
    """Raise an error unless the field `uplo` names a triangle."""
    if owner.uplo not in ("U", "L"):
        raise ValueError(
            f"{type(owner).__name__}: uplo is {owner.uplo!r}, but it is 'U' for the upper or 'L' for the "
            f"lower triangle."
        )


def is_sparse(x: Any) -> bool:
    """Whether `x` is one of SciPy's sparse arrays, or has their methods."""
    return hasattr(type(x), "tocoo")


def _field_array(owner: object, name: str) -> Any:
    given = unthunk_fully(getattr(owner, name))
    if is_tangent(given) or is_masked(given):
        raise TypeError(f"{type(owner).__name__}: {name} is a {type(given).__name__}, not an array.")
    x = dense(given)
    if isinstance(x, np.matrix) or not (hasattr(x, "shape") and hasattr(x, "dtype")):
        x = np.asarray(x)
    if getattr(x.dtype, "kind", "f") not in "biufcO":
        raise TypeError(f"{type(owner).__name__}: {name} has dtype {x.dtype}, but elements are numbers.")
    if x is not getattr(owner, name):
        object.__setattr__(owner, name, x)
    return x
