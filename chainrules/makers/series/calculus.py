"""Rules for derivatives and integrals of polynomials, as functions of their coefficients.

The coefficients of a derivative are ``y = scl^m D c`` for a constant matrix `D`. An integral of order `m` is
`m` integrals, each ``y = scl I c + (k - (scl I c)(lbnd)) P_0``; the derivative of the constant by `lbnd` is
minus the value of the integrand there, ``-scl c(lbnd)``.
"""

import itertools
from typing import Any, NamedTuple

import numpy as np

from chainrules.makers.series.basis import TRIMMED, Basis, in_precision_of
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    ZeroTangent,
    define,
    not_implemented,
    primal_of,
    pull_partial,
    rule_maker,
    strong_product,
    sum_tangents,
    typeof_,
)


@rule_maker
def define_derivatives(basis: Basis) -> None:
    """Define the rules of derivatives."""
    der = basis("der")

    def along(matrix: Any, x: Any, axis: int) -> Any:
        return np.moveaxis(np.moveaxis(x, axis, -1) @ in_precision_of(matrix, x), -1, axis)

    def by_scale(c: Any, m: int, scl: Any, axis: int) -> Any:
        return m * scl ** (m - 1) * der(c, m, 1, axis) if m else 0.0

    def der_frule(
        tangents: Any, f: typeof_(der), c: ArrayOperand, *options: Any, **named: Any
    ) -> tuple[Any, Any]:
        _, c_dot, *option_dots = tangents
        m, scl, axis = _read_derivative(*options, **named)
        y = der(c, *options, **named)
        terms = []
        if not isinstance(c_dot, AbstractZero):
            terms.append(der(c_dot, *options, **named))
        if len(option_dots) > 1 and not isinstance(option_dots[1], AbstractZero):
            terms.append(strong_product(by_scale(c, m, scl, axis), option_dots[1]))
        return y, sum_tangents(y, terms) if terms else ZeroTangent()

    def der_rrule(f: typeof_(der), c: ArrayOperand, *options: Any, **named: Any) -> tuple[Any, Any]:
        m, scl, axis = _read_derivative(*options, **named)
        project, n = ProjectTo(c), shape_of(c)[axis]

        def der_pullback(y_bar: Any) -> Any:
            option_bars: list[Any] = [NO_TANGENT for _ in options]
            if len(options) > 1:
                option_bars[1] = pull_partial(scl, by_scale(c, m, scl, axis), y_bar)
            c_bar = along(basis.primal("der")(np.eye(n), m), y_bar, axis) * np.conjugate(scl**m)
            return NO_TANGENT, project(c_bar), *option_bars

        return der(c, *options, **named), der_pullback

    define(der_frule, der_rrule)


def _read_derivative(m: int = 1, scl: Any = 1, axis: int = 0) -> tuple[int, Any, int]:
    return m, scl, axis


class Integral(NamedTuple):
    """The options of an integral; `k` has a constant for each step."""

    m: int = 1
    k: Any = ()
    lbnd: Any = 0
    scl: Any = 1
    axis: int = 0

    def constants(self) -> list[Any]:
        """The constants, one for each of the `m` integrals."""
        given = [self.k[i] for i in range(len(self.k))] if shape_of(self.k) else [self.k]
        return [*given, *(0 for _ in range(self.m))][: self.m]


@rule_maker
def define_integrals(basis: Basis) -> None:
    """Define the rules of integrals."""
    integrate = basis("int")

    def int_frule(
        tangents: Any, f: typeof_(integrate), c: ArrayOperand, *options: Any, **named: Any
    ) -> tuple[Any, Any]:
        _, c_dot, *dots = tangents
        asked = Integral(*options, **named)
        y = integrate(c, *options, **named)
        polynomials = _integration_steps(basis, c, asked)
        if _drops_zeros(polynomials):
            return y, not_implemented(TRIMMED)
        p_dot = c_dot if isinstance(c_dot, AbstractZero) else np.moveaxis(c_dot, asked.axis, 0)
        asked_dot = Integral(*dots, *(ZeroTangent() for _ in range(len(dots), 5)))
        for i in range(asked.m):
            step_dot = asked_dot._replace(k=_part(asked_dot.k, i, asked.k))
            p_dot = _push_integral(basis, asked, step_dot, polynomials[i : i + 2], p_dot)
        return y, p_dot if isinstance(p_dot, AbstractZero) else np.moveaxis(p_dot, 0, asked.axis)

    def int_rrule(f: typeof_(integrate), c: ArrayOperand, *options: Any, **named: Any) -> tuple[Any, Any]:
        asked = Integral(*options, **named)
        y = integrate(c, *options, **named)
        project = ProjectTo(c)

        def int_pullback(y_bar: Any) -> Any:
            polynomials = _integration_steps(basis, c, asked)
            if _drops_zeros(polynomials):
                unknown = not_implemented(TRIMMED)
                return NO_TANGENT, unknown, *([NO_TANGENT, *[unknown] * 3, NO_TANGENT][: len(options)])
            p_bar = np.moveaxis(y_bar, asked.axis, 0)
            k_bars, lbnd_bar, scl_bar = [], ZeroTangent(), ZeroTangent()
            for p in reversed(polynomials[:-1]):
                k_bars.append(np.sum(p_bar[0]))
                lbnd_bar = lbnd_bar + pull_partial(asked.lbnd, _by_bound(basis, p, asked), p_bar[0])
                scl_bar = scl_bar + pull_partial(asked.scl, _by_scale(basis, p, asked), p_bar)
                p_bar = _applied(np.conjugate(_integral_of(basis, p, asked)).T, p_bar)
            bars = [NO_TANGENT, _constants_bar(asked.k, k_bars[::-1]), lbnd_bar, scl_bar, NO_TANGENT]
            return NO_TANGENT, project(np.moveaxis(p_bar, 0, asked.axis)), *bars[: len(options)]

        return y, int_pullback

    define(int_frule, int_rrule)


def _integration_steps(basis: Basis, c: Any, asked: Integral) -> list[Any]:
    """The integrands, one after the other, and the result, along the first axis."""
    polynomials = [np.moveaxis(c, asked.axis, 0)]
    for k in asked.constants():
        polynomials.append(basis("int")(polynomials[-1], 1, [k], asked.lbnd, asked.scl))
    return polynomials


def _push_integral(basis: Basis, asked: Integral, asked_dot: Integral, pair: list[Any], p_dot: Any) -> Any:
    """The tangent of one integral, given the tangent of the integrand."""
    p, y = pair
    terms = [] if isinstance(p_dot, AbstractZero) else [_applied(_integral_of(basis, p, asked), p_dot)]
    if not isinstance(asked_dot.scl, AbstractZero):
        terms.append(_by_scale(basis, p, asked) * asked_dot.scl)
    constant_dot = _by_bound(basis, p, asked) * asked_dot.lbnd + asked_dot.k
    if not isinstance(constant_dot, AbstractZero):
        terms.append(_constant_polynomial(constant_dot, y))
    return sum_tangents(y, terms) if terms else p_dot


def _integral_of(basis: Basis, p: Any, asked: Integral) -> Any:
    """The matrix of one integral, without the constant."""
    identity = np.eye(shape_of(p)[0], dtype=np.result_type(primal_of(p)))  # NumPy multiplies it in place
    return basis("int")(identity, 1, [0], asked.lbnd, asked.scl)


def _by_scale(basis: Basis, p: Any, asked: Integral) -> Any:
    return basis("int")(p, 1, [0], asked.lbnd, 1)


def _by_bound(basis: Basis, p: Any, asked: Integral) -> Any:
    """The derivative of the constant."""
    return -asked.scl * basis("val")(asked.lbnd, p)


def _drops_zeros(polynomials: list[Any]) -> bool:
    """Whether NumPy has left the zero polynomial as short as it was."""
    lengths = [shape_of(p)[0] for p in polynomials]
    return any(after == before for before, after in itertools.pairwise(lengths))


def _applied(matrix: Any, p: Any) -> Any:
    return np.tensordot(matrix, p, axes=1)


def _constant_polynomial(number: Any, like: Any) -> Any:
    """The polynomial that is constant."""
    first = in_precision_of(np.append(1.0, np.zeros(shape_of(like)[0] - 1)), like)
    return np.reshape(first, (-1, *(1 for _ in shape_of(like)[1:]))) * number


def _part(k_dot: Any, i: int, k: Any) -> Any:
    """The tangent of one of the constants of integration."""
    if isinstance(k_dot, AbstractZero):
        return k_dot
    if not shape_of(k):
        return k_dot if i == 0 else ZeroTangent()
    return k_dot[i] if i < len(primal_of(k)) else ZeroTangent()


def _constants_bar(k: Any, bars: list[Any]) -> Any:
    if not shape_of(k):
        return ProjectTo(k)(bars[0])
    given = len(primal_of(k))
    return ProjectTo(k)(np.stack(bars[:given])) if given else NO_TANGENT
