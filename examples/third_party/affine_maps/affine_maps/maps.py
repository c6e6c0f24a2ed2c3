"""`AffineMap`, and the functions of it that AD systems intercept."""

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from chainrules_core import non_differentiable, primitive

Vector: TypeAlias = npt.NDArray[np.float64]
Matrix: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class AffineMap:
    """The map ``x -> A x + b``."""

    A: Matrix
    b: Vector


@primitive
def apply(f: AffineMap, x: Vector) -> Vector:
    """The value of the map at a point."""
    return f.A @ x + f.b


@primitive
def softplus(x: float) -> float:
    """A smooth step: ``log(1 + exp(x))``."""
    return math.log1p(math.exp(x))


@non_differentiable
def largest_entry(x: Vector) -> int:
    """The place of the largest entry."""
    return int(np.argmax(x))
