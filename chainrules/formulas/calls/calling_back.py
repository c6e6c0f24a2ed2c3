"""Calls of a function that is an argument of another, differentiated by way of AD.

The function is an argument like any other. The values that it holds, if it is a closure or an object, get
cotangents: the sums of the cotangents that its calls give.
"""

from collections.abc import Callable, Sequence
from typing import Any

from chainrules.values.iterables import no_cotangent
from chainrules_core import AbstractZero, ProjectTo, ZeroTangent


def pull_calls(
    g: Any, pullbacks: Sequence[Callable[[Any], tuple[Any, ...]]], y_bars: Sequence[Any], n_arguments: int
) -> tuple[Any, list[list[Any]]]:
    """Pull back the results of several calls of `g`.

    Parameters
    ----------
    g
        The function.
    pullbacks
        The pullbacks of the calls.
    y_bars
        The cotangents of their results. A call whose result nothing depends on is not pulled back.
    n_arguments
        How many arguments each call has.

    Returns
    -------
    g_bar
        The cotangent of the function.
    x_bars
        For each argument a list of its cotangents, one for each call.
    """
    g_bar: Any = ZeroTangent()
    x_bars: list[list[Any]] = [[] for _ in range(n_arguments)]
    for pullback, y_bar in zip(pullbacks, y_bars, strict=True):
        is_zero = isinstance(y_bar, AbstractZero)
        own_bar, *call_bars = [ZeroTangent()] * (1 + n_arguments) if is_zero else pullback(y_bar)
        g_bar = g_bar + own_bar
        for below, x_bar in zip(x_bars, call_bars, strict=True):
            below.append(x_bar)
    return function_cotangent(g, g_bar), x_bars


def function_cotangent(g: Any, g_bar: Any) -> Any:
    """The cotangent of a function in its tangent space: `NoTangent` for one that holds nothing."""
    return no_cotangent(g) if isinstance(g_bar, AbstractZero) else ProjectTo(g)(g_bar)


def total_of(x_bars: Sequence[Any]) -> Any:
    """The cotangent of an argument that several calls share."""
    return sum(x_bars, start=ZeroTangent())
