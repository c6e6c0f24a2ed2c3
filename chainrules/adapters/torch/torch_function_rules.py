"""The rules of functions of PyTorch. Their derivatives are functions of PyTorch too, with the same rules."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chainrules.ad.modes.nodes import evaluated
from chainrules.adapters.holes import components, structural_tangent
from chainrules.adapters.torch.tensor_calls import (
    Pullback,
    Pushforward,
    TensorCall,
    pulled,
    recording,
    variables,
)
from chainrules.adapters.torch.torch_functions import (
    TorchFunction,
    from_torch,
    private_arrays,
    private_tensors,
)
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, contains_carrier, frule, primal_of, rrule


@rrule.dispatch
def torch_function_rrule(f: TorchFunction, *args: Any, **kwargs: Any) -> Any:
    """PyTorch records the call. Where values are traced, the pullback is a call that is traced too."""
    call = TensorCall(f.function, args, kwargs)
    wanted = _differentiable(call.arrays)
    if contains_carrier(call.arrays):
        ys, pull = from_torch(call)(*call.arrays), None
    else:
        ys, pull = _recorded(call, wanted)
    projections = [ProjectTo(y) if place in _differentiable(ys) else None for place, y in enumerate(ys)]

    def torch_function_pullback(y_bar: Any) -> tuple[Any, ...]:
        y_bars = _components(y_bar, call.result_holes, projections)
        given = [y_bar for y_bar in y_bars if y_bar is not None]
        if pull is not None and not contains_carrier(given):
            x_bars = pull(y_bars)
        else:
            pullback = Pullback(call, wanted, [y_bar is not None for y_bar in y_bars])
            x_bars = from_torch(pullback)(*call.arrays, *given)
        tangents = [NO_TANGENT] * len(call.arrays)
        for place, x_bar in zip(wanted, x_bars, strict=True):
            tangents[place] = x_bar
        return NO_TANGENT, *[structural_tangent(x, call.holes_of(n), tangents) for n, x in enumerate(args)]

    return call.filled(ys), torch_function_pullback


@frule.dispatch
def torch_function_frule(tangents: Any, f: TorchFunction, *args: Any, **kwargs: Any) -> Any:
    """The pushforward is a function of PyTorch, which returns the results too."""
    call = TensorCall(f.function, args, kwargs)
    projections = [
        ProjectTo(x) if place in _differentiable(call.arrays) else None for place, x in enumerate(call.arrays)
    ]
    x_dots = _components(tuple(tangents[1:]), call.holes, projections)
    moving = [place for place, x_dot in enumerate(x_dots) if x_dot is not None]
    ys, y_dots = from_torch(Pushforward(call, moving))(*call.arrays, *[x_dots[place] for place in moving])
    y = call.filled(ys)
    y_dots = [y_dot if place in _differentiable(ys) else NO_TANGENT for place, y_dot in enumerate(y_dots)]
    return y, structural_tangent(y, call.result_holes, y_dots)


def _recorded(
    call: TensorCall, wanted: Sequence[int]
) -> tuple[list[Any], Callable[[Sequence[Any]], list[Any]]]:
    """The results of a call with arrays, and its pullback, for arrays."""
    with recording():
        inputs, xs = variables(private_tensors(call.arrays), wanted)
        ys = call(*inputs)

    def pull(y_bars: Sequence[Any]) -> list[Any]:
        given = iter(private_tensors([y_bar for y_bar in y_bars if y_bar is not None]))
        tensors = [None if y_bar is None else next(given) for y_bar in y_bars]
        return private_arrays(pulled(ys, xs, tensors, again=False))

    return private_arrays([y.detach() for y in ys]), pull


def _components(tangent: Any, holes: Any, projections: Sequence[Any]) -> list[Any]:
    """The parts of a tangent for the tensors in its primal; `None` for zero."""
    found = [None] * len(projections)
    for place, part in components(tangent, holes, range(len(projections))):
        value = evaluated(part)
        if projections[place] is not None and not isinstance(value, AbstractZero):
            found[place] = projections[place](value)
    return found


def _differentiable(arrays: Sequence[Any]) -> list[int]:
    return [place for place, x in enumerate(arrays) if np.asarray(primal_of(x)).dtype.kind in "fc"]
