"""Rules for the values of polynomials, and for matrices of values.

For ``y = Σ c[k] P_k(x)``: ``y_dot = Σ c_dot[k] P_k(x) + Σ c[k] P_k'(x) x_dot``. The values ``P_k(x)`` are the
matrix `V` of Vandermonde. It has the derivative ``V' = V D`` with the constant coefficients `D` of the
derivatives of the basis; so ``c_bar = Vᴴ y_bar``. Polynomials in several variables are evaluated in one
variable after the other.
"""

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from chainrules.formulas.arrays.places import places_that_count, size_of
from chainrules.makers.series.basis import Basis, in_precision_of
from chainrules.values.operands import ArrayOperand, Operand
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import projected
from chainrules.values.stacks import conjugate
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    NoTangent,
    ProjectTo,
    Thunk,
    ZeroTangent,
    contains_nan,
    define,
    frule,
    primal_of,
    pull_partial,
    rrule,
    rule_maker,
    strong_product,
    sum_tangents,
    typeof_,
    unbroadcast,
    unthunk,
)

# The points of several variables: an item for each.
Points: Any = list | tuple | ArrayOperand


@rule_maker
def define_values(basis: Basis) -> None:
    """Define the rules of the values of a polynomial in one variable."""
    val, der = basis("val"), basis("der")

    def val_frule(
        tangents: Any, f: typeof_(val), x: Operand, c: ArrayOperand, *options: Any, **named: Any
    ) -> tuple[Any, Any]:
        x_dot, c_dot = tangents[1:3]
        y = val(x, c, *options, **named)
        terms = []
        if not isinstance(x_dot, AbstractZero):
            terms.append(strong_product(val(x, der(c), *options, **named), x_dot))
        if not isinstance(c_dot, AbstractZero):
            terms.append(val(x, c_dot, *options, **named))
        return y, sum_tangents(y, terms) if terms else ZeroTangent()

    def val_rrule(
        f: typeof_(val), x: Operand, c: ArrayOperand, *options: Any, **named: Any
    ) -> tuple[Any, Any]:
        tensor = _tensor(*options, **named)
        without_tangents = (NO_TANGENT,) * len(options)

        def val_pullback(y_bar: Any) -> Any:
            x_bar = Thunk(lambda: pull_partial(x, val(x, der(c), *options, **named), y_bar))
            c_bar = Thunk(lambda: _coefficients_bar(basis, x, c, y_bar, tensor))
            return NO_TANGENT, x_bar, c_bar, *without_tangents

        return val(x, c, *options, **named), val_pullback

    define(val_frule, val_rrule)


def _tensor(tensor: Any = True) -> bool:
    return bool(tensor)


def _coefficients_bar(basis: Basis, x: Any, c: Any, y_bar: Any, tensor: bool) -> Any:
    n, *columns = shape_of(c)
    points = shape_of(x)
    V = conjugate(basis("vander")(x, n - 1))
    if tensor or not columns:
        number = size_of(points)
        rows = np.reshape(y_bar, (*columns, number))
        c_bar = rows @ np.reshape(V, (number, n))
        if contains_nan(c_bar):
            V = conjugate(basis("vander")(places_that_count(x, y_bar, len(columns)), n - 1))
            c_bar = rows @ np.reshape(V, (number, n))
        return ProjectTo(c)(np.moveaxis(c_bar, -1, 0) if columns else c_bar)
    V = np.reshape(V, (*points, n))
    # The axes of the columns are the last ones of `y_bar`.
    return unbroadcast(c, np.moveaxis(strong_product(V, np.expand_dims(y_bar, -1)), -1, -1 - len(columns)))


@rule_maker
def define_matrices(basis: Basis) -> None:
    """Define the rules of the matrix of Vandermonde."""
    vander = basis("vander")

    def vander_frule(tangents: Any, f: typeof_(vander), x: Operand, deg: Any) -> tuple[Any, Any]:
        x_dot = tangents[1]
        V = vander(x, deg)
        return V, _derivative_matrix(basis, V) * np.expand_dims(x_dot, -1)

    def vander_rrule(f: typeof_(vander), x: Operand, deg: Any) -> tuple[Any, Any]:
        V = vander(x, deg)
        project, shape = ProjectTo(x), shape_of(x)

        def vander_pullback(V_bar: Any) -> Any:
            x_bar = np.sum(conjugate(_derivative_matrix(basis, V)) * V_bar, axis=-1)
            return NO_TANGENT, project(np.reshape(x_bar, shape)), NO_TANGENT

        return V, vander_pullback

    define(vander_frule, vander_rrule)


def _derivative_matrix(basis: Basis, V: Any) -> Any:
    """The matrix of the derivatives of the basis at the same points."""
    D = in_precision_of(basis.derivatives(shape_of(V)[-1]), V)
    return V[..., : len(D)] @ D


# --- Several variables -----------------------------------------------------------------------------


@rule_maker
def define_values_in_several_variables(basis: Basis, name: str, on_grid: bool) -> None:
    """Define the rules of polynomials in several variables, at points or on a grid of points."""
    primal, val = basis.primal(name), basis.primal("val")

    def check(*operands: Any) -> None:
        if not on_grid and not _fit(operands[:-1]):
            primal(*map(primal_of, operands))  # raises NumPy's error

    def several_frule(tangents: Any, f: typeof_(primal), *operands: Any) -> tuple[Any, Any]:
        check(*operands)
        *xs, c = operands
        *x_dots, c_dot = tangents[1:]
        return _push_in_turn(val, zip(xs, x_dots, _options(xs, on_grid), strict=True), c, c_dot)

    def several_rrule(f: typeof_(primal), *operands: Any) -> tuple[Any, Any]:
        check(*operands)
        *xs, c = operands
        y, pull = _pull_in_turn(val, xs, c, on_grid)

        def several_pullback(y_bar: Any) -> Any:
            bars, c_bar = pull(y_bar)
            return NO_TANGENT, *bars, c_bar

        return y, several_pullback

    define(several_frule, several_rrule)


@rule_maker
def define_values_at_points(basis: Basis, primal: Callable[..., Any]) -> None:
    """Define the rules of polynomials in several variables, whose points are the items of one argument."""
    val = basis.primal("val")

    def check(pts: Any, c: Any) -> None:
        if not _fit(pts):
            primal([primal_of(x) for x in pts], primal_of(c))  # raises NumPy's error

    def points_frule(tangents: Any, f: typeof_(primal), pts: Points, c: ArrayOperand) -> tuple[Any, Any]:
        check(pts, c)
        pts_dot = tangents[1]
        dots = [pts_dot for _ in pts] if isinstance(pts_dot, AbstractZero) else list(pts_dot)
        return _push_in_turn(val, zip(pts, dots, _options(dots, False), strict=True), c, tangents[2])

    def points_rrule(f: typeof_(primal), pts: Points, c: ArrayOperand) -> tuple[Any, Any]:
        check(pts, c)
        y, pull = _pull_in_turn(val, list(pts), c, False)

        def points_pullback(y_bar: Any) -> Any:
            bars, c_bar = pull(y_bar)
            return NO_TANGENT, projected(pts, [unthunk(bar) for bar in bars]), c_bar

        return y, points_pullback

    define(points_frule, points_rrule)


def _fit(xs: Any) -> bool:
    """Whether the points of all variables have one shape."""
    return len({shape_of(x) for x in xs}) == 1


def _options(xs: list[Any], on_grid: bool) -> list[tuple[Any, ...]]:
    """For each variable whether its points are new axes, or the points of the first variable."""
    return [() if on_grid or place == 0 else (False,) for place in range(len(xs))]


def _push_in_turn(
    val: Callable[..., Any], variables: Iterable[tuple[Any, Any, tuple[Any, ...]]], c: Any, c_dot: Any
) -> tuple[Any, Any]:
    """Evaluate in one variable after the other: the values in one are the coefficients for the next."""
    for x, x_dot, option in variables:
        c, c_dot = frule((NO_TANGENT, x_dot, c_dot, *map(_none, option)), val, x, c, *option)
    return c, c_dot


def _none(_: Any) -> NoTangent:
    return NO_TANGENT


def _pull_in_turn(
    val: Callable[..., Any], xs: list[Any], c: Any, on_grid: bool
) -> tuple[Any, Callable[[Any], tuple[list[Any], Any]]]:
    """The value, and how its cotangent is pulled back: to each variable, and to the coefficients."""
    pullbacks = []
    for x, option in zip(xs, _options(xs, on_grid), strict=True):
        c, pullback = rrule(val, x, c, *option)
        pullbacks.append(pullback)

    def pull(y_bar: Any) -> tuple[list[Any], Any]:
        bars = []
        for pullback in reversed(pullbacks):
            _, x_bar, y_bar, *_ = pullback(y_bar)
            bars.append(x_bar)
        return bars[::-1], y_bar

    return c, pull


@rule_maker
def define_matrices_in_several_variables(basis: Basis, name: str) -> None:
    """Define the rules of the matrix of all products of the values of one-dimensional bases."""
    primal, vander = basis.primal(name), basis.primal("vander")

    def vanders_frule(tangents: Any, f: typeof_(primal), *operands: Any) -> Any:
        *xs, deg = operands
        pairs = [
            frule((NO_TANGENT, x_dot, NO_TANGENT), vander, x, d)
            for x, x_dot, d in zip(xs, tangents[1:], deg, strict=False)
        ]
        if not all(pairs):
            return None  # of lists
        factors = [V for V, _ in pairs]
        terms = [
            _flat_product(_product([*factors[:i], V_dot, *factors[i + 1 :]]), factors)
            for i, (_, V_dot) in enumerate(pairs)
            if not isinstance(V_dot, AbstractZero)
        ]
        y = _flat_product(_product(factors), factors)
        return y, sum_tangents(y, terms) if terms else ZeroTangent()

    def vanders_rrule(f: typeof_(primal), *operands: Any) -> Any:
        *xs, deg = operands
        answers = [rrule(vander, x, d) for x, d in zip(xs, deg, strict=True)]
        if not all(answers):
            return None  # of lists
        factors = [V for V, _ in answers]
        y = _flat_product(_product(factors), factors)

        def vanders_pullback(y_bar: Any) -> Any:
            shape = (*shape_of(y)[:-1], *(shape_of(V)[-1] for V in factors))
            V_bar = np.reshape(y_bar, shape)
            bars = []
            for i, (_, pullback) in enumerate(answers):
                ones = np.ones_like(primal_of(factors[i]))
                others = conjugate(_product([*factors[:i], ones, *factors[i + 1 :]]))
                axes = tuple(j - len(factors) for j in range(len(factors)) if j != i)
                bars.append(pullback(np.sum(V_bar * others, axis=axes))[1])
            return NO_TANGENT, *bars, NO_TANGENT

        return y, vanders_pullback

    define(vanders_frule, vanders_rrule)


def _product(factors: list[Any]) -> Any:
    """The products of an element of the last axis of each factor, an axis for each of them."""
    product: Any = 1
    for i, V in enumerate(factors):
        after = len(factors) - 1 - i
        shape = shape_of(V)
        product = product * np.reshape(V, (*shape[:-1], *(1,) * i, shape[-1], *(1,) * after))
    return product


def _flat_product(product: Any, factors: list[Any]) -> Any:
    numbers = [shape_of(V)[-1] for V in factors]
    return np.reshape(product, (*shape_of(product)[: -len(numbers)], math.prod(numbers)))
