"""Rules for the arithmetic of polynomials, as functions of their coefficients.

Sums are linear. A product ``c1 c2`` has the coefficients ``Σ T[i, j, k] c1[i] c2[j]`` where ``P_i P_j = Σ
T[i, j, k] P_k``, so that ``c1_bar = S conj(c2)`` and ``c2_bar = conj(c1) S`` with one matrix ``S[i, j] = Σ
T[i, j, k] y_bar[k]``. The recurrence of the basis, applied to both sides of ``(x P_i) P_j = P_i (x P_j)``,
gives a row of it from the two above: the modified algorithm of Chebyshev, W. Gautschi, "Orthogonal
polynomials: computation and approximation", 2004, section 2.1.7.

A quotient and a remainder are defined by ``c1 = q c2 + r``, so that ``c1_dot - q c2_dot = q_dot c2 +
r_dot``: their tangents are again a quotient by `c2` and a remainder.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.formulas.arrays.lengths import with_length
from chainrules.makers.series.basis import TRIMMED, Basis, in_precision_of, is_trimmed
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import conjugate
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    Tangent,
    Thunk,
    ZeroTangent,
    define,
    not_implemented,
    primal_of,
    rule_maker,
    typeof_,
    unthunk,
)


def shortened(y_dot: Any, y: Any) -> Any:
    """The tangent, cut to the length of the trimmed `y`; `not_implemented` if a dropped coefficient moves."""
    n = shape_of(y)[0]
    if isinstance(y_dot, AbstractZero):
        return y_dot
    return not_implemented(TRIMMED) if np.any(primal_of(y_dot)[n:] != 0) else with_length(y_dot, n)


@rule_maker
def define_sum(basis: Basis, name: str, sign: int) -> None:
    """Define the rules of a sum or a difference."""
    primal = basis(name)

    def sum_frule(tangents: Any, f: typeof_(primal), c1: ArrayOperand, c2: ArrayOperand) -> tuple[Any, Any]:
        y = primal(c1, c2)
        n = max(shape_of(c1)[0], shape_of(c2)[0])
        dots = [dot if isinstance(dot, AbstractZero) else with_length(dot, n) for dot in tangents[1:]]
        return y, shortened(dots[0] + sign * dots[1], y)

    def sum_rrule(f: typeof_(primal), c1: ArrayOperand, c2: ArrayOperand) -> tuple[Any, Any]:
        y = primal(c1, c2)

        def part_bar(c: Any, y_bar: Any) -> Any:
            n = shape_of(c)[0]
            return not_implemented(TRIMMED) if n > shape_of(y)[0] else ProjectTo(c)(y_bar[:n])

        def sum_pullback(y_bar: Any) -> Any:
            return NO_TANGENT, part_bar(c1, y_bar), part_bar(c2, sign * y_bar)

        return y, sum_pullback

    define(sum_frule, sum_rrule)


@rule_maker
def define_product(basis: Basis) -> None:
    """Define the rules of the product of two polynomials."""
    mul = basis("mul")

    def mul_frule(tangents: Any, f: typeof_(mul), c1: ArrayOperand, c2: ArrayOperand) -> tuple[Any, Any]:
        c1_dot, c2_dot = tangents[1:]
        y = mul(c1, c2)
        n = shape_of(c1)[0] + shape_of(c2)[0]  # which no product reaches
        terms = [
            with_length(mul(*pair), n)
            for dot, pair in ((c1_dot, (c1_dot, c2)), (c2_dot, (c1, c2_dot)))
            if not isinstance(dot, AbstractZero)
        ]
        return y, shortened(sum(terms[1:], terms[0]), y) if terms else ZeroTangent()

    def mul_rrule(f: typeof_(mul), c1: ArrayOperand, c2: ArrayOperand) -> tuple[Any, Any]:
        def mul_pullback(y_bar: Any) -> Any:
            c1_bar = Thunk(factor_bar, basis, c1, c2, y_bar)
            return NO_TANGENT, c1_bar, Thunk(factor_bar, basis, c2, c1, y_bar)

        return mul(c1, c2), mul_pullback

    define(mul_frule, mul_rrule)


def factor_bar(basis: Basis, c: Any, other: Any, y_bar: Any) -> Any:
    """The cotangent of one factor of a product."""
    if is_trimmed(c):
        return not_implemented(TRIMMED)
    S = pairings(basis, y_bar, shape_of(c)[0], shape_of(other)[0])
    with np.errstate(invalid="ignore"):  # BLAS may raise the flag for lanes that it does not use
        return ProjectTo(c)(S @ conjugate(other))


def pairings(basis: Basis, y_bar: Any, rows: int, columns: int) -> Any:
    """The products of a cotangent with the coefficients of all ``P_i P_j``."""
    y_bar = with_length(y_bar, rows + columns - 1)
    if basis.prefix == "poly":  # x^i x^j = x^(i + j)
        return y_bar[np.add.outer(np.arange(rows), np.arange(columns))]
    X = in_precision_of(basis.times_x(rows + columns), y_bar)
    before: Any = None
    row, stack = y_bar, [y_bar[:columns]]
    for i in range(rows - 1):
        n = shape_of(row)[0] - 1
        times_x = X[:n, : n + 1] @ row - X[i, i] * row[:n]
        if i:
            times_x = times_x - X[i, i - 1] * before[:n]
        before, row = row, times_x / X[i, i + 1]
        stack.append(row[:columns])
    return np.stack(stack)


@rule_maker
def define_power(basis: Basis) -> None:
    """Define the rules of powers of a polynomial, to an integer: ``y_dot = n c^(n-1) c_dot``."""
    power, mul = basis("pow"), basis("mul")

    def pow_frule(
        tangents: Any, f: typeof_(power), c: ArrayOperand, n: int, *options: Any, **named: Any
    ) -> tuple[Any, Any]:
        c_dot = tangents[1]
        y = power(c, n, *options, **named)
        if n == 0:
            return y, ZeroTangent()
        factor = n * power(c, n - 1, *options, **named)
        return y, shortened(mul(factor, c_dot), y)

    def pow_rrule(f: typeof_(power), c: ArrayOperand, n: int, *options: Any, **named: Any) -> tuple[Any, Any]:
        def pow_pullback(y_bar: Any) -> Any:
            none = (NO_TANGENT for _ in options)
            if n == 0:
                return NO_TANGENT, ZeroTangent(), NO_TANGENT, *none
            factor = n * power(c, n - 1, *options, **named)
            return NO_TANGENT, factor_bar(basis, c, factor, y_bar), NO_TANGENT, *none

        return power(c, n, *options, **named), pow_pullback

    define(pow_frule, pow_rrule)


@rule_maker
def define_quotient(basis: Basis) -> None:
    """Define the rules of the quotient and the remainder of two polynomials."""
    div, mul = basis("div"), basis("mul")

    def div_frule(tangents: Any, f: typeof_(div), c1: ArrayOperand, c2: ArrayOperand) -> tuple[Any, Any]:
        c1_dot, c2_dot = tangents[1:]
        q, r = div(c1, c2)
        terms = [] if isinstance(c1_dot, AbstractZero) else [c1_dot]
        if not isinstance(c2_dot, AbstractZero):
            terms.append(with_length(-mul(q, c2_dot), shape_of(c1)[0]))
        if is_trimmed(c1) or is_trimmed(c2):
            return (q, r), not_implemented(TRIMMED)
        q_dot, r_dot = div(sum(terms[1:], terms[0]), c2)
        tangent: Any = Tangent[tuple]  # type: ignore[type-arg] # of any two arrays
        return (q, r), tangent(with_length(q_dot, shape_of(q)[0]), shortened(r_dot, r))

    def div_rrule(f: typeof_(div), c1: ArrayOperand, c2: ArrayOperand) -> tuple[Any, Any]:
        q, r = div(c1, c2)

        def div_pullback(y_bar: Any) -> Any:
            q_bar, r_bar = map(unthunk, quotient_cotangents(y_bar))
            longest = min(shape_of(c1)[0], max(shape_of(c2)[0] - 1, 1))
            is_shorter = shape_of(r)[0] < longest and not isinstance(r_bar, AbstractZero)
            if is_shorter or is_trimmed(c1) or is_trimmed(c2):
                return NO_TANGENT, not_implemented(TRIMMED), not_implemented(TRIMMED)
            dividend_bar = _dividend_bar(mul, c1, c2, q_bar, r_bar)
            if isinstance(dividend_bar, AbstractZero):
                return NO_TANGENT, dividend_bar, dividend_bar
            return NO_TANGENT, ProjectTo(c1)(dividend_bar), _divisor_bar(basis, c2, q, dividend_bar)

        return (q, r), div_pullback

    define(div_frule, div_rrule)


def quotient_cotangents(y_bar: Any) -> tuple[Any, Any]:
    """The cotangents of two results."""
    return (y_bar, y_bar) if isinstance(y_bar, AbstractZero) else (y_bar[0], y_bar[1])


def _dividend_bar(mul: Callable[..., Any], c1: Any, c2: Any, q_bar: Any, r_bar: Any) -> Any:
    """Solve ``[C I]ᴴ w = [q_bar r_bar]``; the columns of `C` are the products of `c2` with the basis."""
    n, m = shape_of(c1)[0], shape_of(c2)[0] - 1
    if n <= m:  # the remainder is all there is
        return r_bar
    r_bar = np.zeros(m) if isinstance(r_bar, AbstractZero) else with_length(r_bar, m)
    q_bar = np.zeros(n - m) if isinstance(q_bar, AbstractZero) else q_bar
    CH = conjugate(np.stack([with_length(mul(P, c2), n) for P in np.eye(n - m)]))
    return np.concatenate((r_bar, np.linalg.solve(CH[:, m:], q_bar - CH[:, :m] @ r_bar)))


def _divisor_bar(basis: Basis, c2: Any, q: Any, dividend_bar: Any) -> Any:
    S = pairings(basis, dividend_bar, shape_of(c2)[0], shape_of(q)[0])
    return ProjectTo(c2)(-(S @ conjugate(q)))
