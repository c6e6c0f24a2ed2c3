"""Projection onto arrays of numbers: the primal's shape and precision, real where the primal is real."""

import numbers
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainrules_core.arrays.abstract_array import AbstractArray
from chainrules_core.backends import backend_of, value_for_dispatch
from chainrules_core.exceptions import DimensionMismatchError
from chainrules_core.tangent_spaces.projection.numbers import is_complex
from chainrules_core.tangent_spaces.projection.object_arrays import project_object_array
from chainrules_core.tangent_spaces.projection.plain_arrays import is_masked, plain_array
from chainrules_core.tangent_spaces.projection.project_to import ProjectTo
from chainrules_core.tangent_spaces.projection.projector import (
    IDENTITY_PROJECTOR,
    NO_TANGENT_PROJECTOR,
    Projector,
)
from chainrules_core.tangent_spaces.projection.shape import fitted_to_shape

_ndarray = np.ndarray


@dataclass(slots=True, unsafe_hash=True)
class ArrayProjector(Projector):
    """Onto arrays of one dtype and one shape.

    A cotangent may be any kind of array: sparse, structured, lazy and traced arrays stay what they are.

    Parameters
    ----------
    dtype
        A real or complex floating dtype.
    shape
        The primal's shape.
    """

    primal_type = AbstractArray

    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    def __call__(self, x_bar: Any) -> Any:
        """The projection of the cotangent `x_bar`."""
        # Most cotangents fit, and need not be looked at any further.
        if type(x_bar) is _ndarray and x_bar.dtype == self.dtype and x_bar.shape == self.shape:
            return x_bar
        return Projector.__call__(self, x_bar)

    def project(self, x_bar: Any) -> Any:
        """An array of this shape and dtype; a number for a primal without axes too."""
        if isinstance(x_bar, numbers.Number | np.generic):
            return self._project_number(x_bar)
        if isinstance(x_bar, np.ndarray):
            x_bar = plain_array(x_bar)
            if x_bar.dtype.kind == "O":
                x_bar = _from_objects(x_bar, self.dtype)
        elif not (hasattr(x_bar, "shape") and hasattr(x_bar, "dtype")):
            if backend_of(type(x_bar)) is None:
                raise self.refusal(x_bar)
            return self._project_carrier_of_number(x_bar)
        return self._project_dtype(fitted_to_shape(x_bar, self.shape))

    def _project_dtype(self, x_bar: Any) -> Any:
        if not isinstance(x_bar.dtype, np.dtype):
            return x_bar  # another library's: its own backend keeps the precision
        if self.dtype.kind != "c" and is_complex(x_bar):
            x_bar = np.real(x_bar)
        return x_bar if x_bar.dtype == self.dtype else x_bar.astype(self.dtype)

    def _project_number(self, x_bar: Any) -> Any:
        self._refuse_number_unless_zero_dimensional(x_bar)
        x_bar = x_bar.real if self.dtype.kind != "c" else x_bar
        if value_for_dispatch(x_bar) is not x_bar:  # it stands for a number, and NumPy would read it
            return np.broadcast_to(x_bar, ()).astype(self.dtype)
        return np.asarray(x_bar, dtype=self.dtype)

    def _project_carrier_of_number(self, x_bar: Any) -> Any:
        self._refuse_number_unless_zero_dimensional(x_bar)
        return np.real(x_bar) if self.dtype.kind != "c" and is_complex(x_bar) else x_bar

    def _refuse_number_unless_zero_dimensional(self, x_bar: Any) -> None:
        if self.shape != ():
            raise DimensionMismatchError(
                f"An array of shape {self.shape} cannot have the number {x_bar!r} as its cotangent. "
                f"Write np.full_like(x, {x_bar!r}) if each element has this cotangent."
            )


def _from_objects(x_bar: Any, dtype: np.dtype[Any]) -> Any:
    """An array of objects, thunks and zeros among them, as an array of `dtype`."""
    project = ProjectTo(dtype.type())
    converted = np.empty(x_bar.shape, dtype)
    for index in np.ndindex(x_bar.shape):
        converted[index] = dtype.type(project(x_bar[index]))
    return converted


# --- Which arrays have which projector -------------------------------------------------------------


# The dtype of the cotangents for each dtype met so far, which takes longer to find than to look up.
_dtypes: dict[Any, np.dtype[Any] | None] = {}


@ProjectTo.dispatch
def project_array(x: AbstractArray) -> Projector:
    """Any array that has no projector of its own."""
    if is_masked(x):
        # Masked elements do not follow the arithmetic of the rules' formulas.
        raise TypeError(
            "ProjectTo: masked arrays are not supported; differentiate by an array, `x.filled(...)`, and "
            "make the masked one of it inside of the function."
        )
    try:
        dtype = _dtypes[x.dtype]
    except KeyError:
        dtype = _dtypes[x.dtype] = _floating_dtype(x.dtype)
    return _project_other_elements(x) if dtype is None else ArrayProjector(dtype, x.shape)


@ProjectTo.dispatch
def refuse_matrix(x: np.matrix) -> Projector:
    """`*` means another product for `np.matrix` than in the rules' formulas."""
    raise TypeError("ProjectTo: np.matrix is not supported; differentiate at `np.asarray(x)`.")


def _floating_dtype(dtype: Any) -> np.dtype[Any] | None:
    """A floating dtype; `None` if the elements are not numbers."""
    if getattr(dtype, "kind", None) in ("f", "c"):
        return dtype.newbyteorder("=")  # type: ignore[no-any-return]  # a dtype of any array type
    return np.dtype(np.float64) if getattr(dtype, "kind", None) in ("i", "u") else None


def _project_other_elements(x: Any) -> Projector:
    kind = getattr(x.dtype, "kind", None)
    if kind == "O" and isinstance(x, np.ndarray):
        return project_object_array(x)
    # Booleans, bytes and strings cannot be perturbed; the tangents of dates and records only rules know.
    return NO_TANGENT_PROJECTOR if kind in ("b", "S", "U", "T") else IDENTITY_PROJECTOR
