"""Rules of folds: a function of two arguments, applied to the items of an iterable one after the other.

With ``y₀ = x₀`` and ``yᵢ = g(yᵢ₋₁, xᵢ)``, the cotangent of ``yᵢ₋₁`` is what `g` gives for its first argument,
and that of what else depends on ``yᵢ₋₁``.
"""

from collections.abc import Callable, Sequence
from typing import Any

from chainrules.makers.calling_back import function_cotangent
from chainrules_core import AbstractZero, ZeroTangent, frule_via_ad, rrule_via_ad, unthunk


def fold(
    config: Any, g: Any, g_dot: Any, items: Sequence[Any], dots: Sequence[Any]
) -> tuple[list[Any], list[Any]]:
    """The results ``yᵢ`` and their tangents, of which there are as many as items."""
    ys, y_dots = list(items[:1]), list(dots[:1])
    for x, x_dot in zip(items[1:], dots[1:], strict=True):
        y, y_dot = frule_via_ad(config, (g_dot, y_dots[-1], x_dot), g, ys[-1], x)
        ys.append(y)
        y_dots.append(y_dot)
    return ys, y_dots


def fold_back(config: Any, g: Any, items: Sequence[Any]) -> tuple[list[Any], Callable[[Sequence[Any]], Any]]:
    """The results ``yᵢ``, and a function of their cotangents that gives those of `g` and of the items."""
    ys, pullbacks = list(items[:1]), []
    for x in items[1:]:
        y, pullback = rrule_via_ad(config, g, ys[-1], x)
        ys.append(y)
        pullbacks.append(pullback)

    def fold_pullback(y_bars: Sequence[Any]) -> Any:
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
            *(carried + y_bar for y_bar in y_bars[:1]),
            *reversed(item_bars),
        ]

    return ys, fold_pullback
