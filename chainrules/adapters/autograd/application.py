"""The one autograd primitive through which all adapted functions are called.

autograd keeps the derivatives of primitives in global tables, for ever. So there is one primitive, `_apply`,
whose first argument is the call itself. Its derivatives apply it again, to the pullback or the pushforward of the
call, wherever these may be differentiated in their turn.

autograd's cotangents are conjugates of ours: its pullbacks are transposes of linear maps, ours are adjoints. So
cotangents are conjugated on their way in, and on their way out. Its tangents are the same as ours.
"""

from collections.abc import Sequence
from typing import Any

import autograd.numpy as anp
import numpy as np
from autograd.core import JVPNode, VJPNode
from autograd.extend import defjvp_argnums, defvjp_argnums, primitive
from autograd.tracer import getval, isbox

from chainrules.adapters.errors import AdapterError
from chainrules.adapters.flat_functions import FlatFunction, Outcome, PullbackOf, PushforwardOf
from chainrules.adapters.ownership import owned
from chainrules_core import ZERO_TANGENT, AbstractZero


class _Call:
    """A call of a flat function on its way through autograd.

    Attributes
    ----------
    function
        The flat function.
    places, nodes
        Which of its arguments are boxes of the innermost derivative, and autograd's nodes of these.
    outcome, floating
        The result, once it is computed, and the places in it of floating-point numbers and arrays.
    answer, derivative
        These numbers and arrays, as autograd has them; and the derivative that was computed together with them:
        the pullback to the places, or the tangents of the result.
    """

    __slots__ = ("answer", "derivative", "floating", "function", "nodes", "outcome", "places")

    def __init__(self, function: FlatFunction, values: Sequence[Any]) -> None:
        self.function = function
        self.places, self.nodes = _innermost(values)
        self.answer = self.derivative = self.outcome = None
        self.floating: list[int] = []


def _innermost(values: Sequence[Any]) -> tuple[tuple[int, ...], list[Any]]:
    """The places of boxes that belong to the innermost derivative, and their nodes.

    Where derivatives are nested, a box holds a box. A primitive of autograd opens them one after the other and
    computes on plain arrays at last: of what is differentiated there, only these boxes take part.
    """
    lowest: Any = None
    places: list[int] = []
    nodes: list[Any] = []
    for place, value in enumerate(values):
        if not isbox(value):
            continue
        while isbox(value._value):
            value = value._value
        if lowest is None or value._trace < lowest:
            lowest = value._trace
            places, nodes = [], []
        if value._trace == lowest:
            places.append(place)
            nodes.append(value._node)
    return tuple(places), nodes


def applied(function: FlatFunction, values: Sequence[Any]) -> tuple[Outcome, list[Any]]:
    """The result of a flat function, some of whose arguments are boxes; and the numbers and arrays in it.

    Those of floating point are boxes, others are as they are.
    """
    call = _Call(function, values)
    answer = _apply(call, *values)
    outcome: Any = call.outcome
    results = list(outcome.arrays)
    for place, result in zip(call.floating, _parts(answer, len(call.floating)), strict=True):
        results[place] = result
    return outcome, results


@primitive
def _apply(call: _Call, *values: Any) -> Any:
    function, nodes = call.function, call.nodes
    arrays = [_plain(value) for value in values]
    derivative: Any = None
    if nodes and type(nodes[0]) is VJPNode:
        outcome, derivative = function.pull(arrays, call.places)
    elif nodes and type(nodes[0]) is JVPNode and not any(isbox(node.g) for node in nodes):
        x_dots: list[Any] = [ZERO_TANGENT] * len(arrays)
        for place, node in zip(call.places, nodes, strict=True):
            x_dots[place] = _tangent(node.g, arrays[place], function.name)
        outcome, derivative = function.push(arrays, x_dots)
    else:
        outcome = function.value(arrays)
    template, holes = outcome.template, outcome.holes
    ys = _given_away(outcome.arrays)
    call.outcome = Outcome(ys, template, holes)
    call.floating = [place for place, y in enumerate(ys) if y.dtype.kind in "fc"]
    call.derivative = derivative
    call.answer = _whole([ys[place] for place in call.floating])
    return call.answer


def _vjp(argnums: Sequence[int], ans: Any, args: Sequence[Any], kwargs: Any) -> Any:
    """autograd's pullback of a call, by the arguments at some places."""
    call, *values = args
    function, outcome, floating = call.function, call.outcome, call.floating
    wanted = tuple([argnum - 1 for argnum in argnums])
    # Was this computed with the result, and for the same places?
    pullback = call.derivative if call.answer is ans and call.places == wanted else None
    given = tuple([place in floating for place in range(len(outcome.arrays))])
    ys = _parts(ans, len(floating))

    def vjp(g: Any) -> list[Any]:
        gs = [_adjoint(part, y, function.name) for part, y in zip(_parts(g, len(ys)), ys, strict=True)]
        if pullback is None or any(isbox(part) for part in gs):
            _, x_bars = applied(PullbackOf(function, wanted, given), [*values, *gs])
        else:
            y_bars: list[Any] = [ZERO_TANGENT] * len(given)
            for place, part in zip(floating, gs, strict=True):
                y_bars[place] = part
            x_bars = pullback(y_bars)
            for place, x_bar in enumerate(x_bars):
                if isinstance(x_bar, AbstractZero):
                    x_bars[place] = np.zeros_like(values[wanted[place]])
            del x_bar
            x_bars = _given_away(x_bars)
        return [_conjugate(x_bar) for x_bar in x_bars]

    return vjp


def _jvp(argnums: Sequence[int], gs: Sequence[Any], ans: Any, args: Sequence[Any], kwargs: Any) -> Any:
    """autograd's tangent of the result of a call, along tangents of the arguments at some places."""
    call, *values = args
    function, floating = call.function, call.floating
    if call.answer is ans and call.derivative is not None:
        y_dots = call.derivative
        for place in floating:
            if isinstance(y_dots[place], AbstractZero):
                y_dots[place] = np.zeros_like(call.outcome.arrays[place])
        return _whole(_given_away([y_dots[place] for place in floating]))
    moving = [argnum - 1 for argnum in argnums]
    given = tuple([place in moving for place in range(len(values))])
    x_dots = [_tangent(g, values[place], function.name) for place, g in zip(moving, gs, strict=True)]
    _, y_dots = applied(PushforwardOf(function, given), [*values, *x_dots])
    return _whole([y_dots[place] for place in floating])


defvjp_argnums(_apply, _vjp)
defjvp_argnums(_apply, _jvp)


def _whole(parts: list[Any]) -> Any:
    """One number or array, or a tuple of several, which autograd boxes as one."""
    return parts[0] if len(parts) == 1 else tuple(parts)


def _parts(whole: Any, number: int) -> list[Any]:
    return [whole] if number == 1 else [whole[place] for place in range(number)]


def _plain(value: Any) -> Any:
    """A value as functions over NumPy expect it: an array without axes is a number."""
    return value[()] if value.__class__ is np.ndarray and value.ndim == 0 else value


def _given_away(arrays: list[Any]) -> list[Any]:
    return [y[()] if y.ndim == 0 else y for y in owned(arrays)]


def _tangent(x_dot: Any, x: Any, name: str) -> Any:
    if np.shape(getval(x_dot)) != np.shape(getval(x)):
        raise _wrong_shape("tangent", x_dot, "an argument", x, name)
    return _plain(x_dot)


def _adjoint(g: Any, y: Any, name: str) -> Any:
    """autograd's cotangent of `y` as the rules know it."""
    plain, primal = getval(g), getval(y)
    if np.shape(plain) != np.shape(primal):
        raise _wrong_shape("cotangent", plain, "a result", primal, name)
    if np.iscomplexobj(plain):
        g = anp.conj(g) if np.iscomplexobj(primal) else anp.real(g)
    return _plain(g)


def _conjugate(x_bar: Any) -> Any:
    return anp.conj(x_bar) if np.iscomplexobj(getval(x_bar)) else x_bar


def _wrong_shape(kind: str, given: Any, of: str, x: Any, name: str) -> AdapterError:
    return AdapterError(
        f"autograd gave a {kind} of shape {np.shape(getval(given))} for {of} of {name}, whose shape is "
        f"{np.shape(getval(x))}. Give one of the same shape."
    )
