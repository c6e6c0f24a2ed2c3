"""The derivatives of the pseudo-inverse.

For ``Y = A⁺``, along directions in which the rank of ``A`` is constant,

    Y_dot = -Y A_dot Y + Y Yᴴ A_dotᴴ (1 - A Y) + (1 - Y A) A_dotᴴ Yᴴ Y
    A_bar = -Yᴴ Y_bar Yᴴ + (1 - A Y) Y_barᴴ Y Yᴴ + Yᴴ Y Y_barᴴ (1 - Y A)

G. H. Golub, V. Pereyra, "The differentiation of pseudo-inverses and nonlinear least squares problems whose
variables separate", SIAM Journal on Numerical Analysis 10, 1973. As a function of the bound for the rank the
pseudo-inverse is constant between jumps.
"""

from typing import Any

from chainrules.values.stacks import adjoint
from chainrules_core import NO_TANGENT, ZeroTangent


def push_pinv(Y: Any, A: Any, A_dot: Any) -> Any:
    """The tangent of the pseudo-inverse `Y` of `A`."""
    Y_adjoint, A_dot_adjoint = adjoint(Y), adjoint(A_dot)
    by_columns, by_rows = Y @ (Y_adjoint @ A_dot_adjoint), (A_dot_adjoint @ Y_adjoint) @ Y
    return by_columns - by_columns @ A @ Y + by_rows - Y @ (A @ by_rows) - Y @ A_dot @ Y


def pull_pinv(Y: Any, A: Any, Y_bar: Any) -> Any:
    """The cotangent of `A`, for the cotangent of its pseudo-inverse `Y`."""
    Y_adjoint, Y_bar_adjoint = adjoint(Y), adjoint(Y_bar)
    by_rows, by_columns = (Y_bar_adjoint @ Y) @ Y_adjoint, Y_adjoint @ (Y @ Y_bar_adjoint)
    A_bar = by_rows - A @ (Y @ by_rows) + by_columns - by_columns @ Y @ A
    return A_bar - Y_adjoint @ Y_bar @ Y_adjoint


def constant_in(option: Any) -> Any:
    """The cotangent of an option: zero for a bound for the rank; the other options are no numbers."""
    return NO_TANGENT if option is None or isinstance(option, bool) else ZeroTangent()
