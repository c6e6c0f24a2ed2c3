"""Projection onto SciPy's sparse arrays: the subspace is the pattern that the primal stores.

Memory and time are linear in the stored entries, explicit zeros among them. The index arrays are the primal's
own: a program that changes the pattern of a sparse array in place would change the space of its projector
too.
"""

import numbers
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainrules_core.arrays.abstract_array import AbstractArray
from chainrules_core.arrays.sparse_arrays import SparseArray, entries_at
from chainrules_core.backends import backend_of, primal_of
from chainrules_core.carriers.primitive import primitive
from chainrules_core.exceptions import DimensionMismatchError
from chainrules_core.tangent_spaces.projection.arrays import ArrayProjector
from chainrules_core.tangent_spaces.projection.plain_arrays import plain_array
from chainrules_core.tangent_spaces.projection.project_to import ProjectTo
from chainrules_core.tangent_spaces.projection.projector import NoTangentProjector, Projector, spelled
from chainrules_core.tangent_spaces.projection.shape import fitted_to_shape
from chainrules_core.tangent_spaces.projection.sparse_formats import SPARSE_FORMATS


@dataclass(slots=True)
class SparseProjector(Projector):
    """Onto sparse arrays of one class, dtype and shape, with one pattern of stored entries.

    Cotangents may be arrays of any kind. Their elements outside of the pattern are dropped; elements of the
    pattern that they do not store are zero.

    Parameters
    ----------
    sparse_type
        The primal's class.
    format
        The primal's format, one of SciPy's seven.
    dtype
        A real or complex floating dtype.
    shape
        The primal's shape.
    pattern
        The arrays by which the format says where the entries are.
    """

    sparse_type: type[Any]
    format: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    pattern: tuple[Any, ...]

    @property
    def primal_type(self) -> type[Any]:
        """The type whose structural tangents fit."""
        return self.sparse_type

    @property
    def position(self) -> tuple[Any, ...]:
        """The positions of the stored entries, an integer array for each axis."""
        return SPARSE_FORMATS[self.format].position(self.pattern, self.shape)

    def __call__(self, x_bar: Any) -> Any:
        """The projection of the cotangent `x_bar`."""
        if type(x_bar) is self.sparse_type and x_bar.dtype == self.dtype:
            # `_has_pattern` would find this out too; these are the cotangents that rules return most.
            has_same_arrays = SPARSE_FORMATS[self.format].has_same_arrays(x_bar, self.pattern)
            if has_same_arrays and x_bar.shape == self.shape:
                return x_bar
            if self._has_pattern(x_bar):
                return x_bar
        return Projector.__call__(self, x_bar)

    def project(self, x_bar: Any) -> Any:
        """The sparse array with the primal's pattern, and the elements of `x_bar` there.

        A carrier passes if the value that it carries fits; else `project_onto_pattern`, which has rules, is
        called.
        """
        if backend_of(type(x_bar)) is None:
            return self.with_entries(self.entries_of(x_bar))
        return x_bar if self(primal := primal_of(x_bar)) is primal else project_onto_pattern(x_bar, self)

    def entries_of(self, x_bar: Any) -> Any:
        """The elements of a cotangent at the stored positions, in the primal's precision."""
        x_bar = self._fitted(x_bar)
        if type(x_bar) is self.sparse_type and self._has_pattern(x_bar):
            entries = SPARSE_FORMATS[self.format].entries(x_bar)
        elif isinstance(x_bar, SparseArray):
            entries = entries_at(x_bar, self.position)
        else:
            entries = x_bar[self.position]
        return ArrayProjector(self.dtype, entries.shape)(entries)

    def with_entries(self, entries: Any) -> Any:
        """The sparse array with the primal's pattern and these entries."""
        return SPARSE_FORMATS[self.format].assembled(self.sparse_type, entries, self.pattern, self.shape)

    def _has_pattern(self, x: Any) -> bool:
        return x.shape == self.shape and _same_pattern(SPARSE_FORMATS[self.format].pattern(x), self.pattern)

    def _fitted(self, x_bar: Any) -> Any:
        if isinstance(x_bar, numbers.Number):
            raise DimensionMismatchError(
                f"A sparse array of shape {self.shape} cannot have the number {x_bar!r} as its cotangent."
            )
        if backend_of(type(x_bar)) is not None or not isinstance(x_bar, AbstractArray):
            raise self.refusal(x_bar)
        return fitted_to_shape(plain_array(x_bar) if isinstance(x_bar, np.ndarray) else x_bar, self.shape)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SparseProjector):
            return NotImplemented
        is_same_space = self._key() == other._key()
        return is_same_space and _same_pattern(self.pattern, other.pattern)

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.sparse_type, self.format, self.dtype, self.shape

    def __repr__(self) -> str:
        stored = self.position[0].size
        return (
            f"<{type(self).__name__} onto {spelled(self.sparse_type)}, dtype {self.dtype}, "
            f"shape {self.shape}, {stored} stored>"
        )


@primitive
def project_onto_pattern(x: Any, project: Projector) -> Any:
    """The elements of an array on the pattern that a sparse array projects onto; it can be differentiated."""
    return project(x)


def _same_pattern(x: tuple[Any, ...], y: tuple[Any, ...]) -> bool:
    # Results that share the primal's index arrays are the rule; comparing these takes no time.
    return all(a is b or np.array_equal(a, b) for a, b in zip(x, y, strict=True))


# A `dok_array` is a `dict` too: the precedence says that this matters less.
@ProjectTo.dispatch(precedence=1)
def project_sparse(x: SparseArray) -> Projector:
    """SciPy's sparse arrays and matrices."""
    if x.dtype.kind == "b":
        return NoTangentProjector()
    dtype = np.dtype(np.float64) if x.dtype.kind in "iu" else x.dtype
    storage = SPARSE_FORMATS[x.format]
    x = storage.canonical(x)
    return SparseProjector(type(x), x.format, dtype, x.shape, storage.pattern(x))
