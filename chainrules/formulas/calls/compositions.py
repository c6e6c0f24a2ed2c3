"""Functions written as compositions of functions that have rules: both modes from those rules alone.

A composition is run with parts in the place of its arguments. NumPy hands each function that is called
with a part to it, by its protocols. Forwards a part is a value with its tangent, and its functions are
pushed at once; backwards it is a value with its number on a list of the pullbacks, which is gone through
from its end: S. Linnainmaa, "Taylor expansion of the accumulated rounding error", BIT 16 (1976). Values
may be traced by an AD system.
"""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules_core import NO_TANGENT, AbstractZero, ZeroTangent, frule, primal_of, rrule, unthunk

Composition = Callable[..., Any]

# Of these the result is a constant, which a choice is made by.
CONDITIONS = {np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal}


class Part(np.lib.mixins.NDArrayOperatorsMixin):
    """A number or an array on its way through a composition.

    Attributes
    ----------
    value
        The number or the array.
    run
        The function that calls another one with parts.
    mark
        Its tangent, or its number on the list of pullbacks.
    """

    __slots__ = ("mark", "run", "value")

    def __init__(self, value: Any, run: Any, mark: Any) -> None:
        self.value, self.run, self.mark = value, run, mark

    @property
    def shape(self) -> tuple[int, ...]:
        """That of the value."""
        return np.shape(primal_of(self.value))

    def __getitem__(self, key: Any) -> Any:
        return self.run(operator.getitem, (self, key), {})

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Call a universal function, or refuse another method of one."""
        return NotImplemented if method != "__call__" else self.run(ufunc, inputs, options)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """Call a function of NumPy."""
        return self.run(function, args, kwargs)


def value_of(x: Any) -> Any:
    """What decisions of a composition are made on: the value of a part, without tangent or trace."""
    return primal_of(x.value if isinstance(x, Part) else x)


def push_composition(composition: Composition, args: Any, dots: Any) -> Any:
    """The tangent of ``composition(*args)``, or the tuple of those of its results.

    Parameters
    ----------
    composition
        A function of numbers and arrays, made of functions of NumPy and universal functions.
    args, dots
        Its arguments, and their tangents.
    """

    def run(function: Any, inputs: Any, options: Any) -> Any:
        values, marks = _taken_apart(inputs)
        if function in CONDITIONS:
            return function(*map(primal_of, values))
        if all(isinstance(mark, AbstractZero) for mark in marks):
            return Part(function(*values, **options), run, NO_TANGENT)
        y, y_dot = _found(frule((NO_TANGENT, *marks), function, *values, **options), function)
        return Part(y, run, y_dot)

    return _each(_mark, composition(*map(Part, args, (run,) * len(args), dots)))


def pull_composition(composition: Composition, args: Any, y_bars: Any) -> list[Any]:
    """The cotangents of the arguments of a composition, from that of its result or the tuple of several."""
    tape: list[tuple[Any, list[Any]]] = [(None, [])] * len(args)

    def run(function: Any, inputs: Any, options: Any) -> Any:
        values, marks = _taken_apart(inputs)
        if function in CONDITIONS:
            return function(*map(primal_of, values))
        y, pullback = _found(rrule(function, *values, **options), function)
        tape.append((pullback, marks))
        return Part(y, run, len(tape) - 1)

    ys = composition(*map(Part, args, (run,) * len(args), range(len(args))))
    bars: list[Any] = [ZeroTangent()] * len(tape)
    for y, y_bar in zip(*((ys, y_bars) if isinstance(ys, tuple) else ((ys,), (y_bars,))), strict=True):
        if isinstance(y, Part):
            bars[y.mark] = bars[y.mark] + y_bar
    for number in range(len(tape) - 1, len(args) - 1, -1):
        pullback, marks = tape[number]
        if isinstance(bars[number], AbstractZero):
            continue
        for mark, x_bar in zip(marks, pullback(unthunk(bars[number]))[1:], strict=True):
            if not isinstance(mark, AbstractZero):
                bars[mark] = bars[mark] + unthunk(x_bar)
    return bars[: len(args)]


def _taken_apart(inputs: Any) -> tuple[list[Any], list[Any]]:
    values = [x.value if isinstance(x, Part) else x for x in inputs]
    return values, [x.mark if isinstance(x, Part) else NO_TANGENT for x in inputs]


def _found(answer: Any, function: Any) -> Any:
    if answer is None:
        raise TypeError(f"A composition calls {function!r}, which has no rule.")
    return answer


def _mark(y: Any) -> Any:
    """The tangent of a result, which may be a constant."""
    return y.mark if isinstance(y, Part) else NO_TANGENT


def _each(f: Callable[[Any], Any], ys: Any) -> Any:
    return tuple(map(f, ys)) if isinstance(ys, tuple) else f(ys)
