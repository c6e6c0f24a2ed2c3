"""Calls of solvers: their arguments by name, and the tangents of the parts of their results.

A result is an object with fields, a tuple, or the solution alone; its parts are found by the names of
fields, or by their places. The solution, and perhaps the value there, have derivatives. Counts and messages
have none. Derivatives of what a result says of the search, such as an estimate of an error, are not
implemented.
"""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from chainrules.values.held_numbers import noted_call
from chainrules.values.iterables import dict_tangent, item_tangents, no_cotangent, tuple_tangent
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    StructuralTangent,
    backing,
    not_implemented,
    primal_of,
    primitive,
    unthunk,
)


@functools.cache
def defaults_of(solver: Any) -> dict[str, Any]:
    """The default of each parameter of a solver, in their order."""
    parameters = inspect.signature(solver).parameters.values()
    return {x.name: x.default for x in parameters if x.kind is not x.VAR_KEYWORD}


def arguments_of(solver: Any, given: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """All arguments of a call, by the names of the parameters."""
    defaults = defaults_of(solver)
    return defaults | dict(zip(defaults, given, strict=False)) | named


def solved(
    solver: Any,
    given: tuple[Any, ...],
    named: dict[str, Any],
    names: Iterable[str],
    call: Callable[..., Any] | None = None,
) -> tuple[dict[str, Any], str, dict[str, Any], Any, Callable[[], None]]:
    """Call a solver of SciPy, whose functions its derivative will call again.

    Parameters
    ----------
    solver, given, named
        The call.
    names
        The names of the arguments that the solution depends on.
    call
        What to call, if not the solver itself.

    Returns
    -------
    tuple
        All arguments by name; the name of the solver; the arguments that the solution depends on; the result;
        and a function that refuses what has changed since then: `noted_call`.
    """
    package = ".".join(solver.__module__.split(".")[:2])
    arguments, called = arguments_of(solver, given, named), f"{package}.{solver.__name__}"
    inputs = {name: arguments[name] for name in names if name in arguments}
    result, check = noted_call(tuple(inputs.values()), called, call or primitive(solver), *given, **named)
    return arguments, called, inputs, result, check


def dots_of(solver: Any, dots: Iterable[Any], names: Iterable[str]) -> list[Any]:
    """The tangents of the arguments with the given names, of those by position."""
    by_name = dict(zip(defaults_of(solver), dots, strict=False))
    return [by_name.get(name, NO_TANGENT) for name in names]


def bars_of(solver: Any, given: tuple[Any, ...], bars: dict[str, Any]) -> tuple[Any, ...]:
    """The cotangents of the arguments by position, from those that have any."""
    return tuple(
        bars[name] if name in bars else no_cotangent(x)
        for name, x in zip(defaults_of(solver), given, strict=False)
    )


def parts_of_result(result: Any) -> dict[Any, Any]:
    """The parts of a result, by the names of fields or by their places."""
    if isinstance(result, dict):
        return dict(result)
    return dict(enumerate(result)) if isinstance(result, tuple) else {0: result}


def tangent_of_result(result: Any, dots: dict[Any, Any], called: str) -> Any:
    """The tangent of a result, from the tangents of those parts that have one."""
    parts = {
        key: dots[key] if key in dots else missing(x, key, called)
        for key, x in parts_of_result(result).items()
    }
    if isinstance(result, dict):
        return dict_tangent(type(result), parts)
    return tuple_tangent(type(result), list(parts.values())) if isinstance(result, tuple) else parts[0]


def cotangents_in_result(result: Any, y_bar: Any, known: Iterable[Any], called: str) -> dict[Any, Any]:
    """The cotangents of the parts that have derivatives; an error if there are others that have none."""
    parts = parts_of_result(result)
    y_bar = unthunk(y_bar)
    if isinstance(y_bar, AbstractZero):
        return dict.fromkeys(known, y_bar)
    if isinstance(result, dict):
        bars = {key: y_bar[key] for key in parts}
    else:
        bars = dict(enumerate(item_tangents(y_bar, len(parts)))) if isinstance(result, tuple) else {0: y_bar}
    for key, x in parts.items():
        sign = NO_TANGENT if key in known else missing(x, key, called)
        if not isinstance(sign, AbstractZero) and not holds_zeros(bars[key]):
            raise not_implemented(_of_part(key, called)).error()
    return {key: unthunk(bars[key]) for key in known}


def missing(x: Any, key: Any, called: str) -> Any:
    """The tangent of a part of a result whose derivatives are not implemented."""
    return missing_parts(x, _of_part(key, called))


def _of_part(key: Any, called: str) -> str:
    part = f"the field `{key}`" if isinstance(key, str) else f"item {key}"
    return f"{part} of the result of {called}"


def missing_parts(x: Any, called: str) -> Any:
    """The tangent of a value whose numbers have derivatives that are not implemented."""
    if isinstance(x, tuple | list):
        return tuple_tangent(type(x), [missing_parts(item, called) for item in x])
    if isinstance(x, dict):
        return dict_tangent(type(x), {key: missing_parts(item, called) for key, item in x.items()})
    dtype = getattr(primal_of(x), "dtype", None)
    is_whole = isinstance(x, int | str | None.__class__) or (dtype is not None and dtype.kind not in "fc")
    return NO_TANGENT if is_whole else not_implemented(called)


def holds_zeros(x_bar: Any) -> bool:
    """Whether a cotangent is a zero, or has nothing but zeros in its fields."""
    x_bar = unthunk(x_bar)
    if isinstance(x_bar, StructuralTangent):
        parts = backing(x_bar)
        return all(map(holds_zeros, parts.values() if isinstance(parts, dict) else parts))
    return isinstance(x_bar, AbstractZero) or not np.any(primal_of(x_bar))
