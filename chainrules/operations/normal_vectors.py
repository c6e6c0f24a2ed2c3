"""The parts of the density of a normally distributed vector, as functions that have rules.

For points ``d`` from the mean, the density is ``-(r log 2π + log det M + dᵀ M⁻¹ d) / 2`` for a covariance
matrix ``M`` of rank ``r``. With ``W = M⁻¹ d``, the squares ``dᵀ W`` have the differential ``2 Wᵀ d_dot - Wᵀ
M_dot W``, and ``log det M`` has ``tr(M⁻¹ M_dot)``. K. B. Petersen and M. S. Pedersen, "The Matrix Cookbook",
2012, sections 2.1 and 2.2.

The matrix is decomposed once, from the values of its elements, for derivatives of every order. Where it is
singular, ``M⁻¹`` and ``det M`` belong to the subspace that it spans, and have no derivative by the matrix:
where another eigenvalue becomes positive, the density is another function.
"""

from typing import Any

import numpy as np

from chainrules.operations.linear_systems import LinearSystem, Reading, solution
from chainrules.values.operands import ArrayOperand
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    Thunk,
    frule,
    primal_of,
    primitive,
    rrule,
    sum_tangents,
    typeof_,
    unthunk,
)


class Covariance:
    """A covariance matrix that is decomposed: the factorization of systems with it, too.

    Attributes
    ----------
    factor
        ``U`` with ``U Uᵀ = M⁻¹``, or the pseudo-inverse of a singular matrix.
    log_det
        The logarithm of the product of the positive eigenvalues.
    rank
        How many of these there are.
    system
        What is constant in systems with the matrix.
    """

    __slots__ = ("factor", "log_det", "rank", "system")

    def __init__(self: Any, factor: Any, log_det: Any, rank: Any, reading: Reading) -> None:
        self.factor, self.log_det, self.rank = factor, log_det, rank
        self.system = LinearSystem(reading, self)

    def solve(self: Any, B: Any, by_adjoint: bool = False) -> Any:
        """``M⁻¹ B``: the matrix is its own adjoint."""
        return self.factor @ (self.factor.T @ B)

    def times_inverse(self: Any, M: Any, d: Any) -> Any:
        """``M⁻¹ d`` for the rows of `d`."""
        return solution(M, d.T, self.system).T

    def inverse(self: Any, M: Any) -> Any:
        """``M⁻¹``, by which ``log det M`` and the squares change with the matrix.

        Raises
        ------
        numpy.linalg.LinAlgError
            If the matrix is singular.
        """
        n = len(self.factor)
        if self.rank < n:
            raise np.linalg.LinAlgError(
                f"The covariance matrix has rank {self.rank} of {n}: the density on the subspace that it "
                "spans has no derivative by the matrix. Add a multiple of the identity, or differentiate by "
                "the mean and the points alone."
            )
        return solution(M, np.eye(n), self.system)


@primitive
def squares(d: Any, M: Any, covariance: Covariance) -> Any:
    """``dᵀ M⁻¹ d`` for the rows of `d`, of shape ``(k, n)``: an array of shape ``(k,)``."""
    return np.sum(np.square(d @ covariance.factor), axis=-1)


@frule.dispatch
def squares_frule(
    tangents: Any, f: typeof_(squares), d: ArrayOperand, M: ArrayOperand, covariance: Covariance
) -> tuple[Any, Any]:
    """By the points and by the matrix."""
    d_dot, M_dot = map(unthunk, tangents[1:3])
    y, W = squares(d, M, covariance), covariance.times_inverse(M, d)
    terms = []
    if not isinstance(d_dot, AbstractZero):
        terms.append(2.0 * np.sum(W * d_dot, axis=-1))
    if not isinstance(M_dot, AbstractZero):
        terms.append(-np.sum(W * covariance.system.reading.push(M, M_dot, W.T).T, axis=-1))
    return y, sum_tangents(y, terms or [NO_TANGENT])


@rrule.dispatch
def squares_rrule(
    f: typeof_(squares), d: ArrayOperand, M: ArrayOperand, covariance: Covariance
) -> tuple[Any, Any]:
    """The cotangents, in which the points are weighted."""
    y = squares(d, M, covariance)

    def squares_pullback(y_bar: Any) -> Any:
        W = covariance.times_inverse(M, d)
        weighted = unthunk(y_bar)[:, None] * W
        M_bar = Thunk(lambda: covariance.system.reading.pull(M, -weighted.T, W.T))
        return NO_TANGENT, 2.0 * weighted, M_bar, NO_TANGENT

    return y, squares_pullback


@primitive
def log_determinant(M: Any, covariance: Covariance) -> Any:
    """The logarithm of the product of the positive eigenvalues."""
    return covariance.log_det


@frule.dispatch
def log_determinant_frule(
    tangents: Any, f: typeof_(log_determinant), M: ArrayOperand, covariance: Covariance
) -> tuple[Any, Any]:
    """The trace of ``M⁻¹ M_dot``."""
    M_dot, y = unthunk(tangents[1]), log_determinant(M, covariance)
    if isinstance(M_dot, AbstractZero):
        return y, M_dot
    return y, np.trace(covariance.system.reading.push(M, M_dot, covariance.inverse(M)))


@rrule.dispatch
def log_determinant_rrule(
    f: typeof_(log_determinant), M: ArrayOperand, covariance: Covariance
) -> tuple[Any, Any]:
    """The inverse is the gradient."""

    def log_determinant_pullback(y_bar: Any) -> Any:
        def pull() -> Any:
            gradient = covariance.system.reading.pull(M, covariance.inverse(M), np.eye(len(primal_of(M))))
            return unthunk(y_bar) * gradient

        return NO_TANGENT, Thunk(pull), NO_TANGENT

    return log_determinant(M, covariance), log_determinant_pullback
