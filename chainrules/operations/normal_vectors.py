"""The density of a normally distributed vector, as a function that has rules.

For a point `d` from the mean, ``log f = -(r log 2π + log det M + dᵀ M⁻¹ d) / 2``, where ``r`` is the rank of
the covariance matrix ``M``. With ``w = M⁻¹ d`` it has the differential ``-wᵀ d_dot + (wᵀ M_dot w - tr(M⁻¹
M_dot)) / 2``. K. B. Petersen and M. S. Pedersen, "The Matrix Cookbook", 2012, sections 2.1 and 2.2.

The matrix is decomposed once, from the values of its elements, for derivatives of every order. Where it is
singular, ``M⁻¹`` and ``det M`` belong to the subspace that it spans, and have no derivative by the matrix:
where another eigenvalue becomes positive, the density is another function.
"""

from math import log, pi
from typing import Any

import numpy as np

from chainrules.operations.linear_systems import LinearSystem, Reading, solution
from chainrules.values.operands import ArrayOperand
from chainrules_core import NO_TANGENT, AbstractZero, Thunk, frule, primitive, rrule, sum_tangents, typeof_

LOG_2PI = log(2 * pi)


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

    def pull(self: Any, M: Any, M_bar: Any) -> Any:
        """The cotangent of the array that the matrix is read from."""
        return self.system.reading.pull(M, M_bar, np.eye(len(self.factor)))

    def inverse(self: Any, M: Any) -> Any:
        """``M⁻¹``, by which the density changes with the matrix.

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
def log_density(d: Any, M: Any, covariance: Covariance) -> Any:
    """The logarithm of the density at the rows of `d`, of shape ``(k, n)``: an array of shape ``(k,)``."""
    squares = np.sum(np.square(d @ covariance.factor), axis=-1)
    return -0.5 * (covariance.rank * LOG_2PI + covariance.log_det + squares)


@frule.dispatch
def log_density_frule(
    tangents: Any, f: typeof_(log_density), d: ArrayOperand, M: ArrayOperand, covariance: Covariance
) -> tuple[Any, Any]:
    """By the points and by the matrix."""
    d_dot, M_dot = tangents[1:3]
    y, W = log_density(d, M, covariance), covariance.times_inverse(M, d)
    terms = []
    if not isinstance(d_dot, AbstractZero):
        terms.append(-np.sum(W * d_dot, axis=-1))
    if not isinstance(M_dot, AbstractZero):
        push = covariance.system.reading.push
        trace = np.trace(push(M, M_dot, covariance.inverse(M)))
        terms.append(0.5 * (np.sum(W * push(M, M_dot, W.T).T, axis=-1) - trace))
    return y, sum_tangents(y, terms or [NO_TANGENT])


@rrule.dispatch
def log_density_rrule(
    f: typeof_(log_density), d: ArrayOperand, M: ArrayOperand, covariance: Covariance
) -> tuple[Any, Any]:
    """To the points and to the matrix, in which the points are weighted."""
    y = log_density(d, M, covariance)

    def log_density_pullback(y_bar: Any) -> Any:
        W = covariance.times_inverse(M, d)
        weighted = y_bar[:, None] * W

        def pull_matrix() -> Any:
            change = weighted.T @ W - np.sum(y_bar) * covariance.inverse(M)
            return covariance.pull(M, 0.5 * change)

        return NO_TANGENT, -weighted, Thunk(pull_matrix), NO_TANGENT

    return y, log_density_pullback


@primitive
def log_determinant(M: Any, covariance: Covariance) -> Any:
    """The logarithm of the product of the positive eigenvalues."""
    return covariance.log_det


@frule.dispatch
def log_determinant_frule(
    tangents: Any, f: typeof_(log_determinant), M: ArrayOperand, covariance: Covariance
) -> tuple[Any, Any]:
    """The trace of ``M⁻¹ M_dot``."""
    M_dot, y = tangents[1], log_determinant(M, covariance)
    return y, np.trace(covariance.system.reading.push(M, M_dot, covariance.inverse(M)))


@rrule.dispatch
def log_determinant_rrule(
    f: typeof_(log_determinant), M: ArrayOperand, covariance: Covariance
) -> tuple[Any, Any]:
    """The inverse is the gradient."""

    def log_determinant_pullback(y_bar: Any) -> Any:
        def pull() -> Any:
            return covariance.pull(M, y_bar * covariance.inverse(M))

        return NO_TANGENT, Thunk(pull), NO_TANGENT

    return log_determinant(M, covariance), log_determinant_pullback
