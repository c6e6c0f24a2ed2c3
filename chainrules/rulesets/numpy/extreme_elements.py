"""Rules for the greatest and the least element of an array.

Where several elements are the greatest, they share the derivative of the maximum equally: it is the mean of
their derivatives. Elements that are NaN share it too, since NumPy's maximum is NaN if any element is; the
functions that ignore NaNs give them no derivative. A start given by ``initial=`` shares as one more element.
Minima likewise.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from chainrules.formulas.arrays.extreme_shares import Shares, pull_shares, push_shares, shares_in
from chainrules.shortcuts.numpy.extreme_elements import extremum_of_plain
from chainrules.values.callee_unions import typeof_any
from chainrules.values.operands import Operand, refuse_out
from chainrules.values.reductions import Reduction, given, option_cotangents
from chainrules_core import NO_TANGENT, ProjectTo, frule, primal_of, rrule, shortened_by, typeof_

_INITIAL = 3  # the place of `initial` after the array

_IGNORE_NANS = (np.nanmax, np.nanmin)
_EXTREMA = (np.max, np.min, np.amax, np.amin, *_IGNORE_NANS)


@frule.dispatch
def extremum_frule(tangents, f: typeof_any(_EXTREMA), x: Operand, *options, **named):
    _, x_dot, *option_dots = tangents
    reduction, initial = _read_extremum(f, *options, **named)
    y = f(x, *options, **named)
    shares = shares_in(y, x, reduction, initial, f in _IGNORE_NANS)
    if len(option_dots) <= _INITIAL:
        return y, push_shares(shares, x_dot)
    return y, ProjectTo(y)(push_shares(shares, x_dot, option_dots[_INITIAL]))


@rrule.dispatch
@shortened_by(extremum_of_plain)
def extremum_rrule(f: typeof_any(_EXTREMA), x: Operand, *options, **named):
    reduction, initial = _read_extremum(f, *options, **named)
    y = f(x, *options, **named)
    project = ProjectTo(x)

    def extremum_pullback(y_bar):
        x_bar, initial_bar = pull_shares(shares_in(y, x, reduction, initial, f in _IGNORE_NANS), y_bar, x)
        return NO_TANGENT, project(x_bar), *option_cotangents(options, _INITIAL, initial_bar)

    return y, extremum_pullback


def _read_extremum(f, axis=None, out=None, keepdims=False, initial=None, where=True) -> tuple[Reduction, Any]:  # noqa: PLR0913, PLR0917 - NumPy's signature
    refuse_out(f"np.{f.__name__}", out)
    return Reduction(axis, given(keepdims, False), given(where, True)), given(initial, None)


# --- The range -------------------------------------------------------------------------------------


@frule.dispatch
def ptp_frule(tangents, f: typeof_(np.ptp), x: Operand, *options, **named):
    reduction, _ = _read_extremum(f, *options, **named)
    y = np.ptp(x, *options, **named)
    high_dot, low_dot = (push_shares(shares, tangents[1]) for shares in _range_ends(x, reduction))
    return y, high_dot - low_dot


@rrule.dispatch
def ptp_rrule(f: typeof_(np.ptp), x: Operand, *options, **named):
    reduction, _ = _read_extremum(f, *options, **named)
    project = ProjectTo(x)

    def ptp_pullback(y_bar):
        high_bar, low_bar = (pull_shares(shares, y_bar, x)[0] for shares in _range_ends(x, reduction))
        return NO_TANGENT, project(high_bar - low_bar), *(NO_TANGENT,) * len(options)

    return np.ptp(x, *options, **named), ptp_pullback


def _range_ends(x, reduction: Reduction) -> Iterator[Shares]:
    for f in (np.max, np.min):
        y = f(primal_of(x), axis=reduction.axis, keepdims=reduction.keepdims)
        yield shares_in(y, x, reduction)
