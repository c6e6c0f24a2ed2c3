"""Rules for the eigenvalues and eigenvectors of Hermitian matrices that are given by few of their diagonals.

They are those of the whole matrix: see `chainrules.formulas.spectra.eigenvectors` and
`chainrules.formulas.matrices.hermitian_bands`. The first component of complex eigenvectors is real. A vector
turns towards all others, which are computed for the derivative if they are not asked for.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import eig_banded, eigh_tridiagonal, eigvals_banded, eigvalsh_tridiagonal

from chainrules.formulas.matrices.hermitian import hermitian_from
from chainrules.formulas.matrices.hermitian_bands import bands_from_triangle, triangle_from_bands
from chainrules.formulas.spectra.eigenvectors import other_eigenvectors, pull_eigh, push_eigh
from chainrules.values.named_results import cotangents_of_results, results_like, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import tangent_as_array
from chainrules.values.stacks import adjoint
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ZeroTangent,
    frule,
    primal_of,
    primitive,
    rrule,
    typeof_,
    unbroadcast,
)

_eig_banded, _eigh_tridiagonal = primitive(eig_banded), primitive(eigh_tridiagonal)


class _AskedOfBands(NamedTuple):
    """The arguments of `scipy.linalg.eig_banded` after the array."""

    lower: bool = False
    eigvals_only: bool = False
    overwrite_a_band: bool = False
    select: Any = "a"
    select_range: Any = None
    max_ev: int = 0
    check_finite: bool = True

    def decomposed(self, ab: Any) -> Any:
        """The eigenvalues and eigenvectors."""
        return _eig_banded(ab, *self._replace(eigvals_only=False, overwrite_a_band=False))


class _AskedOfTridiagonal(NamedTuple):
    """The arguments of `scipy.linalg.eigh_tridiagonal` after the diagonals, which are joined in one array."""

    eigvals_only: bool = False
    select: Any = "a"
    select_range: Any = None
    check_finite: bool = True
    tol: float = 0.0
    lapack_driver: str = "auto"

    @property
    def lower(self) -> bool:
        """Which triangle the joined diagonals are."""
        return True

    def decomposed(self, ab: Any) -> Any:
        """The eigenvalues and eigenvectors."""
        # The drivers that compute no vectors are replaced.
        driver = "auto" if self.lapack_driver == "sterf" else self.lapack_driver
        options = self._replace(eigvals_only=False, lapack_driver=driver)
        return _eigh_tridiagonal(ab[..., 0, :], ab[..., 1, :-1], *options)


def _push(ab, ab_dot, asked):
    """The results that are asked for, and their tangents."""
    y = w, _ = asked.decomposed(ab)
    is_zero = isinstance(ab_dot, AbstractZero)
    if not is_zero:
        H_dot = hermitian_from(triangle_from_bands(ab_dot, asked.lower), asked.lower)
        parts, dots = push_eigh(y, H_dot, others=_others(ab, w, asked))
        y = results_like(y, *parts)
    if asked.eigvals_only:
        return y[0], ab_dot if is_zero else dots[0]
    return y, ab_dot if is_zero else tangent_of_results(y, *dots)


def _pulling(ab, asked):
    """The results that are asked for, and the function from their cotangents to that of the array."""
    y = w, _ = asked.decomposed(ab)

    def pull(y_bar):
        bars = (y_bar, ZeroTangent()) if asked.eigvals_only else cotangents_of_results(y, y_bar)
        A_bar = pull_eigh(y, bars, others=_others(ab, w, asked))
        if isinstance(A_bar, AbstractZero):
            return A_bar
        A_bar = A_bar if asked.lower else adjoint(A_bar)
        return bands_from_triangle(A_bar, shape_of(ab)[-2], asked.lower)

    return w if asked.eigvals_only else y, pull


def _others(ab, w, asked):
    """The eigenvalues and vectors that are not asked for; `None` if all are."""
    if asked.eigvals_only or shape_of(w)[-1] == shape_of(ab)[-1]:
        return None
    H = hermitian_from(triangle_from_bands(ab, asked.lower), asked.lower)
    is_by_index = asked.select in {2, "i", "index"}
    by_index, by_value = (asked.select_range, None) if is_by_index else (None, asked.select_range)
    return other_eigenvectors(H, shape_of(w)[-1], by_index, by_value)


def _rules_of_bands(primal, read):
    """Define the rules of a function of one array; `read` makes its options those of `eig_banded`."""

    @frule.dispatch
    def banded_frule(tangents: Any, f: typeof_(primal), ab: ArrayOperand, *options: Any, **named: Any):
        return _push(ab, tangents[1], read(*options, **named))

    @rrule.dispatch
    def banded_rrule(f: typeof_(primal), ab: ArrayOperand, *options: Any, **named: Any):
        y, pull = _pulling(ab, read(*options, **named))

        def banded_pullback(y_bar):
            return NO_TANGENT, unbroadcast(ab, pull(y_bar)), *(NO_TANGENT,) * len(options)

        return y, banded_pullback


def _rules_of_tridiagonal(primal, read):
    """Define the rules of a function of two diagonals; `read` makes its options `eigh_tridiagonal`'s."""

    @frule.dispatch
    def tridiagonal_frule(
        tangents: Any, f: typeof_(primal), d: ArrayOperand, e: ArrayOperand, *options: Any, **named: Any
    ):
        d_dot, e_dot = tangents[1:3]
        ab_dot = d_dot
        if not (isinstance(d_dot, AbstractZero) and isinstance(e_dot, AbstractZero)):
            ab_dot = _joined(tangent_as_array(d, d_dot), tangent_as_array(e, e_dot))
        return _push(_joined(d, e), ab_dot, read(*options, **named))

    @rrule.dispatch
    def tridiagonal_rrule(f: typeof_(primal), d: ArrayOperand, e: ArrayOperand, *options: Any, **named: Any):
        y, pull = _pulling(_joined(d, e), read(*options, **named))
        without_tangents = (NO_TANGENT,) * len(options)

        def tridiagonal_pullback(y_bar):
            ab_bar = pull(y_bar)
            if isinstance(ab_bar, AbstractZero):
                return NO_TANGENT, ab_bar, ab_bar, *without_tangents
            d_bar, e_bar = unbroadcast(d, ab_bar[..., 0, :]), unbroadcast(e, ab_bar[..., 1, :-1])
            return NO_TANGENT, d_bar, e_bar, *without_tangents

        return y, tridiagonal_pullback


def _joined(d, e):
    """Both diagonals in one array, as the lower triangle of a matrix; stacks broadcast."""
    batch = np.broadcast_shapes(shape_of(d)[:-1], shape_of(e)[:-1])
    d, e = (np.broadcast_to(x, (*batch, shape_of(x)[-1])) for x in (d, e))
    end = np.zeros_like(primal_of(d)[..., :1])
    return np.stack([d, np.concatenate([e, end], axis=-1)], axis=-2)


def _read_values_of_bands(
    lower=False, overwrite_a_band=False, select="a", select_range=None, check_finite=True
) -> _AskedOfBands:
    return _AskedOfBands(lower, True, False, select, select_range, 0, check_finite)


def _read_values_of_tridiagonal(*options: Any, **named: Any) -> _AskedOfTridiagonal:
    return _AskedOfTridiagonal(True, *options, **named)


_rules_of_bands(eig_banded, _AskedOfBands)
_rules_of_bands(eigvals_banded, _read_values_of_bands)
_rules_of_tridiagonal(eigh_tridiagonal, _AskedOfTridiagonal)
_rules_of_tridiagonal(eigvalsh_tridiagonal, _read_values_of_tridiagonal)
