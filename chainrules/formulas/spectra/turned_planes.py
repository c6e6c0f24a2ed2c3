"""The derivatives of the cosine-sine decomposition of a unitary matrix in four blocks, ``X = U D Vᴴ``.

``U`` and ``V`` are block diagonal, and ``D`` turns planes by angles ``φ``: ``D[1i, 1i] = D[2i, 2i] = cos
φ[i]`` and ``D[2i, 1i] = -D[1i, 2i] = sin φ[i]``, where ``1i`` and ``2i`` are a row, or a column, of the first
and of the second block. Its ones belong to planes of which a row and a column are missing, with the angle 0
or π/2.

With skew-Hermitian ``Y`` and ``Z`` of two blocks, ``U_dot = U Y`` and ``V_dot = V Z``, so that

    E = Uᴴ X_dot V Dᴴ = Y + D_dot Dᴴ - D Z Dᴴ

Let ``M[i, j] = E[1i, 2j]``, zero where one is missing, and ``g[i, j] = Z[1i, 1j]``, ``d[i, j] = Z[2i, 2j]``:

    φ_dot = -Re diag(M)
    g + d = -(M + Mᴴ) / sin(φ[j] - φ[i]),   g - d = -(M - Mᴴ) / sin(φ[j] + φ[i])
    Y[1i, 1j] = E[1i, 1j] + cos φ[i] g[i, j] cos φ[j] + sin φ[i] d[i, j] sin φ[j]

and so for ``Y[2i, 2j]``. X stays unitary if ``E`` is skew-Hermitian: of other tangents that part is taken,
and cotangents have no other.

Equal angles are treated as equal singular values are, see `chainrules.formulas.spectra.spectral_gaps`. An
angle alone has a kink at 0 and at π/2, where zero is taken for its derivative. Complex vectors keep LAPACK's
phase: the first row of ``U`` or ``V`` in a block of as many columns as there are angles is real. The vectors
of ones are an arbitrary basis if there are several, or if they are complex. Functions that feel its choice
have no derivative.
"""

from typing import Any, NamedTuple

import numpy as np

from chainrules.formulas.spectra.phases import is_row, phase_component, phase_cotangent, phase_rate
from chainrules.formulas.spectra.spectral_gaps import is_negligible, is_rounding_error, quotient_except
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import (
    adjoint,
    as_rows,
    diagonal_matrix,
    diagonal_of,
    is_complex_array,
    times_diagonal,
    with_last_axis,
)
from chainrules_core import AbstractZero, primal_of

_CHOICE = (
    "scipy.linalg.cossin(X, p, q) has no derivative by vectors of U and V that belong to ones of the middle "
    "factor where these are several, or the vectors complex: they are an arbitrary choice. "
)


class TurnedPlanes(NamedTuple):
    """A decomposition, with the planes that its middle factor turns.

    There are five kinds of planes, in this order: the angle is 0, and there is only the first row; both rows
    are there; the angle is a right one, and only the first row is there, or only the second; the angle is 0,
    and only the second row is there. `sizes` has their numbers, `sign` is that of right angles.
    """

    U: Any
    D: Any
    V: Any
    p: int
    q: int
    sign: float
    sizes: tuple[int, ...]

    @classmethod
    def of(cls, y: tuple[Any, Any, Any], p: int, q: int, sign: float) -> "TurnedPlanes":
        """The planes of ``U``, ``D`` and ``Vᴴ``, whose first block has `p` rows and `q` columns."""
        U, D, V_adjoint = y
        m = shape_of(D)[-1]
        corners = min(p, q), min(p, m - q), min(m - p, q), min(m - p, m - q)
        one, up, down, other = (n - min(corners) for n in corners)
        return cls(U, D, adjoint(V_adjoint), p, q, sign, (one, min(corners), up, down, other))

    @property
    def is_turned(self) -> Any:
        """Which planes have both rows, and an angle that is a result."""
        return np.repeat([False, True, False, False, False], self.sizes)

    def push(self, X_dot: Any) -> tuple[Any, Any, Any]:
        """The tangents of the angles of all planes, of ``U`` and of ``V``.

        Raises
        ------
        ValueError
            If some vectors are an arbitrary choice.
        """
        if np.any(self._is_free):
            raise ValueError(_CHOICE + "Ask for angles alone, `compute_u=False, compute_vh=False`.")
        U, V, p = self.U, self.V, self.p
        rows1, rows2, columns1, columns2 = self._orders
        row1, row2, _, _ = self._places
        E = _skew(adjoint(U) @ X_dot @ V @ adjoint(self.D))
        M = _taken(E, row1, row2)
        falling, rising = self._divisors
        total, rest = _quotient(-M - adjoint(M), falling), _quotient(adjoint(M) - M, rising)
        g, d = 0.5 * (total + rest), 0.5 * (total - rest)
        c, s = self._cosines, self._sines
        Y1, Y2 = _weighted(g, c) + _weighted(d, s), _weighted(g, s) + _weighted(d, c)
        Y1, Y2 = E[..., :p, :p] + _in_order(Y1, rows1), E[..., p:, p:] + _in_order(Y2, rows2)
        U_dot = U @ _block_diagonal(Y1, Y2)
        V_dot = V @ _block_diagonal(_in_order(g, columns1), _in_order(d, columns2))
        if is_complex_array(U):
            on_right, is_real, place = self._real_row
            rates = phase_rate(*((V, V_dot) if on_right else (U, U_dot)), is_real)
            rate = np.where(self.is_turned, _at(rates, place), 0)
            U_dot = U_dot + times_diagonal(U, 1j * rate[..., np.concatenate([rows1, rows2])])
            V_dot = V_dot + times_diagonal(V, 1j * rate[..., np.concatenate([columns1, columns2])])
        return self._rates_of_angles(M), U_dot, V_dot

    def push_angles(self, X_dot: Any) -> Any:
        """The tangent of the angles of all planes, alone."""
        row1, row2, _, _ = self._places
        E = _skew(adjoint(self.U) @ X_dot @ self.V @ adjoint(self.D))
        return np.where(self._is_at_kink, 0, self._rates_of_angles(_taken(E, row1, row2)))

    def push_middle(self, angle_dot: Any) -> Any:
        """The tangent of the middle factor."""
        rows1, rows2, _, _ = self._orders
        turn = diagonal_matrix(angle_dot)
        upper, lower = turn[..., rows1[:, np.newaxis], rows2], turn[..., rows2[:, np.newaxis], rows1]
        p = self.p
        return np.concatenate([-upper @ self.D[..., p:, :], lower @ self.D[..., :p, :]], axis=-2)

    def of_all(self, angle_bar: Any) -> Any:
        """The cotangent of the angles of all planes, for that of the turned ones."""
        before, r = self.sizes[:2]
        return _at(angle_bar, np.where(self.is_turned, np.arange(sum(self.sizes)) - before, r))

    def pull_middle(self, D_bar: Any) -> Any:
        """The cotangent of the angles of all planes, for that of the middle factor."""
        turn_bar = np.real(D_bar) @ np.swapaxes(self.D, -1, -2)
        row1, row2, _, _ = self._places
        return diagonal_of(_taken(turn_bar, row2, row1) - _taken(turn_bar, row1, row2))

    def pull(self, U_bar: Any, angle_bar: Any, V_bar: Any) -> Any:
        """The cotangent of the matrix, for those of ``U``, of the angles of all planes, and of ``V``.

        Raises
        ------
        ValueError
            If the cotangents feel how vectors are chosen.
        """
        U, V = self.U, self.V
        rows1, rows2, _, _ = self._orders
        has_angles = not isinstance(angle_bar, AbstractZero)
        diagonal_bar = diagonal_matrix(np.where(self.is_turned, angle_bar, 0)) if has_angles else 0.0
        if isinstance(U_bar, AbstractZero) and isinstance(V_bar, AbstractZero):
            M_bar = -np.where(as_rows(self._is_at_kink), 0, diagonal_bar)
            blocks = np.zeros_like(primal_of(U))
        else:
            U_bar, V_bar = (
                np.zeros_like(primal_of(x)) if isinstance(bar, AbstractZero) else bar
                for x, bar in ((U, U_bar), (V, V_bar))
            )
            blocks, turns_bar = self._pull_turns(U_bar, V_bar, has_angles)
            M_bar = -turns_bar - diagonal_bar
        p = self.p
        upper_right = M_bar[..., rows1[:, np.newaxis], rows2]
        E_bar = _block_diagonal(blocks[..., :p, :p], blocks[..., p:, p:], upper_right)
        return U @ _skew(E_bar) @ self.D @ adjoint(V)

    def _pull_turns(self, U_bar: Any, V_bar: Any, has_angles: bool) -> tuple[Any, Any]:
        """The cotangents of ``E``, as a part of the turn of ``U``, and of ``-M``, as the cause of turns."""
        U, V = self.U, self.V
        row1, row2, column1, column2 = self._places
        if is_complex_array(U):
            on_right, is_real, _ = self._real_row
            felt = _at(phase_component(U, U_bar), row1) + _at(phase_component(U, U_bar), row2)
            felt = felt + _at(phase_component(V, V_bar), column1) + _at(phase_component(V, V_bar), column2)
            felt = np.where(self.is_turned, felt, 0)
            rate_bar = felt[..., np.concatenate(self._orders[2:] if on_right else self._orders[:2])]
            if on_right:
                V_bar = V_bar + phase_cotangent(V, rate_bar, is_real)
            else:
                U_bar = U_bar + phase_cotangent(U, rate_bar, is_real)
        Y_bar, Z_bar = _skew(adjoint(U) @ U_bar), _skew(adjoint(V) @ V_bar)
        Y1, Y2, c, s = _taken(Y_bar, row1, row1), _taken(Y_bar, row2, row2), self._cosines, self._sines
        g_bar = _weighted(Y1, c) + _weighted(Y2, s) + _taken(Z_bar, column1, column1)
        d_bar = _weighted(Y1, s) + _weighted(Y2, c) + _taken(Z_bar, column2, column2)
        turns_bar: Any = 0.0
        for K, divisor in zip((g_bar + d_bar, g_bar - d_bar), self._divisors, strict=True):
            is_unfelt = is_rounding_error(primal_of(K), U_bar, V_bar)
            if not np.all(is_unfelt | ~self._is_free):
                raise ValueError(_CHOICE + "A function of them has one if it is the same for every choice.")
            instead = np.nan if has_angles else np.where(is_unfelt, 0, np.nan)
            turns_bar = turns_bar + _quotient(K, divisor, instead)
        return Y_bar, turns_bar

    @property
    def _is_free(self) -> Any:
        """The pairs of planes whose vectors are an arbitrary basis: of one kind, without an angle."""
        kinds = np.repeat(np.arange(len(self.sizes)), self.sizes)
        is_free = (kinds == kinds[:, np.newaxis]) & ~self.is_turned
        return is_free if is_complex_array(self.U) else is_free & ~np.eye(len(kinds), dtype=bool)

    @property
    def _orders(self) -> tuple[Any, Any, Any, Any]:
        """The planes of the rows of both blocks, and of the columns of both, as they stand there."""
        one, turned, up, down, other = np.split(np.arange(sum(self.sizes)), np.cumsum(self.sizes)[:-1])
        rows = np.concatenate([one, turned, up]), np.concatenate([other, turned, down])
        return *rows, np.concatenate([one, turned, down]), np.concatenate([other, turned, up])

    @property
    def _places(self) -> list[Any]:
        """The rows of each plane, and its columns; past the end if one is missing."""
        places = []
        for order, start in zip(self._orders, (0, self.p, 0, self.q), strict=True):
            place = np.full(sum(self.sizes), shape_of(self.D)[-1])
            place[order] = start + np.arange(len(order))
            places.append(place)
        return places

    @property
    def _cosines(self) -> Any:
        _, row2, _, column2 = self._places
        still = np.repeat([1.0, 0.0, 0.0, 0.0, 1.0], self.sizes).astype(primal_of(self.D).dtype)
        return np.where(self.is_turned, diagonal_of(_taken(self.D, row2, column2)), still)

    @property
    def _sines(self) -> Any:
        _, row2, column1, _ = self._places
        still = self.sign * np.repeat([0.0, 0.0, 1.0, 1.0, 0.0], self.sizes).astype(primal_of(self.D).dtype)
        return np.where(self.is_turned, diagonal_of(_taken(self.D, row2, column1)), still)

    @property
    def _divisors(self) -> tuple[Any, Any]:
        """``sin(φ[j] - φ[i])`` and ``sin(φ[j] + φ[i])``; infinite where nothing turns."""
        angles = np.arctan2(self._sines, self._cosines)
        is_own = np.eye(sum(self.sizes), dtype=bool)
        has_phase = is_complex_array(self.U)
        one, other = with_last_axis(angles), as_rows(angles)
        return (
            np.where(is_own | self._is_free, np.inf, np.sin(other - one)),
            np.where(is_own & (not has_phase) | self._is_free, np.inf, np.sin(other + one)),
        )

    @property
    def _is_at_kink(self) -> Any:
        """Which angles are zero or right."""
        return _is_negligible(as_rows(self._sines * self._cosines))[..., 0, :]

    @property
    def _real_row(self) -> tuple[bool, Any, Any]:
        """What LAPACK keeps real: whether of ``V``, which elements, and the column of each plane."""
        r, p, q, m = self.sizes[1], self.p, self.q, shape_of(self.D)[-1]
        row1, row2, column1, column2 = self._places
        if r in {q, m - q}:
            return True, is_row(self.V, 0 if r == q else q), column1 if r == q else column2
        return False, is_row(self.U, 0 if r == p else p), row1 if r == p else row2

    def _rates_of_angles(self, M: Any) -> Any:
        return np.where(self.is_turned, -np.real(diagonal_of(M)), 0)


def _skew(A: Any) -> Any:
    """The skew-Hermitian part."""
    return 0.5 * (A - adjoint(A))


def _weighted(A: Any, weights: Any) -> Any:
    return with_last_axis(weights) * A * as_rows(weights)


def _in_order(A: Any, planes: Any) -> Any:
    return A[..., planes[:, np.newaxis], planes]


def _taken(A: Any, rows: Any, columns: Any) -> Any:
    """Rows and columns of matrices, and zeros past the end."""
    last = shape_of(A)[-1] - 1
    is_there = (rows <= last)[:, np.newaxis] & (columns <= last)
    return np.where(is_there, A[..., np.minimum(rows, last)[:, np.newaxis], np.minimum(columns, last)], 0)


def _at(x: Any, places: Any) -> Any:
    """Elements along the last axis, and zeros past the end."""
    last = shape_of(x)[-1] - 1
    return np.where(places <= last, x[..., np.minimum(places, last)], 0)


def _block_diagonal(first: Any, second: Any, upper_right: Any = None) -> Any:
    """A matrix of two square blocks, and zeros below the diagonal."""
    below = np.zeros_like(primal_of(second), shape=(*shape_of(second)[:-1], shape_of(first)[-1]))
    beside = np.swapaxes(below, -1, -2) if upper_right is None else upper_right
    rows = np.concatenate([first, beside], axis=-1), np.concatenate([below, second], axis=-1)
    return np.concatenate(rows, axis=-2)


def _quotient(K: Any, divisor: Any, instead: Any = np.nan) -> Any:
    return quotient_except(_is_negligible(divisor), K, divisor, instead)


def _is_negligible(x: Any) -> Any:
    """Which sines are rounding errors."""
    x = primal_of(x)
    return is_negligible(x, np.ones_like(x[..., 0, :]))
