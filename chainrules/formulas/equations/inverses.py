"""The derivatives of the inverse of a matrix, where the inverse is known.

For ``Y = A⁻¹``: ``Y_dot = -Y A_dot Y``, and ``A_bar = -Yᴴ Y_bar Yᴴ``. M. B. Giles, "An extended collection of
matrix derivative results for forward and reverse mode algorithmic differentiation", 2008, section 2.2.3.
"""

from collections.abc import Callable
from typing import Any

from chainrules.values.stacks import adjoint
from chainrules_core import NO_TANGENT, ProjectTo


def push_inverse(Y: Any, A_dot: Any) -> Any:
    """The tangent of the inverse `Y`."""
    return -(Y @ A_dot @ Y)


def pullback_of_inverse(A: Any, Y: Any) -> Callable[[Any], tuple[Any, Any]]:
    """The pullback of the inverse `Y` of `A`."""
    project = ProjectTo(A)

    def inv_pullback(Y_bar: Any) -> tuple[Any, Any]:
        Y_adjoint = adjoint(Y)
        return NO_TANGENT, project(-(Y_adjoint @ Y_bar @ Y_adjoint))

    return inv_pullback
