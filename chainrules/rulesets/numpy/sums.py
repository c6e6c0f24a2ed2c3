"""Rules for sums."""

from typing import Any

import numpy as np

from chainrules.operands import Operand
from chainrules.reductions import Reduction, read_reduction, spread
from chainrules_core import NoTangent, ProjectTo, frule, rrule, typeof_, unthunk

_INITIAL = 4  # the place of `initial` after the array


@frule.dispatch
def sum_frule(tangents: Any, f: typeof_(np.sum), x: Operand, *options: Any, **named: Any) -> tuple[Any, Any]:
    _, x_dot, *option_dots = tangents
    reduction = _read(x, *options, **named)
    y = np.sum(x, *options, **named)
    dtype = y.dtype  # also where `x` is of another
    y_dot = np.sum(unthunk(x_dot), dtype=dtype, **reduction._asdict())
    return y, y_dot + unthunk(option_dots[_INITIAL]) if len(option_dots) > _INITIAL else y_dot


@rrule.dispatch
def sum_rrule(f: typeof_(np.sum), x: Operand, *options: Any, **named: Any) -> tuple[Any, Any]:
    reduction = _read(x, *options, **named)
    project = ProjectTo(x)

    def sum_pullback(y_bar: Any) -> tuple[Any, ...]:
        y_bar = unthunk(y_bar)
        option_bars = [NoTangent() for _ in options]
        if len(options) > _INITIAL:
            # Each element of the result starts from this one number.
            option_bars[_INITIAL] = ProjectTo(options[_INITIAL])(np.sum(y_bar))
        return NoTangent(), project(spread(y_bar, x, reduction)), *option_bars

    return np.sum(x, *options, **named), sum_pullback


def _read(  # noqa: PLR0913, PLR0917 - NumPy's signature
    x: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = 0,
    where: Any = True,
) -> Reduction:
    return read_reduction("np.sum", x, axis, dtype, out, keepdims, where)
