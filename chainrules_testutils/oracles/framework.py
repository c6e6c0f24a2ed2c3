"""`Framework`: what an oracle asks of a framework."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]
# From arrays of the framework to arrays of the framework.
Program: TypeAlias = Callable[[list[Any]], list[Any]]
Pullback: TypeAlias = Callable[[Sequence[Array]], list[Array]]


class Framework(Protocol):
    """A framework that differentiates, in double precision and with this project's complex cotangents.

    Attributes
    ----------
    name
        The name that messages call it by, and that its modules begin with.
    """

    name: str

    def counterpart(self, name: str) -> Callable[..., Any] | None:
        """The function that computes what the one of this dotted name computes; `None` if there is none."""

    def constant(self, x: Any) -> Any:
        """An argument, or a part of one, that is not differentiated, as the framework's functions take it."""

    def vjp(self, program: Program, xs: Sequence[Array]) -> tuple[list[Array], Pullback]:
        """The results of a program, and its pullback."""

    def jvp(
        self, program: Program, xs: Sequence[Array], x_dots: Sequence[Array]
    ) -> tuple[list[Array], list[Array]]:
        """The results of a program, and their tangents; zeros for results that are no real numbers."""


def in_double_precision(x: Any) -> Array:
    """A number, or an array of them, as an array of float64 or of complex128."""
    x = np.asarray(x)
    return np.array(x, dtype=np.complex128 if x.dtype.kind == "c" else np.float64)
