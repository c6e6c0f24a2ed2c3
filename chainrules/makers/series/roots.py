"""Rules for the roots of polynomials, and for polynomials that are made of their roots.

A root stays a root: ``p(r) = 0`` gives ``r_dot = -p_dot(r) / p'(r)``, by the implicit function theorem. At a
multiple root the derivative is infinite. The other way round, ``p = Π (x - r_i)`` has the derivative by a
root that is minus the product of the other factors.

Only the last column of a companion matrix depends on the coefficients, ``b - s c[:-1] / c[-1]`` for constant
`s`.
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
    ProjectTo,
    define,
    not_implemented,
    rule_maker,
    strong_product,
    typeof_,
)


@rule_maker
def define_roots(basis: Basis) -> None:
    """Define the rules of the roots."""
    roots, val, der, vander = basis("roots"), basis("val"), basis("der"), basis("vander")

    def inverse_slope(r: Any, c: Any) -> Any:
        return -1 / val(r, der(c))

    @np.errstate(all="ignore")  # at multiple roots
    def roots_frule(tangents: Any, f: typeof_(roots), c: ArrayOperand) -> tuple[Any, Any]:
        c_dot = tangents[1]
        r = roots(c)
        return r, strong_product(inverse_slope(r, c), val(r, c_dot))

    def roots_rrule(f: typeof_(roots), c: ArrayOperand) -> tuple[Any, Any]:
        r = roots(c)
        project = ProjectTo(c)

        @np.errstate(all="ignore")
        def roots_pullback(r_bar: Any) -> tuple[Any, Any]:
            value_bar = strong_product(conjugate(inverse_slope(r, c)), r_bar)
            V = conjugate(vander(r, shape_of(c)[0] - 1))
            return NO_TANGENT, project(np.sum(strong_product(np.expand_dims(value_bar, 1), V), axis=0))

        return r, roots_pullback

    define(roots_frule, roots_rrule)


@rule_maker
def define_from_roots(basis: Basis) -> None:
    """Define the rules of the polynomial with given roots."""
    from_roots = basis("fromroots")

    def from_roots_frule(tangents: Any, f: typeof_(from_roots), r: ArrayOperand) -> tuple[Any, Any]:
        r_dot = tangents[1]
        c = from_roots(r)
        return c, ProjectTo(c)(with_length(-(r_dot @ without_each(from_roots, r)), shape_of(c)[0]))

    def from_roots_rrule(f: typeof_(from_roots), r: ArrayOperand) -> tuple[Any, Any]:
        project = ProjectTo(r)

        def from_roots_pullback(c_bar: Any) -> Any:
            others = conjugate(without_each(from_roots, r))
            return NO_TANGENT, project(-(others @ c_bar[: shape_of(others)[1]]))

        return from_roots(r), from_roots_pullback

    define(from_roots_frule, from_roots_rrule)


def without_each(from_roots: Callable[..., Any], r: Any) -> Any:
    """The polynomials with one root each left out, as rows."""
    places = np.arange(shape_of(r)[0])
    if not places.size:
        return np.zeros((0, 1))
    return np.stack([from_roots(r[places != i]) for i in places])


@rule_maker
def define_companion(basis: Basis) -> None:
    """Define the rules of the companion matrix."""
    companion = basis("companion")

    def scales(n: int) -> Any:
        monic = np.append(np.zeros(n), 1.0)
        return companion(monic)[:, -1] - companion(np.ones(n + 1))[:, -1]

    def companion_frule(tangents: Any, f: typeof_(companion), c: ArrayOperand) -> tuple[Any, Any]:
        c_dot = tangents[1]
        C = companion(c)
        if is_trimmed(c):
            return C, not_implemented(TRIMMED)
        n = shape_of(c)[0] - 1
        ratio_dot = (c_dot[:-1] - c[:-1] / c[-1] * c_dot[-1]) / c[-1]
        column = -in_precision_of(scales(n), c) * ratio_dot
        return C, np.expand_dims(column, 1) * in_precision_of(np.eye(1, n, n - 1), c)

    def companion_rrule(f: typeof_(companion), c: ArrayOperand) -> tuple[Any, Any]:
        C = companion(c)

        def companion_pullback(C_bar: Any) -> Any:
            if is_trimmed(c):
                return NO_TANGENT, not_implemented(TRIMMED)
            column_bar = -in_precision_of(scales(shape_of(c)[0] - 1), c) * C_bar[:, -1]
            others_bar = column_bar / np.conjugate(c[-1])
            last_bar = -np.sum(others_bar * conjugate(c[:-1] / c[-1]))
            return NO_TANGENT, np.concatenate((others_bar, np.reshape(last_bar, (1,))))

        return C, companion_pullback

    define(companion_frule, companion_rrule)
