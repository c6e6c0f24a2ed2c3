"""Rules for the solution of least-squares problems; see `chainrules.formulas.equations.least_squares`.

The driver "gelsy" returns no singular values; the rank is the one that it found.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import lstsq

from chainrules.formulas.equations.least_squares import (
    pseudo_inverse_of_rank,
    pull_least_squares,
    pull_squared_residuals,
    push_least_squares,
)
from chainrules.formulas.spectra.singular_values import pull_singular_values, push_singular_values
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import as_columns
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    ZeroTangent,
    frule,
    primal_of,
    primitive,
    rrule,
    typeof_,
    unbroadcast,
)

_lstsq = primitive(lstsq)


class _Solved(NamedTuple):
    """A problem and its solution.

    Attributes
    ----------
    y
        What SciPy returns.
    is_vector
        Whether the right side is a vector.
    columns
        The matrix, the right sides and the solutions, as columns.
    """

    y: Any
    is_vector: bool
    columns: tuple[Any, Any, Any]

    def inverse(self) -> Any:
        """The pseudo-inverse, of the rank that was found."""
        s = self.y[3] if self.has_values() else np.linalg.svd(primal_of(self.columns[0]), compute_uv=False)
        return pseudo_inverse_of_rank(self.columns[0], self.y[2], s)

    def has_values(self) -> bool:
        """Whether there are singular values."""
        s = primal_of(self.y[3])
        return s is not None and s.dtype.kind == "f"

    def has_residuals(self) -> bool:
        """Whether there are sums of squares: the matrix has more rows than columns, and these are regular."""
        X = shape_of(self.y[0])
        return shape_of(self.y[1]) == (X[:-1] if self.is_vector else (*X[:-2], X[-1]))

    def without_columns(self, x: Any) -> Any:
        """The result for one right side."""
        return x[..., 0] if self.is_vector else x


@frule.dispatch
def lstsq_frule(tangents, f: typeof_(lstsq), A: ArrayOperand, B: ArrayOperand, *options, **named):
    _, A_dot, B_dot, *_ = tangents
    solved = _solved(A, B, *options, **named)
    if isinstance(A_dot, AbstractZero) and isinstance(B_dot, AbstractZero):
        return solved.y, A_dot
    A_dot = np.zeros_like(primal_of(A)) if isinstance(A_dot, AbstractZero) else A_dot
    B_dot = B_dot if isinstance(B_dot, AbstractZero) else as_columns(B_dot)
    A_dot = _of_each_problem(A_dot, solved.y)
    X_dot, squares_dot = push_least_squares(*solved.columns, solved.inverse(), A_dot, B_dot)
    # SciPy 1.18 returns complex numbers, without imaginary parts, for complex operands.
    has_residuals = solved.has_residuals()
    squares_dot = (
        ProjectTo(solved.y[1])(solved.without_columns(squares_dot)) if has_residuals else ZeroTangent()
    )
    s_dot = NO_TANGENT
    if solved.has_values():
        s_dot = push_singular_values(np.linalg.svd(solved.columns[0], full_matrices=False), A_dot)
    return solved.y, tangent_of_results(
        solved.y, solved.without_columns(X_dot), squares_dot, NO_TANGENT, s_dot
    )


@rrule.dispatch
def lstsq_rrule(f: typeof_(lstsq), A: ArrayOperand, B: ArrayOperand, *options, **named):
    solved = _solved(A, B, *options, **named)

    def lstsq_pullback(y_bar):
        X_bar, squares_bar, _, s_bar = cotangents_of_results(solved.y, y_bar)
        A_bar, B_bar = ZeroTangent(), ZeroTangent()
        if not isinstance(X_bar, AbstractZero):
            X_bar = X_bar[..., None] if solved.is_vector else X_bar
            A_bar, B_bar = pull_least_squares(*solved.columns, solved.inverse(), X_bar)
        if solved.has_residuals() and not isinstance(squares_bar, AbstractZero):
            squares_bar = squares_bar[..., None] if solved.is_vector else squares_bar
            of_squares = pull_squared_residuals(*solved.columns, np.real(squares_bar))
            A_bar, B_bar = A_bar + of_squares[0], B_bar + of_squares[1]
        if solved.has_values() and not isinstance(s_bar, AbstractZero):
            A_bar = A_bar + pull_singular_values(np.linalg.svd(solved.columns[0], full_matrices=False), s_bar)
        bars = unbroadcast(A, A_bar), unbroadcast(B, solved.without_columns(B_bar))
        return NO_TANGENT, *bars, *(NO_TANGENT if option is None else ZeroTangent() for option in options)

    return solved.y, lstsq_pullback


def _solved(  # noqa: PLR0913, PLR0917 - SciPy's signature
    A, B, cond=None, overwrite_a=False, overwrite_b=False, check_finite=True, lapack_driver=None
) -> _Solved:
    """The problem and its solution; the arguments are never overwritten."""
    y = _lstsq(A, B, cond, check_finite=check_finite, lapack_driver=lapack_driver)
    is_vector = len(shape_of(B)) == 1
    A = _of_each_problem(A, y)
    return _Solved(y, is_vector, (A, as_columns(B), y[0][..., None] if is_vector else y[0]))


def _of_each_problem(A: Any, y: Any) -> Any:
    """The matrix of each problem of a stack, of which some may share a matrix."""
    shape = shape_of(y[2])
    return np.broadcast_to(A, (*shape, *shape_of(A)[-2:])) if len(shape) > len(shape_of(A)) - 2 else A
