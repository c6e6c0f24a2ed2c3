"""Rules for NumPy's older polynomials, whose coefficients begin with the highest power.

Their coefficients are those of `numpy.polynomial.polynomial` in the opposite order, with one difference: only
products and remainders drop coefficients that are zero. The equations are in the modules of
`chainrules.makers.series`. The equation of the characteristic polynomial of a matrix,
``p[k]_dot = -tr(M_k A_dot)`` with ``M_1 = I`` and ``M_{k+1} = A M_k + p[k] I``, is from the algorithm of
Faddeev and Le Verrier: F. R. Gantmacher, "The theory of matrices", 1959, chapter IV, section 5.
"""

from typing import Any

import numpy as np

from chainrules.formulas.arrays.lengths import with_length
from chainrules.formulas.arrays.places import places_that_count, size_of
from chainrules.makers.linear_rules import linear_rule
from chainrules.makers.series.arithmetic import quotient_cotangents
from chainrules.makers.series.fitting import define_fit
from chainrules.makers.series.roots import without_each
from chainrules.values.operands import ArrayOperand, Operand
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import tangent_as_array
from chainrules.values.stacks import adjoint, conjugate, trace_of_product
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    Tangent,
    ZeroTangent,
    contains_nan,
    frule,
    not_implemented,
    primal_of,
    primitive,
    pull_partial,
    rrule,
    strong_product,
    sum_tangents,
    thunk,
    typeof_,
    unthunk,
)

TRIMMED = (
    "NumPy drops the first coefficients of a polynomial where they are zero, and with them their part in"
    " the derivative of the result; differentiate where the first coefficient is not zero, or with fewer "
    "coefficients"
)

# --- Values ----------------------------------------------------------------------------------------


@frule.dispatch
def polyval_frule(tangents: Any, f: typeof_(np.polyval), p: ArrayOperand, x: Operand):
    _check_one_polynomial(p)
    p_dot, x_dot = tangents[1:]
    y = np.polyval(p, x)
    terms = [] if isinstance(p_dot, AbstractZero) else [np.polyval(p_dot, x)]
    if not isinstance(x_dot, AbstractZero):
        terms.append(strong_product(np.polyval(np.polyder(p), x), x_dot))
    return y, ProjectTo(y)(sum_tangents(y, terms)) if terms else ZeroTangent()


@rrule.dispatch
def polyval_rrule(f: typeof_(np.polyval), p: ArrayOperand, x: Operand):
    _check_one_polynomial(p)

    def polyval_pullback(y_bar):
        y_bar = np.reshape(y_bar, (-1,))
        points, n = np.reshape(x, (-1,)), shape_of(p)[0]
        p_bar = y_bar @ conjugate(np.vander(points, n))
        if contains_nan(p_bar):
            p_bar = y_bar @ conjugate(np.vander(places_that_count(points, y_bar), n))
        x_bar = thunk(lambda: pull_partial(x, np.polyval(np.polyder(p), x), np.reshape(y_bar, shape_of(x))))
        return NO_TANGENT, ProjectTo(p)(p_bar), x_bar

    return np.polyval(p, x), polyval_pullback


def _check_one_polynomial(p: Any) -> None:
    if len(shape_of(p)) != 1:
        raise TypeError("np.polyval of several polynomials has no rule; use np.polynomial.polynomial.polyval")


# --- Fits ------------------------------------------------------------------------------------------

define_fit(np.polyfit, np.vander, True)

# --- Sums and products -----------------------------------------------------------------------------


def _with_coefficients(p: Any, n: int) -> Any:
    """A polynomial with `n` coefficients; the first ones may be zero, or be left out."""
    return with_length(p[::-1], n)[::-1]


def _sum_rules(primal: Any, sign: int) -> None:
    @frule.dispatch
    def sum_frule(tangents: Any, f: typeof_(primal), p: Operand, q: Operand):
        y = primal(p, q)
        p_dot, q_dot = (
            dot if isinstance(dot, AbstractZero) else _with_coefficients(np.reshape(dot, -1), shape_of(y)[0])
            for dot in tangents[1:]
        )
        return y, p_dot + sign * q_dot

    @rrule.dispatch
    def sum_rrule(f: typeof_(primal), p: Operand, q: Operand):
        def bar_of(p, y_bar):
            return ProjectTo(p)(np.reshape(_with_coefficients(y_bar, size_of(shape_of(p))), shape_of(p)))

        def sum_pullback(y_bar):
            return NO_TANGENT, bar_of(p, y_bar), bar_of(q, sign * y_bar)

        return primal(p, q), sum_pullback


_sum_rules(np.polyadd, 1)
_sum_rules(np.polysub, -1)


@frule.dispatch
def polymul_frule(tangents: Any, f: typeof_(np.polymul), p: ArrayOperand, q: ArrayOperand):
    p_dot, q_dot = tangents[1:]
    y = np.polymul(p, q)
    if _is_lost(p, p_dot) or _is_lost(q, q_dot):
        return y, not_implemented(TRIMMED)
    terms = [] if isinstance(p_dot, AbstractZero) else [np.convolve(p_dot, q)]
    terms += [] if isinstance(q_dot, AbstractZero) else [np.convolve(p, q_dot)]
    return y, sum_tangents(y, [_with_coefficients(term, shape_of(y)[0]) for term in terms])


@rrule.dispatch
def polymul_rrule(f: typeof_(np.polymul), p: ArrayOperand, q: ArrayOperand):
    def factor_bar(p, q, y_bar):
        if _is_trimmed(p):
            return not_implemented(TRIMMED)
        y_bar = _with_coefficients(y_bar, shape_of(p)[0] + shape_of(q)[0] - 1)
        return ProjectTo(p)(_pairings(y_bar, shape_of(p)[0], shape_of(q)[0]) @ conjugate(q))

    def polymul_pullback(y_bar):
        return NO_TANGENT, thunk(lambda: factor_bar(p, q, y_bar)), thunk(lambda: factor_bar(q, p, y_bar))

    return np.polymul(p, q), polymul_pullback


def _is_trimmed(p: Any) -> bool:
    return bool(np.size(primal_of(p)) and primal_of(p)[0] == 0)


def _is_lost(p: Any, p_dot: Any) -> bool:
    """Whether there is a tangent, perhaps at a second differentiation, of a coefficient that is dropped."""
    if isinstance(p_dot, AbstractZero) or not _is_trimmed(p):
        return False
    is_dropped = np.logical_and.accumulate(primal_of(p)[:-1] == 0)
    return primal_of(p_dot) is not p_dot or bool(np.any(p_dot[:-1][is_dropped] != 0))


def _pairings(y_bar: Any, rows: int, columns: int) -> Any:
    """The cotangents of the products of a coefficient of one factor with a coefficient of the other."""
    return y_bar[np.add.outer(np.arange(rows), np.arange(columns))]


# --- Derivatives and integrals: each coefficient is multiplied by a number -------------------------


def _derivative_bar(y_bar: Any, shape: tuple[int, ...], m: int = 1) -> Any:
    return with_length(y_bar * np.polyder(np.ones(shape, y_bar.real.dtype), m), shape[0])


linear_rule(np.polyder, _derivative_bar)

# NumPy asks the coefficients alone, not the constants, whether they are traced.
integrate = primitive(np.polyint)


@frule.dispatch
def polyint_frule(tangents: Any, f: typeof_(np.polyint), p: ArrayOperand, *options: Any, **named: Any):
    _, p_dot, *option_dots = tangents
    m, k, by_p, by_k = _integral(p, *options, **named)
    y = integrate(p, *options, **named)
    k_dot = option_dots[1] if len(option_dots) > 1 else ZeroTangent()
    if isinstance(p_dot, AbstractZero) and isinstance(k_dot, AbstractZero):
        return y, ZeroTangent()
    p_dot = np.zeros_like(primal_of(p)) if isinstance(p_dot, AbstractZero) else p_dot
    k_dot = 0.0 if isinstance(k_dot, AbstractZero) else np.reshape(tangent_as_array(k, k_dot), (-1,))[:m]
    return y, ProjectTo(y)(np.concatenate((p_dot * by_p, np.broadcast_to(k_dot, (m,)) * by_k)))


@rrule.dispatch
def polyint_rrule(f: typeof_(np.polyint), p: ArrayOperand, *options: Any, **named: Any):
    _, k, by_p, by_k = _integral(p, *options, **named)
    project, n = ProjectTo(p), shape_of(p)[0]

    def polyint_pullback(y_bar):
        option_bars: list[Any] = [NO_TANGENT for _ in options]
        if len(options) > 1 and k is not None:
            k_bar = y_bar[n:] * by_k
            shape = (len(k),) if isinstance(k, list | tuple) else shape_of(k)
            k_bar = np.reshape(np.sum(k_bar), shape) if size_of(shape) == 1 else with_length(k_bar, shape[0])
            option_bars[1] = ProjectTo(k)(k_bar)
        return NO_TANGENT, project(y_bar[:n] * by_p), *option_bars

    return integrate(p, *options, **named), polyint_pullback


def _integral(p: Any, m: int = 1, k: Any = None) -> tuple[int, Any, Any, Any]:
    """The order and the constants, and the factors of the coefficients and of the constants."""
    n = shape_of(p)[0]
    factors = np.polyint(np.ones(n, primal_of(p).real.dtype), m, np.ones(max(m, 1)))
    return m, k, factors[:n], factors[n:]


# --- Roots -----------------------------------------------------------------------------------------


@frule.dispatch
@np.errstate(all="ignore")  # at multiple roots
def roots_frule(tangents: Any, f: typeof_(np.roots), p: ArrayOperand):
    p_dot = tangents[1]
    r = np.roots(p)
    return r, ProjectTo(r)(strong_product(-1 / np.polyval(np.polyder(p), r), np.polyval(p_dot, r)))


@rrule.dispatch
def roots_rrule(f: typeof_(np.roots), p: ArrayOperand):
    r = np.roots(p)
    project = ProjectTo(p)

    @np.errstate(all="ignore")  # at multiple roots
    def roots_pullback(r_bar):
        value_bar = strong_product(conjugate(-1 / np.polyval(np.polyder(p), r)), r_bar)
        V = conjugate(np.vander(r, shape_of(p)[0]))
        return NO_TANGENT, project(np.sum(strong_product(value_bar[:, np.newaxis], V), axis=0))

    return r, roots_pullback


@frule.dispatch
def poly_frule(tangents: Any, f: typeof_(np.poly), r: ArrayOperand):
    r_dot = tangents[1]
    p = np.poly(r)
    if not shape_of(p):
        return p, ZeroTangent()
    if len(shape_of(r)) == 2:
        others_dot = np.stack([-trace_of_product(M, r_dot) for M in _adjugate_coefficients(r, p)])
    else:
        others_dot = -(r_dot @ without_each(_with_roots, r))
    return p, ProjectTo(p)(np.concatenate((np.zeros(1), others_dot)))


@rrule.dispatch
def poly_rrule(f: typeof_(np.poly), r: ArrayOperand):
    p = np.poly(r)
    project = ProjectTo(r)

    def poly_pullback(p_bar):
        if not shape_of(p):
            return NO_TANGENT, ZeroTangent()
        others_bar = p_bar[1:]
        if len(shape_of(r)) == 2:
            matrices = _adjugate_coefficients(r, p)
            return NO_TANGENT, project(
                -sum(x * adjoint(M) for x, M in zip(others_bar, matrices, strict=True))
            )
        return NO_TANGENT, project(-(conjugate(without_each(_with_roots, r)) @ others_bar))

    return p, poly_pullback


def _with_roots(r: Any) -> Any:
    return np.poly(r) if shape_of(r)[0] else np.ones(1)


def _adjugate_coefficients(A: Any, p: Any) -> list[Any]:
    """The coefficients of the polynomial ``adj(x I - A)``, which are matrices."""
    identity = np.eye(shape_of(A)[0], dtype=primal_of(A).dtype)
    matrices = [identity]
    for k in range(1, shape_of(A)[0]):
        matrices.append(A @ matrices[-1] + p[k] * identity)
    return matrices


# --- Quotients -------------------------------------------------------------------------------------


@frule.dispatch
def polydiv_frule(tangents: Any, f: typeof_(np.polydiv), u: ArrayOperand, v: ArrayOperand):
    u_dot, v_dot = tangents[1:]
    q, r = np.polydiv(u, v)
    terms = [] if isinstance(u_dot, AbstractZero) else [u_dot]
    if not isinstance(v_dot, AbstractZero):
        terms.append(_with_coefficients(-np.convolve(q, v_dot), shape_of(u)[0]))
    dividend_dot = sum(terms[1:], terms[0])
    m = min(shape_of(v)[0] - 1, shape_of(u)[0])
    q_dot = _quotient_coefficients(dividend_dot, v, shape_of(q)[0])
    r_dot = (dividend_dot - _with_coefficients(np.convolve(q_dot, v), shape_of(u)[0]))[shape_of(u)[0] - m :]
    return (q, r), Tangent[tuple](q_dot, _remainder(r_dot, r))


def _quotient_coefficients(u: Any, v: Any, n: int) -> Any:
    """The quotient with `n` coefficients, which solve a triangular system."""
    if shape_of(u)[0] < shape_of(v)[0]:
        return np.zeros_like(primal_of(u), shape=(n,))
    return np.linalg.solve(_products(v, n), u[:n])


def _products(v: Any, n: int) -> Any:
    """The matrix of the highest `n` coefficients of products with `v`."""
    places = np.subtract.outer(np.arange(n), np.arange(n))
    return np.where(places < 0, 0, with_length(v, n)[np.maximum(places, 0)])


def _remainder(r_dot: Any, r: Any) -> Any:
    """The tangent of a remainder; NumPy drops coefficients that are zero at its beginning."""
    extra = shape_of(r_dot)[0] - shape_of(r)[0]
    if extra > 0 and np.any(primal_of(r_dot)[:extra] != 0):
        return not_implemented(TRIMMED)
    return _with_coefficients(r_dot, shape_of(r)[0])


@rrule.dispatch
def polydiv_rrule(f: typeof_(np.polydiv), u: ArrayOperand, v: ArrayOperand):
    q, r = np.polydiv(u, v)

    def polydiv_pullback(y_bar):
        q_bar, r_bar = map(unthunk, quotient_cotangents(y_bar))
        n, m = shape_of(u)[0], min(shape_of(v)[0] - 1, shape_of(u)[0])
        if shape_of(r)[0] < m and not isinstance(r_bar, AbstractZero):
            return NO_TANGENT, not_implemented(TRIMMED), not_implemented(TRIMMED)
        r_bar = np.zeros(m) if isinstance(r_bar, AbstractZero) else _with_coefficients(r_bar, m)
        if n == m:  # the remainder is all there is
            return NO_TANGENT, ProjectTo(u)(r_bar), ZeroTangent()
        places = np.subtract.outer(np.arange(n), np.arange(n - m))
        padded = np.concatenate((np.zeros(1), v))
        CH = adjoint(padded[np.where((places < 0) | (places > m), 0, places + 1)])
        q_bar = np.zeros(n - m) if isinstance(q_bar, AbstractZero) else q_bar
        highest_bar = np.linalg.solve(CH[:, : n - m], q_bar - CH[:, n - m :] @ r_bar)
        u_bar = np.concatenate((highest_bar, r_bar))
        v_bar = -(_pairings(u_bar, m + 1, n - m) @ conjugate(q))
        return NO_TANGENT, ProjectTo(u)(u_bar), ProjectTo(v)(v_bar)

    return (q, r), polydiv_pullback
