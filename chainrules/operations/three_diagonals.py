"""Linear systems with three diagonals, as a function that has rules.

For ``A x = b``: ``A x_dot = b_dot - A_dot x``, and ``b_bar = A⁻ᵀ x_bar``, ``A_bar = -b_bar xᴴ``, whose
diagonals are the cotangents of those of ``A``. The adjoint system has three diagonals too.
"""

from typing import Any

import numpy as np

from chainrules.numerics.lapack import lapack_routine
from chainrules.values.operands import ArrayOperand
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, Thunk, frule, primitive, rrule, typeof_


@primitive
def solve_three_diagonals(below: Any, diagonal: Any, above: Any, b: Any, known: Any = None) -> Any:
    """The solution of a system with a real matrix.

    Parameters
    ----------
    below, diagonal, above
        Shapes ``(n - 1, 1)``, ``(n, 1)``, ``(n - 1, 1)``.
    b
        Shape ``(n, e)``: the right sides, real or complex.
    known
        The solution, where somebody has computed it.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the matrix is singular.
    """
    if known is not None:
        return known
    char = np.result_type(diagonal, b).char
    if np.array_equal(below, above):  # if it is positive too, this is twice as quick
        *_, x, place = lapack_routine("ptsv", char)(diagonal[:, 0], below[:, 0], b)
        if not place:
            return x
    *_, x, place = lapack_routine("gtsv", char)(below[:, 0], diagonal[:, 0], above[:, 0], b)
    if place > 0:
        raise np.linalg.LinAlgError("Singular matrix")
    return x


@frule.dispatch
def solve_three_diagonals_frule(
    tangents: Any, f: typeof_(solve_three_diagonals), below: ArrayOperand, *others: Any
) -> tuple[Any, Any]:
    """The tangent solves a system with the same matrix."""
    x, (diagonal, above, b) = solve_three_diagonals(below, *others), others[:3]
    zero = 0.0 * x[:1]
    below_dot, diagonal_dot, above_dot, right = (
        0.0 * part if isinstance(dot, AbstractZero) else dot
        for part, dot in zip((below, diagonal, above, b), tangents[1:5], strict=True)
    )
    right = right - diagonal_dot * x - np.concatenate([zero, below_dot * x[:-1]])
    right = right - np.concatenate([above_dot * x[1:], zero])
    return x, solve_three_diagonals(below, diagonal, above, right)


@rrule.dispatch
def solve_three_diagonals_rrule(
    f: typeof_(solve_three_diagonals), below: ArrayOperand, *others: Any
) -> tuple[Any, Any]:
    """The cotangent solves a system with the transposed matrix."""
    x, (diagonal, above, b, *options) = solve_three_diagonals(below, *others), others
    project_b = ProjectTo(b)

    def solve_three_diagonals_pullback(x_bar: Any) -> Any:
        right_bar = solve_three_diagonals(above, diagonal, below, x_bar)
        diagonals_bar = pull_diagonals(right_bar, x)
        return NO_TANGENT, *diagonals_bar, project_b(right_bar), *(NO_TANGENT,) * len(options)

    return x, solve_three_diagonals_pullback


def pull_diagonals(right_bar: Any, x: Any) -> tuple[Any, Any, Any]:
    """The cotangents of the diagonals, from that of the right sides and the solution."""

    def pull(rows: Any, columns: Any) -> Any:
        return Thunk(lambda: -np.sum((right_bar[rows] * np.conj(x)[columns]).real, 1, None, None, True))

    first, last = slice(None, -1), slice(1, None)
    return pull(last, first), pull(slice(None), slice(None)), pull(first, last)
