"""Rules for linear functions of coefficients: conversions, the product with `x`, lines, trimming."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.formulas.arrays.lengths import with_length
from chainrules.makers.series.arithmetic import shortened
from chainrules.makers.series.basis import TRIMMED, Basis, in_precision_of, is_trimmed
from chainrules.values.operands import ArrayOperand, Operand
from chainrules.values.reductions import shape_of
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    ZeroTangent,
    define,
    not_implemented,
    primal_of,
    primitive,
    rule_maker,
    typeof_,
)


@rule_maker
def define_linear(primal: Callable[..., Any]) -> None:
    """Define the rules of a linear function of the coefficients of one polynomial."""
    convert = primitive(primal)

    def linear_frule(tangents: Any, f: typeof_(primal), c: ArrayOperand) -> tuple[Any, Any]:
        c_dot = tangents[1]
        y = convert(c)
        return y, shortened(c_dot @ in_precision_of(_matrix(primal, shape_of(c)[0]), y), y)

    def linear_rrule(f: typeof_(primal), c: ArrayOperand) -> tuple[Any, Any]:
        y = convert(c)

        def linear_pullback(y_bar: Any) -> Any:
            M = in_precision_of(_matrix(primal, shape_of(c)[0]), c)
            is_shorter = shape_of(y)[0] < M.shape[1]
            return NO_TANGENT, not_implemented(TRIMMED) if is_shorter else ProjectTo(c)(M @ y_bar)

        return y, linear_pullback

    define(linear_frule, linear_rrule)


@functools.lru_cache
def _matrix(primal: Callable[..., Any], n: int) -> Any:
    """The results of the function for each of `n` polynomials of the basis, as rows."""
    rows = [primal(P) for P in np.eye(n)]
    length = max(map(len, rows))
    return np.stack([with_length(row, length) for row in rows])


@rule_maker
def define_line(basis: Basis) -> None:
    """Define the rules of the coefficients of the straight line ``off + scl x``."""
    line = basis("line")
    lines = [with_length(basis.primal("line")(*unit), 2) for unit in np.eye(2)]

    def line_frule(tangents: Any, f: typeof_(line), off: Operand, scl: Operand) -> tuple[Any, Any]:
        off_dot, scl_dot = tangents[1:]
        y = line(off, scl)
        terms = [
            dot * by_one
            for dot, by_one in zip((off_dot, scl_dot), lines, strict=True)
            if not isinstance(dot, AbstractZero)
        ]
        return y, shortened(sum(terms[1:], terms[0]), y) if terms else ZeroTangent()

    def line_rrule(f: typeof_(line), off: Operand, scl: Operand) -> tuple[Any, Any]:
        y = line(off, scl)

        def line_pullback(y_bar: Any) -> Any:
            if shape_of(y)[0] == 1:
                return NO_TANGENT, y_bar[0], not_implemented(TRIMMED)
            by_off, by_scl = lines
            return NO_TANGENT, ProjectTo(off)(by_off @ y_bar), ProjectTo(scl)(by_scl @ y_bar)

        return y, line_pullback

    define(line_frule, line_rrule)


@rule_maker
def define_trim(primal: Callable[..., Any]) -> None:
    """Define the rules of the removal of small coefficients at the end.

    Coefficients below a tolerance have no influence; but one that is removed for being exactly zero would
    stay if it moved.
    """
    trim = primitive(primal)

    def trim_frule(
        tangents: Any, f: typeof_(primal), c: ArrayOperand, *options: Any, **named: Any
    ) -> tuple[Any, Any]:
        c_dot = tangents[1]
        y = trim(c, *options, **named)
        if isinstance(c_dot, AbstractZero):
            return y, c_dot
        return y, _keeps_any(c, *options, **named) * c_dot[: shape_of(y)[0]] if _tolerance(
            *options, **named
        ) else shortened(c_dot, y)

    def trim_rrule(f: typeof_(primal), c: ArrayOperand, *options: Any, **named: Any) -> tuple[Any, Any]:
        y = trim(c, *options, **named)

        def trim_pullback(y_bar: Any) -> Any:
            none = (NO_TANGENT for _ in options)
            if not _tolerance(*options, **named) and is_trimmed(c):
                return NO_TANGENT, not_implemented(TRIMMED), *none
            c_bar = with_length(_keeps_any(c, *options, **named) * y_bar, shape_of(c)[0])
            return NO_TANGENT, ProjectTo(c)(c_bar), *none

        return y, trim_pullback

    define(trim_frule, trim_rrule)


def _tolerance(tol: Any = 0) -> Any:
    return tol


def _keeps_any(c: Any, tol: Any = 0) -> float:
    """0 if nothing exceeds the tolerance, so that NumPy gives the zero polynomial; else 1."""
    return float(tol == 0 or np.any(np.abs(primal_of(c)) > tol))
