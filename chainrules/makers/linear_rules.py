"""Rules of linear functions: the tangent goes the way of the value, and the cotangent the way back."""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.formulas.arrays.places import places_in, returned
from chainrules.values.operands import Operand, refuse_out, refuse_out_among
from chainrules.values.reductions import shape_of
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    Thunk,
    define,
    primal_of,
    primitive,
    rule_maker,
    shortened_by,
    sum_tangents,
    typeof_,
    unbroadcast,
)


@rule_maker
def linear_rule(
    primal: Callable[..., Any], adjoint: Callable[..., Any], shortcut: Callable[..., Any] | None = None
) -> None:
    """Define the rules of a function that is linear in its first argument, and takes options besides.

    Parameters
    ----------
    primal
        The function, ``y = primal(x, *options, **named)``.
    adjoint
        ``adjoint(y_bar, shape, *options, **named)`` is the cotangent of `x`, which has this shape.
    shortcut
        A quicker way for some calls of the reverse rule, see `shortened_by`.
    """
    # In higher orders `x` may be traced, and not every function is one that NumPy hands over.
    name, apply = f"np.{primal.__name__}", primitive(primal)

    def linear_frule(
        tangents: Any, f: typeof_(primal), x: Operand, *options: Any, **named: Any
    ) -> tuple[Any, Any]:
        refuse_out(name, named.get("out"))
        x_dot = tangents[1]
        y = apply(x, *options, **named)
        return y, x_dot if isinstance(x_dot, AbstractZero) else apply(x_dot, *options, **named)

    def linear_rrule(f: typeof_(primal), x: Operand, *options: Any, **named: Any) -> tuple[Any, Any]:
        if named:
            refuse_out(name, named.get("out"))
        project, shape = ProjectTo(x), shape_of(x)
        without_tangents = (NO_TANGENT,) * len(options)

        def linear_pullback(y_bar: Any) -> Any:
            x_bar = adjoint(y_bar, shape, *options, **named)
            return NO_TANGENT, project(x_bar), *without_tangents

        return apply(x, *options, **named), linear_pullback

    define(linear_frule, shortened_by(shortcut)(linear_rrule) if shortcut else linear_rrule)


@rule_maker
def linear_in_second_rule(
    primal: Callable[..., Any], adjoint: Callable[..., Any], out: int = sys.maxsize
) -> None:
    """Define the rules of a function that is linear in its second argument; the first has no derivative.

    Parameters
    ----------
    primal
        The function, ``y = primal(selector, x, *options, **named)``.
    adjoint
        ``adjoint(y_bar, shape, selector, *options, **named)`` is the cotangent of `x`, which has this shape.
    out
        The position, among the options, of an array to write into, which is refused.
    """
    name, apply = f"np.{primal.__name__}", primitive(primal)

    def linear_frule(
        tangents: Any, f: typeof_(primal), selector: Any, x: Operand, *options: Any, **named: Any
    ) -> tuple[Any, Any]:
        refuse_out_among(name, options, named, out)
        x_dot = tangents[2]
        y = apply(selector, x, *options, **named)
        return y, x_dot if isinstance(x_dot, AbstractZero) else apply(selector, x_dot, *options, **named)

    def linear_rrule(
        f: typeof_(primal), selector: Any, x: Operand, *options: Any, **named: Any
    ) -> tuple[Any, Any]:
        refuse_out_among(name, options, named, out)
        y = apply(selector, x, *options, **named)
        project = ProjectTo(x)
        shape = shape_of(x)
        without_tangents = (NO_TANGENT,) * len(options)

        def linear_pullback(y_bar: Any) -> Any:
            x_bar = project(adjoint(y_bar, shape, selector, *options, **named))
            return NO_TANGENT, NO_TANGENT, x_bar, *without_tangents

        return y, linear_pullback

    define(linear_frule, linear_rrule)


@rule_maker
def selection_rule(primal: Callable[..., Any]) -> None:
    """Define the rules of a function whose result is made of elements of its first argument.

    Which ones depends on the shape and the options alone. An element may be picked several times, or never.
    """

    def adjoint(y_bar: Any, shape: tuple[int, ...], *options: Any, **named: Any) -> Any:
        return returned(y_bar, shape, primal(places_in(shape), *options, **named))

    linear_rule(primal, adjoint)


@rule_maker
def bilinear_rule(
    primal: Callable[..., Any],
    by_x: Callable[..., Any],
    by_y: Callable[..., Any],
    shortcut: Callable[..., Any] | None = None,
    out: int = sys.maxsize,
) -> None:
    """Define the rules of a function that is linear in each of its first two arguments, or conjugate-linear.

    Parameters
    ----------
    primal
        The function, ``z = primal(x, y, *options, **named)``.
    by_x, by_y
        ``by_x(z_bar, x, y, *options, **named)`` is the cotangent of `x`, and ``by_y``, called with the same
        arguments, is the cotangent of `y`. Where the function broadcasts, so may they.
    out
        The position, among the options, of an array to write into, which is refused.
    """
    name, apply = f"np.{primal.__name__}", primitive(primal)

    def bilinear_frule(
        tangents: Any, f: typeof_(primal), x: Operand, y: Operand, *options: Any, **named: Any
    ) -> tuple[Any, Any]:
        refuse_out_among(name, options, named, out)
        x_dot, y_dot = tangents[1], tangents[2]
        z = apply(x, y, *options, **named)
        terms = [
            apply(*pair, *options, **named)
            for dot, pair in ((x_dot, (x_dot, y)), (y_dot, (x, y_dot)))
            if not isinstance(dot, AbstractZero)
        ]
        return z, sum_tangents(z, terms or [x_dot])

    def bilinear_rrule(
        f: typeof_(primal), x: Operand, y: Operand, *options: Any, **named: Any
    ) -> tuple[Any, Any]:
        refuse_out_among(name, options, named, out)
        call = (x, y, *options), named

        def bilinear_pullback(z_bar: Any) -> Any:
            bars = Thunk(_pull_bilinear, by_x, x, z_bar, *call), Thunk(_pull_bilinear, by_y, y, z_bar, *call)
            return NO_TANGENT, *bars, *(NO_TANGENT,) * len(options)

        return apply(x, y, *options, **named), bilinear_pullback

    define(bilinear_frule, shortened_by(shortcut)(bilinear_rrule) if shortcut else bilinear_rrule)


def _pull_bilinear(by: Callable[..., Any], operand: Any, z_bar: Any, args: Any, named: Any) -> Any:
    return unbroadcast(operand, by(z_bar, *args, **named))


def tangent_like(y: Any, y_dot: Any) -> Any:
    """A tangent in the precision of the result `y`; numbers that were cut to integers have none."""
    return ProjectTo(y)(y_dot) if np.result_type(primal_of(y)).kind in "fc" else NO_TANGENT
