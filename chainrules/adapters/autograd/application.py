"""Calls of flat functions with autograd's boxes, and their derivatives.

This is what `autograd.extend.primitive` does, and one thing more: what is differentiated is known before the
result is computed, so that a rule computes its pullback, or its tangent, together with the result. And since
autograd keeps the derivatives of functions in global tables, for ever, there is one function in them,
`_call_again`, whose first argument is the call.

autograd's cotangents are conjugates of ours: its pullbacks are transposes of linear maps, ours are adjoints.
So cotangents are conjugated on their way in, and on their way out. Its tangents are the same as ours.
"""
# ruff: noqa: SLF001 - autograd has no public names for what a box holds

from collections.abc import Sequence
from functools import partial
from typing import Any

import autograd.numpy as anp
import numpy as np
from autograd.core import JVPNode, VJPNode
from autograd.extend import defjvp_argnums, defvjp_argnums
from autograd.tracer import box_types, getval, isbox, new_box

from chainrules.adapters.errors import AdapterError
from chainrules.adapters.flat_functions import FlatFunction, Outcome, PullbackOf, PushforwardOf
from chainrules.adapters.ownership import owned
from chainrules_core import ZERO_TANGENT, AbstractZero


class _Call:
    """A call of a flat function, computed.

    Attributes
    ----------
    function
        The flat function.
    places
        Those of its arguments that the innermost derivative is taken by.
    outcome
        The result, of plain numbers and arrays.
    floating
        The places in it of floating-point numbers and arrays: autograd knows no others.
    derivative
        What was computed together with the result: the pullback to the places, or the tangents of the result.
    """

    __slots__ = ("derivative", "floating", "function", "outcome", "places")

    def __init__(self, function: FlatFunction, places: list[int], outcome: Outcome, derivative: Any) -> None:
        ys = outcome.arrays
        integers = [(place, y) for place, y in enumerate(ys) if isinstance(y, int)]  # truth values too
        ys[:] = _given_away(ys)
        self.function = function
        self.places = places
        self.outcome = outcome
        self.floating = [place for place, y in enumerate(ys) if y.dtype.kind in "fc"]
        self.derivative = derivative
        for place, y in integers:
            ys[place] = y

    def whole(self, parts: Sequence[Any]) -> Any:
        """What autograd has, of parts for all numbers and arrays in the result: one as it is, or a tuple."""
        if len(self.floating) == 1:
            return parts[self.floating[0]]
        return tuple([parts[place] for place in self.floating])

    def parts(self, whole: Any) -> list[Any]:
        """One part for each floating-point number and array in the result, of what autograd has."""
        return [whole] if len(self.floating) == 1 else [whole[number] for number in range(len(self.floating))]


def applied(function: FlatFunction, values: Sequence[Any]) -> tuple[Outcome, list[Any]]:
    """The result of a flat function, some of whose arguments are boxes; and the numbers and arrays in it.

    Those of floating point are boxes, others are as they are.
    """
    call, answer = _applied(function, values)
    results = list(call.outcome.arrays)
    for place, result in zip(call.floating, call.parts(answer), strict=True):
        results[place] = result
    return call.outcome, results


def _applied(function: FlatFunction, values: Sequence[Any]) -> tuple[_Call, Any]:
    """The call, and its floating-point results in a box.

    Where derivatives are nested, boxes hold boxes. Those of the latest trace are opened, the call is made
    with what they hold, and its result is put into a box of this trace, with a node whose parents are theirs.
    """
    trace = -1
    places: list[int] = []
    for place, value in enumerate(values):
        if value.__class__ in box_types:
            if value._trace > trace:
                trace, places = value._trace, []
            if value._trace == trace:
                places.append(place)
    opened = list(values)
    nodes = []
    for place in places:
        nodes.append(values[place]._node)
        opened[place] = values[place]._value
    if any([value.__class__ in box_types for value in opened]):  # noqa: C419 - which is quicker
        call, answer = _applied(function, opened)
    else:
        call = _differentiated(function, opened, places, nodes)
        answer = call.whole(call.outcome.arrays)
    if not nodes:
        return call, answer
    argnums = [1 + place for place in places]
    node = type(nodes[0])(answer, _call_again, (call, *opened), {}, argnums, nodes)
    return call, new_box(answer, trace, node)


def _differentiated(function: FlatFunction, values: list[Any], places: list[int], nodes: list[Any]) -> _Call:
    """A call with plain numbers and arrays, and with it the derivative by those at some places."""
    # An array without axes is a number to functions over NumPy.
    arrays = [value[()] if value.__class__ is np.ndarray and not value.shape else value for value in values]
    derivative: Any = None
    node_class = type(nodes[0]) if nodes else None
    if node_class is VJPNode:
        outcome, derivative = function.pull(arrays, places)
    elif node_class is JVPNode and not any(isbox(node.g) for node in nodes):
        x_dots: list[Any] = [ZERO_TANGENT] * len(arrays)
        for place, node in zip(places, nodes, strict=True):
            x_dots[place] = np.asarray(_tangent(node.g, arrays[place], function))[()]
        outcome, derivative = function.push(arrays, x_dots)
    else:
        outcome = function.value(arrays)
    return _Call(function, places, outcome, derivative)


def _call_again(call: _Call, *values: Any) -> Any:
    """Stand for all calls in autograd's tables; and repeat one with other values, for its `const_graph`."""
    return _applied(call.function, values)[1]


def _vjp(argnums: Sequence[int], ans: Any, args: Sequence[Any], kwargs: Any) -> Any:
    """autograd's pullback of a call, to the arguments at some places."""
    call = args[0]
    if call.derivative is None or isbox(ans):
        return partial(_pulled_by_autograd, args, [argnum - 1 for argnum in argnums], ans)
    return partial(_pulled, args, ans)


def _pulled(args: Sequence[Any], ans: Any, g: Any) -> list[Any]:
    """Cotangents of arguments, by the pullback that was computed with the result."""
    call = args[0]
    y_bars: list[Any] = [ZERO_TANGENT] * len(call.outcome.arrays)
    for place, part, y in zip(call.floating, call.parts(g), call.parts(ans), strict=True):
        if part.__class__ in box_types:
            return _pulled_by_autograd(args, call.places, ans, g)
        y_bars[place] = _adjoint(part, y, call.function)
    x_bars = call.derivative(y_bars)
    for number, place in enumerate(call.places):
        if isinstance(x_bars[number], AbstractZero):
            x_bars[number] = np.zeros_like(args[1 + place])
    return [x_bar.conj() if x_bar.dtype.kind == "c" else x_bar for x_bar in _given_away(x_bars)]


def _pulled_by_autograd(args: Sequence[Any], wanted: Sequence[int], ans: Any, g: Any) -> list[Any]:
    """The same by a call of the pullback, which autograd differentiates in its turn."""
    call, *values = args
    ys = call.parts(ans)
    gs = [_adjoint(part, y, call.function) for part, y in zip(call.parts(g), ys, strict=True)]
    given = tuple([place in call.floating for place in range(len(call.outcome.arrays))])
    x_bars = applied(PullbackOf(call.function, tuple(wanted), given), [*values, *gs])[1]
    return [anp.conj(x_bar) if np.iscomplexobj(getval(x_bar)) else x_bar for x_bar in x_bars]


def _jvp(argnums: Sequence[int], gs: Sequence[Any], ans: Any, args: Sequence[Any], kwargs: Any) -> Any:
    """autograd's tangent of the result of a call, along tangents of the arguments at some places."""
    call, *values = args
    if call.derivative is None or isbox(ans):
        moving = [argnum - 1 for argnum in argnums]
        given = tuple([place in moving for place in range(len(values))])
        x_dots = [_tangent(g, values[place], call.function) for place, g in zip(moving, gs, strict=True)]
        return call.whole(applied(PushforwardOf(call.function, given), [*values, *x_dots])[1])
    y_dots = [call.derivative[place] for place in call.floating]
    for number, place in enumerate(call.floating):
        if isinstance(y_dots[number], AbstractZero):
            y_dots[number] = np.zeros_like(call.outcome.arrays[place])
    call.derivative = None  # nobody else asks for these, so that they need not be copied
    y_dots = _given_away(y_dots)
    return y_dots[0] if len(y_dots) == 1 else tuple(y_dots)


defvjp_argnums(_call_again, _vjp)
defjvp_argnums(_call_again, _jvp)


def _given_away(arrays: list[Any]) -> list[Any]:
    return [array if array.shape else array[()] for array in owned(arrays)]


def _tangent(x_dot: Any, x: Any, function: FlatFunction) -> Any:
    if np.shape(getval(x_dot)) != np.shape(getval(x)):
        raise _wrong_shape("tangent", x_dot, "an argument", x, function)
    return x_dot


def _adjoint(g: Any, y: Any, function: FlatFunction) -> Any:
    """autograd's cotangent of `y` as the rules know it."""
    if g.__class__ is y.__class__ is np.ndarray and g.shape == y.shape and g.dtype.kind == "f":
        return g  # nearly always
    plain, primal = getval(g), getval(y)
    if np.shape(plain) != np.shape(primal):
        raise _wrong_shape("cotangent", plain, "a result", primal, function)
    if np.iscomplexobj(plain):
        g = anp.conj(g) if np.iscomplexobj(primal) else anp.real(g)
    return g if isbox(g) else np.asarray(g)[()]


def _wrong_shape(kind: str, given: Any, of: str, x: Any, function: FlatFunction) -> AdapterError:
    return AdapterError(
        f"autograd gave a {kind} of shape {np.shape(getval(given))} for {of} of {function.name}, whose shape "
        f"is {np.shape(getval(x))}. Give one of the same shape."
    )
