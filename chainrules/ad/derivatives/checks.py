"""Errors of `grad`, `jacobian` and others: which arguments and results they refuse, and how to write it."""

import inspect
import types
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from chainrules.ad.derivatives.names_elsewhere import check_keywords
from chainrules.ad.modes.containers import flatten
from chainrules.ad.traced.hiding import check_argument_hides_nothing
from chainrules.ad.traced.tracing import is_differentiable
from chainrules.ad.values.kinds_of_arrays import plain_form, refusal_of_class
from chainrules.ad.values.plain_values import FLOATS
from chainrules.ad.values.structures import holds, parts_of
from chainrules_core import LazyArray, SparseArray, describe_callee, primal_of


def checked_places(f: Callable[..., Any], argnums: int | Sequence[int], n_args: int) -> tuple[int, ...]:
    """The positions of the arguments to differentiate by, counted from 0.

    Raises
    ------
    TypeError
        If there is no argument at a position, or a position is named twice.
    """
    if argnums.__class__ is int and 0 <= argnums < n_args:
        return (argnums,)
    given = tuple(argnums) if isinstance(argnums, tuple | list) else (argnums,)
    for place in given:
        if not -n_args <= place < n_args:
            raise TypeError(
                f"The gradient of {describe_callee(f)} by argument {place} was asked for, but it was called "
                f"with {n_args} positional arguments. {_mend_of_place(place, n_args)}"
            )
    places = tuple(place % n_args for place in given)
    if len(set(places)) < len(places):
        raise TypeError(f"argnums={argnums!r} names an argument of {describe_callee(f)} twice.")
    return places


def _mend_of_place(place: int, n_args: int) -> str:
    if place == n_args > 0:
        return f"`argnums` counts from 0: the last argument is {n_args - 1}."
    return "Give what to differentiate by in the call, by position, not by name: `grad(f)(x)`."


def check_made(name: str, f: Any, argnums: Any, unknown: Mapping[str, Any] = MappingProxyType({})) -> None:
    """Raise unless `grad` and its like are given a function, positions of arguments, and nothing unknown.

    Raises
    ------
    TypeError
        If they were given a result of the function, or its arguments, or an option of another library.
    """
    check_keywords(name, unknown)
    if not callable(f):
        raise TypeError(
            f"{name}(f): f is a {type(f).__name__}, not a function. Write `{name}(f)(x)`, and neither "
            f"`{name}(f(x))` nor `{name}(x)`."
        )
    given = argnums if isinstance(argnums, tuple | list) else (argnums,)
    for place in given:
        if isinstance(place, str):
            raise TypeError(
                f"{name}({describe_callee(f)}, argnums={argnums!r}): arguments are named by their positions, "
                f"which count from 0{_place_of(f, place)}."
            )
        if not isinstance(place, int | np.integer) or isinstance(place, bool):
            raise TypeError(
                f"{name}({describe_callee(f)}, ...) returns a function, which takes the arguments: write "
                f"`{name}(f)(x)`. What was given as `argnums`, the positions of the arguments to "
                f"differentiate by, is or holds a {type(place).__name__}."
            )


def _place_of(f: Any, name: str) -> str:
    try:
        names = list(inspect.signature(f).parameters)
    except (TypeError, ValueError):
        return ""
    return f": `{name}` is {names.index(name)}" if name in names else ""


def check_argument(f: Callable[..., Any], x: Any, place: int) -> None:
    """Raise if a function cannot be differentiated by an argument.

    Raises
    ------
    TypeError
        If it is an integer, holds no number that could be moved, or holds some where nobody looks.
    """
    if is_differentiable(x):
        return
    check_argument_hides_nothing(f, x, place)
    if holds(x, is_differentiable) or _is_empty(x):
        return
    is_array = isinstance(x, np.ndarray | SparseArray)
    if isinstance(x, int | np.integer | np.bool_) or (is_array and x.dtype.kind in "iub"):
        kind = f"an array of {x.dtype}" if is_array else f"the {type(x).__name__} {x!r}"
        raise TypeError(
            f"{describe_callee(f)} cannot be differentiated by argument {place}, {kind}: there is nothing "
            "between two integers. Pass a float, `2.0` for `2`, `x.astype(float)` for an array; or choose "
            "other arguments with `argnums`."
        )
    kind = f"{describe_callee(f)} cannot be differentiated by argument {place}, a {type(x).__name__}"
    instead = refusal_of_class(type(x))
    if instead is not None:
        raise TypeError(f"{kind}. {instead}")
    plain = plain_form(x)
    if plain is not None:
        raise TypeError(
            f"{kind}, which has no projector: rules know numbers, arrays, and containers of them. Write "
            f"`{plain}` in its place."
        )
    other = "Choose other arguments with `argnums`."
    if holds(x, is_integer):
        raise TypeError(
            f"{kind}, which holds integers, and no real or complex number. Write `2.0` for `2`, or give "
            f"`x.astype(float)` for an array. {other}"
        )
    raise TypeError(f"{kind}, which holds no real or complex number. {other}")


def is_integer(x: Any) -> bool:
    """Whether `x` is an integer, or an array of them; a bool is none."""
    if isinstance(x, np.ndarray):
        return x.dtype.kind in "iu"
    return isinstance(x, int | np.integer) and not isinstance(x, bool)


def _is_empty(x: Any) -> bool:
    return isinstance(x, tuple | list | dict) and all(map(_is_empty, parts_of(x).values()))


def check_result(f: Callable[..., Any], y: Any) -> None:
    """Raise unless the result of a function is one real number.

    Raises
    ------
    TypeError
        If it is an array with axes, a complex number, or no number at all.
    """
    y = primal_of(y)
    if y.__class__ in FLOATS:
        return
    if isinstance(y, np.ndarray | LazyArray) and y.shape != ():
        raise TypeError(
            f"The gradient of {describe_callee(f)} needs one number as its result, not an array of shape "
            f"{y.shape}. Sum it, or pick an element."
        )
    if isinstance(y, np.ndarray) and y.dtype.hasobject:
        raise TypeError(
            f"The gradient of {describe_callee(f)} needs a number as its result, not one in an array of "
            "objects, in which the derivative would be lost. Return the number itself."
        )
    if isinstance(y, np.ma.MaskedArray):
        raise TypeError(
            f"The gradient of {describe_callee(f)} needs a number as its result, and this one is masked: "
            "nothing is left that it could be computed from."
        )
    if y is None:
        raise TypeError(
            f"The gradient of {describe_callee(f)} needs a number as its result, and it returned None. Was "
            "`return` forgotten?"
        )
    if not isinstance(y, float | int | complex | np.number | np.ndarray | LazyArray):
        mend = (
            "Return a number that is made of what it yields."
            if isinstance(y, types.GeneratorType)
            else "If it returns something beside the number, write `value_and_grad(f, has_aux=True)`."
        )
        raise TypeError(
            f"The gradient of {describe_callee(f)} needs a number as its result, not a {type(y).__name__}. "
            f"{mend}"
        )
    if np.iscomplexobj(y):
        raise TypeError(
            f"The gradient of {describe_callee(f)} needs a real result, and this one is complex. Return "
            "`np.real(y)`, or `np.real(y * np.conj(y))`."
        )


def check_pair(f: Callable[..., Any], y: Any) -> None:
    """Raise unless a function with `has_aux` returns a pair.

    Raises
    ------
    TypeError
        If it does not.
    """
    if not isinstance(y, tuple) or len(y) != 2:
        raise TypeError(
            f"With has_aux=True {describe_callee(f)} has to return a pair, (value, anything), not a "
            f"{type(primal_of(y)).__name__}."
        )


def check_dense(f: Callable[..., Any], x: Any, place: int) -> None:
    """Raise unless a Jacobian can be taken by an argument: it is real, and no matrix with structure.

    Raises
    ------
    TypeError
        If it is a complex, structured or sparse array, or holds one.
    """
    for leaf in flatten(x)[0]:
        value = primal_of(leaf)
        if np.iscomplexobj(value):
            raise TypeError(
                f"The Jacobian of {describe_callee(f)} by argument {place}, which is complex, is not one "
                "matrix of complex numbers unless the function is holomorphic. Write `wirtinger(f, z)`."
            )
        if not isinstance(value, np.ndarray | np.generic | float):
            raise TypeError(
                f"The Jacobian of {describe_callee(f)} by argument {place}, a {type(value).__name__}, would "
                "be dense. Differentiate by the arrays that it is made of, or pull back with `vjp`."
            )


def check_dense_result(f: Callable[..., Any], values: list[Any]) -> None:
    """Raise unless the numbers and arrays in a result have a row of derivatives for each element.

    Raises
    ------
    TypeError
        If one of them is structured or sparse.
    """
    for value in map(primal_of, values):
        if not isinstance(value, np.ndarray | np.generic | float | complex):
            raise TypeError(
                f"The Jacobian of {describe_callee(f)}, whose result holds a {type(value).__name__}, would "
                "be dense. Return the arrays that it is made of, or pull back with `vjp`."
            )


def check_holds_numbers(f: Callable[..., Any], y: Any, values: list[Any]) -> None:
    """Raise if a result is nothing that could have a derivative, as an integer has: zero.

    Raises
    ------
    TypeError
        If it is `None` or a string.
    """
    if not values and isinstance(y, str | types.NoneType):
        forgotten = " Was `return` forgotten?" if y is None else ""
        raise TypeError(
            f"The Jacobian of {describe_callee(f)} needs a number or array as its result, not a "
            f"{type(y).__name__}.{forgotten}"
        )


def check_complex(f: Callable[..., Any], z: Any) -> None:
    """Raise unless an argument is a complex number or array.

    Raises
    ------
    TypeError
        If it is not.
    """
    value = primal_of(z)
    if not isinstance(value, complex | np.ndarray | np.complexfloating) or not np.iscomplexobj(value):
        raise TypeError(
            f"wirtinger({describe_callee(f)}, z): z is a {type(value).__name__} and not a complex number or "
            "array. Write `complex(z)` or `z.astype(complex)`; by a real argument, `jacobian(f)(z)`."
        )


def check_one_output(f: Callable[..., Any], values: list[Any]) -> None:
    """Raise unless the result of a function is one number or array.

    Raises
    ------
    TypeError
        If it is a container of several, or holds none.
    """
    if len(values) != 1:
        raise TypeError(
            f"wirtinger({describe_callee(f)}, z) needs one number or array as the result of the function, "
            f"not {len(values)}."
        )
