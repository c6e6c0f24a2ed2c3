"""Whether a function has a kink: one-sided differences that differ, however small the step."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from chainrules_testutils.advice.report import Check
from chainrules_testutils.values.precision import precision_of
from chainrules_testutils.values.to_vec import RealVector, to_vec

# A wide and a narrow step, and the part of the slopes by which they have to differ, by precision.
_DOUBLE = 1e-3, 1e-5, 1e-3
_SINGLE = 1e-1, 1e-2, 1e-1


def kink_problem(
    f: Callable[..., Any], xs: tuple[Any, ...], direction: RealVector, weights: RealVector
) -> str | None:
    """The description of a kink of ``weights @ f`` at `xs` along a direction; `None` if there is none.

    The one-sided differences of a smooth function approach each other with the step; at a kink they do not.
    """
    try:
        slopes = _one_sided(f, xs, direction, weights)
    except Exception:  # noqa: BLE001 - whatever `f` raises beside the point, that is no kink
        return None
    if slopes is None:
        return None
    below, above = slopes
    return (
        f"one-sided differences differ, {below:.3g} below and {above:.3g} above: a kink, where there is no "
        "derivative to compare with. Test beside it, and assert the convention at it in a test of its own"
    )


def _one_sided(
    f: Callable[..., Any], xs: tuple[Any, ...], direction: RealVector, weights: RealVector
) -> tuple[float, float] | None:
    vec, back = to_vec(xs)
    y = f(*back(vec))
    wide, narrow, part = _DOUBLE if precision_of(y) == np.float64 else _SINGLE
    at_xs = to_vec(y)[0]

    def slope(step: float) -> float:
        return float(weights @ (to_vec(f(*back(vec + step * direction)))[0] - at_xs)) / step

    below, above = slope(-narrow), slope(narrow)
    gap, wide_gap = above - below, slope(wide) - slope(-wide)
    is_kink = abs(gap) > part * max(abs(below), abs(above)) and abs(gap) > 0.5 * abs(wide_gap)
    return (below, above) if is_kink else None


def at_kink(check: Check, kink: str) -> Check:
    """A failed check of values, with the description of a kink."""
    return replace(check, message=check.message.replace("wrong value", f"wrong value, or {kink}", 1))
