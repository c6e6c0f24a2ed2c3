"""Projection onto lazy arrays: cotangents become lazy arrays with the chunks of the primal."""

import math
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainrules_core.arrays.lazy_arrays import LazyArray
from chainrules_core.backends import backend_of
from chainrules_core.exceptions import DimensionMismatchError
from chainrules_core.tangent_spaces.projection.arrays import ArrayProjector, project_array
from chainrules_core.tangent_spaces.projection.plain_arrays import plain_array
from chainrules_core.tangent_spaces.projection.project_to import ProjectTo
from chainrules_core.tangent_spaces.projection.projector import Projector


@dataclass(slots=True, unsafe_hash=True)
class LazyArrayProjector(ArrayProjector):
    """Onto Dask arrays of one dtype, one shape and the same chunks.

    Parameters
    ----------
    dtype, shape
        As of `ArrayProjector`.
    chunks
        The lengths of the primal's chunks along each axis; NaN where nobody knows them yet.
    """

    primal_type = LazyArray

    chunks: tuple[tuple[int, ...], ...]

    def __call__(self, x_bar: Any) -> Any:
        """The projection of the cotangent `x_bar`."""
        return Projector.__call__(self, x_bar)

    def project(self, x_bar: Any) -> Any:
        """A lazy array of this shape, dtype and chunks; a carrier stays one."""
        if backend_of(type(x_bar)) is not None:
            return ArrayProjector.project(self, x_bar)
        if self._is_unknown():
            return self._project_unknown(x_bar)
        if not isinstance(x_bar, LazyArray):
            x_bar = ArrayProjector.project(self, x_bar)
            return _lazy(x_bar, self.chunks) if isinstance(x_bar, np.ndarray) else x_bar
        x_bar = ArrayProjector.project(self, x_bar)
        return x_bar if x_bar.chunks == self.chunks else x_bar.rechunk(self.chunks)

    def _is_unknown(self) -> bool:
        return any(math.isnan(length) for length in self.shape)

    def _project_unknown(self, x_bar: Any) -> Any:
        """Only lazy arrays can have a length that nobody knows, and their chunks decide."""
        lengths = getattr(x_bar, "shape", None)
        if not isinstance(x_bar, LazyArray) or lengths is None or not self._may_be_equal(lengths):
            raise DimensionMismatchError(
                f"A lazy array of shape {self.shape}, some lengths of which are not known before it is "
                f"computed, cannot have the cotangent {x_bar!r}. Write `np.where(mask, x, 0)` in the "
                "place of `x[mask]`, or `x.compute_chunk_sizes()` before differentiating."
            )
        return self._project_dtype(x_bar)

    def _may_be_equal(self, lengths: tuple[int, ...]) -> bool:
        return len(lengths) == len(self.shape) and all(
            own == other or math.isnan(own) or math.isnan(other)
            for own, other in zip(self.shape, lengths, strict=True)
        )


def _lazy(x_bar: np.ndarray[Any, Any], chunks: tuple[tuple[int, ...], ...]) -> Any:
    """An array in memory as a lazy one; elements that are repeated without memory of their own stay so."""
    dask_array = sys.modules["dask.array"]  # the primal is one of its arrays
    is_repeated = [
        stride == 0 and length > 1 for stride, length in zip(x_bar.strides, x_bar.shape, strict=True)
    ]
    kept = plain_array(x_bar)[tuple(slice(1) if repeated else slice(None) for repeated in is_repeated)]
    own = tuple((1,) if repeated else along for repeated, along in zip(is_repeated, chunks, strict=True))
    # A copy, since its owner may write into it before the graph is computed. A name at random costs nothing,
    # where one that is made of the numbers would read them all.
    lazy = dask_array.from_array(kept.copy(), chunks=own, name=False)
    return dask_array.broadcast_to(lazy, x_bar.shape, chunks=chunks) if any(is_repeated) else lazy


@ProjectTo.dispatch
def project_lazy_array(x: LazyArray) -> Projector:
    """Of numbers; whatever else they hold is treated as in other arrays."""
    projector = project_array(x)
    if type(projector) is not ArrayProjector:
        return projector
    return LazyArrayProjector(projector.dtype, projector.shape, x.chunks)
