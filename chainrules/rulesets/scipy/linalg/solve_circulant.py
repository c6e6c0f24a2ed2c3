"""Rules for linear systems with circulant matrices, which a Fourier transform makes diagonal.

With hats for transforms, ``x̂ = b̂ / ĉ``: so ``x̂_dot = (b̂_dot - ĉ_dot x̂) / ĉ``, and ``b_bar`` is the
inverse transform of the transform of ``x_bar`` over ``conj(ĉ)``, ``c_bar`` that of the same times
``-conj(x̂)``. Where a singular matrix is solved in the sense of least squares, its rank is a constant, as in
`chainrules.formulas.equations.pseudo_inverses`.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import solve_circulant

from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import conjugate
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

_solve = primitive(solve_circulant)


class _Solved(NamedTuple):
    """A solution, and what its derivatives are made of.

    Attributes
    ----------
    x
        The solution.
    axes
        The axes of `c`, `b` and `x` that are transformed.
    reciprocal
        The reciprocals of the eigenvalues, and zeros for eigenvalues that are taken for zero.
    transform
        The transform of the solution.
    """

    x: Any
    axes: tuple[int, int, int]
    reciprocal: Any
    transform: Any


@frule.dispatch
def solve_circulant_frule(
    tangents, f: typeof_(solve_circulant), c: ArrayOperand, b: ArrayOperand, *options, **named
):
    _, c_dot, b_dot, *_ = tangents
    solved = _solved(c, b, *options, **named)
    caxis, baxis, outaxis = solved.axes
    right = b_dot if isinstance(b_dot, AbstractZero) else _transform(b_dot, baxis)
    if not isinstance(c_dot, AbstractZero):
        right = right - _transform(c_dot, caxis) * solved.transform
    if isinstance(right, AbstractZero):
        return solved.x, right
    x_dot = np.moveaxis(np.fft.ifft(right * solved.reciprocal), -1, outaxis)
    return solved.x, ProjectTo(solved.x)(x_dot)


@rrule.dispatch
def solve_circulant_rrule(f: typeof_(solve_circulant), c: ArrayOperand, b: ArrayOperand, *options, **named):
    solved = _solved(c, b, *options, **named)

    def solve_circulant_pullback(x_bar):
        if isinstance(x_bar, AbstractZero):
            bars = x_bar, x_bar
        else:
            caxis, baxis, outaxis = solved.axes
            right = _transform(x_bar, outaxis) * conjugate(solved.reciprocal)
            c_last_bar = np.fft.ifft(-right * conjugate(solved.transform))
            bars = _moved_back(c, c_last_bar, caxis), _moved_back(b, np.fft.ifft(right), baxis)
        return NO_TANGENT, *bars, *map(_constant_in, options)

    return solved.x, solve_circulant_pullback


def _solved(c, b, singular="raise", tol=None, caxis=-1, baxis=0, outaxis=0) -> _Solved:  # noqa: PLR0913, PLR0917 - SciPy's signature
    x = _solve(c, b, singular, tol, caxis, baxis, outaxis)
    eigenvalues = _transform(c, caxis)
    sizes = np.abs(primal_of(eigenvalues))
    if tol is None:  # as SciPy
        tol = sizes.max(axis=-1, initial=0, keepdims=True) * sizes.shape[-1] * np.finfo(np.float64).eps
    is_zero = sizes <= tol
    reciprocal = np.where(is_zero, 0, 1 / np.where(is_zero, 1, eigenvalues))
    return _Solved(x, (caxis, baxis, outaxis), reciprocal, _transform(b, baxis) * reciprocal)


def _transform(x: Any, axis: int) -> Any:
    """The transform along an axis, which becomes the last."""
    return np.fft.fft(np.moveaxis(x, axis, -1))


def _moved_back(x: Any, last_bar: Any, axis: int) -> Any:
    """The cotangent of `x` for that of ``np.moveaxis(x, axis, -1)``, which was broadcast."""
    return ProjectTo(x)(np.moveaxis(unbroadcast(np.moveaxis(x, axis, -1), last_bar), -1, axis))


def _constant_in(option: Any) -> Any:
    return ZeroTangent() if isinstance(option, float) else NO_TANGENT
