"""Projection onto arrays of objects, element by element."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from chainrules_core.tangent_spaces.projection.parts import (
    all_same,
    is_in_progress,
    none_perturbable,
    projectors_of_parts,
)
from chainrules_core.tangent_spaces.projection.plain_arrays import plain_array
from chainrules_core.tangent_spaces.projection.projector import (
    IDENTITY_PROJECTOR,
    NoTangentProjector,
    Projector,
)
from chainrules_core.tangent_spaces.projection.shape import fitted_to_shape


@dataclass(slots=True, unsafe_hash=True)
class ObjectArrayProjector(Projector):
    """Onto arrays of objects: each element onto the tangent space of the primal's.

    If none of the elements can be perturbed, a `NoTangentProjector` is made instead.

    Parameters
    ----------
    elements
        The projectors of the primal's elements, in C order.
    shape
        The primal's shape.
    """

    primal_type = np.ndarray

    elements: tuple[Projector, ...]
    shape: tuple[int, ...]

    def __new__(cls, elements: tuple[Projector, ...] = (), shape: Any = None) -> Any:  # noqa: ARG004 - `__init__` takes them
        """An `ObjectArrayProjector` or a `NoTangentProjector`."""
        return NoTangentProjector() if none_perturbable(elements) else object.__new__(cls)

    def project(self, x_bar: Any) -> Any:
        """An array of objects of this shape; for a primal without axes also its one element's cotangent."""
        if not hasattr(x_bar, "shape"):
            if self.shape != ():
                raise self.refusal(x_bar)
            x_bar = _object_array([x_bar], ())
        fitted = fitted_to_shape(plain_array(x_bar), self.shape)
        before = [fitted[index] for index in np.ndindex(self.shape)]
        after = [project(element) for project, element in zip(self.elements, before, strict=True)]
        fits = fitted.dtype == object and all_same(before, after)
        return fitted if fits else _object_array(after, self.shape)


def project_object_array(x: Any) -> Projector:
    """Element by element. The array itself, where it is an element of its own, is left as it is."""
    if is_in_progress(x):
        return IDENTITY_PROJECTOR
    return ObjectArrayProjector(projectors_of_parts(x, x.flat), x.shape)


def _object_array(elements: list[Any], shape: tuple[int, ...]) -> Any:
    array = np.empty(shape, dtype=object)
    # Not by one assignment, which would take elements that are sequences apart.
    for index, element in zip(np.ndindex(shape), elements, strict=True):
        array[index] = element
    return array
