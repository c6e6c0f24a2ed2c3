"""Rules for least squares fits of polynomials.

The coefficients are ``c = A⁺ b``, where ``A = w V`` has the weighted values of the basis at `x`, and ``b = w
y``. With the residual ``e = b - A c``, where the columns of `A` are linearly independent::

    c_dot = A⁺ (b_dot - A_dot c) + (AᴴA)⁻¹ A_dotᴴ e
    b_bar = A⁺ᴴ c_bar,  A_bar = e (A⁺ A⁺ᴴ c_bar)ᴴ - b_bar cᴴ

G. H. Golub and V. Pereyra, "The differentiation of pseudo-inverses and nonlinear least squares problems
whose variables separate", 1973. Where the columns are dependent, NumPy's choice among the solutions depends
on a scaling of its own: then `y` alone has a derivative here.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from chainrules.operations.scatter import scatter
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import adjoint, conjugate
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    ZeroTangent,
    define,
    frule,
    not_implemented,
    primal_of,
    primitive,
    rrule,
    rule_maker,
    typeof_,
)

DEPENDENT = (
    "the points do not determine a polynomial of this degree, and which of the best ones NumPy gives is no"
    " smooth function of them; use more points or a lower degree"
)

_WEIGHTS = 3  # the place of `w` after `y`


class Fit(NamedTuple):
    """The arguments of a fit after `x` and `y`."""

    deg: Any
    rcond: Any = None
    full: Any = False
    w: Any = None
    cov: Any = False

    def refuse_statistics(self, name: str) -> "Fit":
        """Raise if results besides the coefficients are asked for."""
        if self.full or self.cov:
            raise TypeError(
                f"{name}(..., full=True) and (..., cov=True) cannot be differentiated: there are no rules "
                "for the results besides the coefficients. Leave the options out, and compute them yourself."
            )
        return self

    def terms(self) -> Any:
        """The powers that are fitted."""
        deg = np.asarray(self.deg)
        return np.sort(deg) if deg.ndim else np.arange(int(deg) + 1)


@rule_maker
def define_fit(primal: Callable[..., Any], vander: Callable[..., Any], descending: bool) -> None:
    """Define the rules of a least squares fit.

    Parameters
    ----------
    primal
        ``c = primal(x, y, deg, rcond, full, w)``.
    vander
        The values of the basis at points; it has rules. Like `np.vander` it takes the number of functions if
        the highest power comes first, else the highest degree.
    descending
        Whether the highest power comes first.
    """
    fit = primitive(primal)
    name = f"{primal.__module__}.{primal.__name__}".replace("numpy", "np", 1)

    def read(options: tuple[Any, ...], named: dict[str, Any]) -> tuple[Fit, int, int, Any]:
        """The arguments, the number of functions, the argument for it, and the functions that are fitted."""
        asked = Fit(*options, **named).refuse_statistics(name)
        terms = asked.terms()
        number = int(terms[-1]) + 1
        if descending:
            return asked, number, number, number - 1 - terms[::-1]
        return asked, number, number - 1, terms

    def fit_frule(
        tangents: Any, f: typeof_(primal), x: ArrayOperand, y: ArrayOperand, *options: Any, **named: Any
    ) -> tuple[Any, Any]:
        _, x_dot, y_dot, *option_dots = tangents
        whole = fit(x, y, *options, **named)
        asked, _, size, kept = read(options, named)
        w_dot = option_dots[_WEIGHTS] if len(option_dots) > _WEIGHTS else ZeroTangent()
        V, V_dot = frule((NO_TANGENT, x_dot, NO_TANGENT), vander, x, size)
        V_dot = V_dot if isinstance(V_dot, AbstractZero) else V_dot[:, kept]
        c, V = whole[kept], V[:, kept]
        pinv, e, is_independent = _solved_fit(V, y, c, asked)
        A_dot = _weighted(asked.w, V_dot) + _weighted(w_dot, V)
        b_dot = _weighted(asked.w, y_dot) + _weighted(w_dot, y)
        if isinstance(A_dot, AbstractZero):
            c_dot = b_dot if isinstance(b_dot, AbstractZero) else pinv @ b_dot
        elif is_independent:
            c_dot = pinv @ (b_dot - A_dot @ c) + pinv @ (adjoint(pinv) @ (adjoint(A_dot) @ e))
        else:
            return whole, not_implemented(DEPENDENT)
        return whole, c_dot if isinstance(c_dot, AbstractZero) else scatter(c_dot, whole, kept)

    def fit_rrule(
        f: typeof_(primal), x: ArrayOperand, y: ArrayOperand, *options: Any, **named: Any
    ) -> tuple[Any, Any]:
        whole = fit(x, y, *options, **named)
        asked, number, size, kept = read(options, named)
        w = asked.w

        def fit_pullback(whole_bar: Any) -> Any:
            c_bar, c = whole_bar[kept], whole[kept]
            V, pull_vander = rrule(vander, x, size)
            V = V[:, kept]
            pinv, e, is_independent = _solved_fit(V, y, c, asked)
            b_bar = adjoint(pinv) @ c_bar
            x_bar: Any = not_implemented(DEPENDENT)
            w_bar: Any = x_bar
            if is_independent:
                A_bar = _outer(e, pinv @ b_bar) - _outer(b_bar, c)
                V_bar = np.transpose(_weighted(_conjugated(w), A_bar))
                V_bar = np.transpose(scatter(V_bar, np.empty((number, len(x))), kept))
                x_bar = ProjectTo(x)(pull_vander(V_bar)[1])
                w_bar = ZeroTangent() if w is None else _weights_bar(w, V, y, A_bar, b_bar)
            y_bar = ProjectTo(y)(_weighted(_conjugated(w), b_bar))
            bars = [NO_TANGENT, NO_TANGENT, NO_TANGENT, w_bar, NO_TANGENT]
            return NO_TANGENT, x_bar, y_bar, *bars[: len(options)]

        return whole, fit_pullback

    define(fit_frule, fit_rrule)


def _solved_fit(V: Any, y: Any, c: Any, asked: Fit) -> tuple[Any, Any, bool]:
    """The pseudo-inverse, the residual, and whether the columns are independent."""
    A = _weighted(asked.w, V)
    norms = np.sqrt(np.sum(np.abs(primal_of(A)) ** 2, axis=0))
    scale = np.where(norms == 0, 1, norms)  # as NumPy scales the columns before it solves
    rcond = np.finfo(norms.dtype).eps * shape_of(A)[0] if asked.rcond is None else asked.rcond
    pinv = np.linalg.pinv(A / scale, rcond) / np.expand_dims(scale, 1)
    rank = np.sum(np.real(primal_of(pinv) * primal_of(A).T))  # the trace of a projection
    return pinv, _weighted(asked.w, y) - A @ c, bool(np.round(rank) == len(scale))


def _conjugated(w: Any) -> Any:
    return None if w is None else np.conjugate(w)


def _weighted(w: Any, rows: Any) -> Any:
    if w is None or isinstance(rows, AbstractZero):
        return rows
    if isinstance(w, AbstractZero):
        return w
    return w * rows if len(shape_of(rows)) == 1 else np.expand_dims(w, 1) * rows


def _outer(u: Any, v: Any) -> Any:
    """``u vᴴ``, for vectors and for matrices of columns."""
    return np.expand_dims(u, 1) * conjugate(v) if len(shape_of(u)) == 1 else u @ adjoint(v)


def _weights_bar(w: Any, V: Any, y: Any, A_bar: Any, b_bar: Any) -> Any:
    by_right = conjugate(y) * b_bar
    by_right = by_right if len(shape_of(y)) == 1 else np.sum(by_right, axis=1)
    return ProjectTo(w)(np.sum(conjugate(V) * A_bar, axis=1) + by_right)
