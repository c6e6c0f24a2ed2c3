"""Chains of calls: a function of two arguments, called with each item of an iterable and the result so far.

With ``y₀ = x₀`` and ``yᵢ = g(yᵢ₋₁, xᵢ)``, the cotangent of ``yᵢ₋₁`` is the sum of two: the call of `g` gives
one for its first argument, and ``yᵢ₋₁`` has the other as a result itself.
"""

from collections.abc import Callable, Sequence
from typing import Any

from chainrules.formulas.calls.calling_back import function_cotangent
from chainrules_core import AbstractZero, ProjectTo, ZeroTangent, frule_via_ad, rrule_via_ad, unthunk


def push_chain(
    config: Any, g: Any, g_dot: Any, items: Sequence[Any], dots: Sequence[Any]
) -> tuple[list[Any], list[Any]]:
    """The results ``yᵢ`` and their tangents, one for each item."""
    ys, y_dots = list(items[:1]), list(dots[:1])
    for x, x_dot in zip(items[1:], dots[1:], strict=True):
        y, y_dot = frule_via_ad(config, (g_dot, y_dots[-1], x_dot), g, ys[-1], x)
        ys.append(y)
        y_dots.append(y_dot)
    return ys, y_dots


def pull_chain(config: Any, g: Any, items: Sequence[Any]) -> tuple[list[Any], Callable[[Sequence[Any]], Any]]:
    """The results ``yᵢ``, and the function from their cotangents to the ones of `g` and of the items."""
    ys, pullbacks = list(items[:1]), []
    projects = [ProjectTo(x) for x in items[:1]]
    for x in items[1:]:
        y, pullback = rrule_via_ad(config, g, ys[-1], x)
        ys.append(y)
        pullbacks.append(pullback)

    def chain_pullback(y_bars: Sequence[Any]) -> Any:
        g_bar: Any = ZeroTangent()
        item_bars: list[Any] = []
        carried: Any = ZeroTangent()
        for pullback, y_bar in zip(reversed(pullbacks), reversed(y_bars[1:]), strict=True):
            carried = unthunk(carried + y_bar)
            if isinstance(carried, AbstractZero):
                item_bars.append(ZeroTangent())
                continue
            own_bar, carried, x_bar = pullback(carried)
            g_bar = g_bar + own_bar
            item_bars.append(x_bar)
        return function_cotangent(g, g_bar), [
            *(project(unthunk(carried + y_bar)) for project, y_bar in zip(projects, y_bars[:1], strict=True)),
            *reversed(item_bars),
        ]

    return ys, chain_pullback
