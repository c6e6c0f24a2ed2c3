"""The base class of projectors onto structured matrices: it accepts matrices of any kind in their shape."""

from typing import Any

import numpy as np

from chainrules_core.exceptions import DimensionMismatchError
from chainrules_core.structured.protocols import is_number
from chainrules_core.structured.uniform_scaling import UniformScaling
from chainrules_core.tangent_spaces.projection import NoTangentProjector, Projector
from chainrules_core.tangent_spaces.projection.parts import none_perturbable
from chainrules_core.tangent_spaces.projection.plain_arrays import plain_array
from chainrules_core.tangent_spaces.projection.shape import fitted_to_shape


class MatrixProjector(Projector):
    """The base class of projectors onto square matrices of one structure.

    To write one, derive from this class with ``@dataclass(slots=True, unsafe_hash=True)``. Its fields are the
    number of rows, `n`, and the projectors of the primal's arrays; if none of these arrays can be perturbed,
    a `NoTangentProjector` is made instead. Define `primal_type`, and `project`, which begins with
    ``x_bar = self.fitted(x_bar)`` and returns the matrix of the structure that is nearest to `x_bar`: the
    orthogonal projection. See `Projector` for the rest.
    """

    __slots__ = ()

    n: int

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """A projector of this class, or a `NoTangentProjector`."""
        parts = [part for part in (*args, *kwargs.values()) if isinstance(part, Projector)]
        return NoTangentProjector() if none_perturbable(parts) else object.__new__(cls)

    def fitted(self, x_bar: Any) -> Any:
        """The cotangent `x_bar` with the shape of the primal.

        Raises
        ------
        DimensionMismatchError
            If it has another shape, up to leading axes of length one.
        TypeError
            If it is no array.
        """
        if isinstance(x_bar, UniformScaling):
            return x_bar(self.n)
        if isinstance(x_bar, np.ndarray):
            x_bar = plain_array(x_bar)
        elif is_number(x_bar) and not hasattr(x_bar, "__array_namespace__"):
            raise DimensionMismatchError(
                f"A matrix of shape {(self.n, self.n)} cannot have the number {x_bar!r} as its cotangent. "
                f"Write {x_bar!r} * I for that number on the diagonal."
            )
        elif not (hasattr(x_bar, "shape") and hasattr(x_bar, "dtype")):
            raise self.refusal(x_bar)
        if len(x_bar.shape) == 1 and self.n > 1:
            raise DimensionMismatchError(
                f"A matrix of shape {(self.n, self.n)} cannot have a vector of shape {tuple(x_bar.shape)} as "
                "its cotangent. Write `Diagonal(x_bar)` for numbers on the diagonal, or `Tangent[P](...)` "
                "for the class P of the matrix, with a cotangent for each of its arrays."
            )
        return fitted_to_shape(x_bar, (self.n, self.n))
