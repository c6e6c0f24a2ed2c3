"""Shortcuts: a quicker way for the common calls of a function, beside the function and held equal to it.

A rule reads as its mathematics, and serves every kind of value. Most calls are with plain arrays of floats,
for which the same can often be computed sooner. So that speed is not written into the mathematics,
the quicker way stands in a function of its own, which answers, or declines by returning `None`.
"""

import functools
import inspect
import os
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

# Whether there are any; `CHAINRULES_SHORTCUTS=0` turns them off.
ARE_ENABLED = os.environ.get("CHAINRULES_SHORTCUTS", "1") != "0"


class Shortcut(NamedTuple):
    """A function and the quicker way for some of its calls.

    Attributes
    ----------
    function
        The function that serves every call.
    shortcut
        The function that answers some of them, and declines the others by returning `None`.
    """

    function: Callable[..., Any]
    shortcut: Callable[..., Any]


_shortcuts: list[Shortcut] = []


def shortened_by(shortcut: Callable[..., Any]) -> Callable[[Function], Function]:
    """Let `shortcut` answer the calls of a function that it can; the function answers the others.

    With ``CHAINRULES_SHORTCUTS=0`` in the environment the function answers all of them.

    Parameters
    ----------
    shortcut
        Called with the arguments of the function. It returns the same as the function, or `None` for a call
        that it leaves to it.

    Returns
    -------
    decorator
        To stand below ``@rrule.dispatch``, or above any other function that does not return `None`.

    Examples
    --------
    >>> def cube(x):
    ...     return x**3
    >>> def cube_of_float(f, x):
    ...     if x.__class__ is not float:
    ...         return None
    ...
    ...     def cube_pullback(y_bar):
    ...         return NoTangent(), 3.0 * x * x * y_bar
    ...
    ...     return x * x * x, cube_pullback
    >>> @rrule.dispatch
    ... @shortened_by(cube_of_float)
    ... def cube_rrule(f: typeof_(cube), x):
    ...     def cube_pullback(y_bar):
    ...         return NoTangent(), ProjectTo(x)(3 * x**2 * y_bar)
    ...
    ...     return x**3, cube_pullback
    >>> y, pullback = rrule(cube, 2.0)
    >>> pullback(1.0)
    (NoTangent(), 12.0)
    """

    def decorate(function: Function) -> Function:
        _shortcuts.append(Shortcut(function, shortcut))
        return _shortened(function, shortcut) if ARE_ENABLED else function

    return decorate


def _shortened(function: Any, shortcut: Callable[..., Any]) -> Any:
    code = function.__code__
    takes_others = code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS) or code.co_kwonlyargcount
    compose = None if takes_others or function.__defaults__ else _COMPOSERS.get(code.co_argcount)
    shortened: Any = functools.wraps(function)((compose or _of_any)(function, shortcut))
    shortened.__shortcut__ = shortcut
    return shortened


def _of_any(function: Any, shortcut: Callable[..., Any]) -> Callable[..., Any]:
    def shortened(*args: Any, **kwargs: Any) -> Any:
        if kwargs:
            answer = shortcut(*args, **kwargs)
            return function(*args, **kwargs) if answer is None else answer
        answer = shortcut(*args)
        return function(*args) if answer is None else answer

    return shortened


# With their parameters written out, which spares a call the time of packing and unpacking them.


def _of_one(function: Any, shortcut: Callable[..., Any]) -> Callable[..., Any]:
    def shortened(a: Any) -> Any:
        answer = shortcut(a)
        return function(a) if answer is None else answer

    return shortened


def _of_two(function: Any, shortcut: Callable[..., Any]) -> Callable[..., Any]:
    def shortened(a: Any, b: Any) -> Any:
        answer = shortcut(a, b)
        return function(a, b) if answer is None else answer

    return shortened


def _of_three(function: Any, shortcut: Callable[..., Any]) -> Callable[..., Any]:
    def shortened(a: Any, b: Any, c: Any) -> Any:
        answer = shortcut(a, b, c)
        return function(a, b, c) if answer is None else answer

    return shortened


def _of_four(function: Any, shortcut: Callable[..., Any]) -> Callable[..., Any]:
    def shortened(a: Any, b: Any, c: Any, d: Any) -> Any:
        answer = shortcut(a, b, c, d)
        return function(a, b, c, d) if answer is None else answer

    return shortened


_COMPOSERS = {1: _of_one, 2: _of_two, 3: _of_three, 4: _of_four}


def shortcuts() -> tuple[Shortcut, ...]:
    """Every shortcut so far, whether shortcuts are on or off: for tests that compare both ways."""
    return tuple(_shortcuts)
