"""Rules for extrema of pairs.

The cotangent goes to the larger, or smaller, of the two; equal ones share it equally. `maximum` and `minimum`
of a NaN are NaN, and the NaN gets the cotangent; in `fmax` and `fmin` the number wins and gets it.
"""

from typing import NamedTuple

import numpy as np

from chainrules.formulas.numbers.portions import portion
from chainrules.makers.elementwise import named_for
from chainrules.shortcuts.numpy.extrema import cotangent_of_one, cotangents_of_few
from chainrules.values.operands import Operand
from chainrules_core import (
    NO_TANGENT,
    Thunk,
    frule,
    is_lazy,
    primal_of,
    rrule,
    shortened_by,
    sum_tangents,
    typeof_,
    unbroadcast,
)


class Extremum(NamedTuple):
    """One of the functions.

    Attributes
    ----------
    find
        The function itself.
    is_beyond
        Whether the first of two numbers is the larger one, or the smaller one.
    nan_wins
        Whether the extremum of a number and a NaN is NaN.
    """

    find: np.ufunc
    is_beyond: np.ufunc
    nan_wins: bool


def extremum_rule(extremum: Extremum) -> None:
    """Define both rules."""

    def extremum_frule(tangents, f: typeof_(extremum.find), x: Operand, y: Operand):
        _, x_dot, y_dot = tangents
        z = extremum.find(x, y)
        terms = [portion(x_dot, share(extremum, z, x, y)), portion(y_dot, share(extremum, z, y, x))]
        return z, sum_tangents(z, terms)

    def extremum_rrule(f: typeof_(extremum.find), x: Operand, y: Operand):
        z = extremum.find(x, y)

        def extremum_pullback(z_bar):
            x_bar, y_bar = both_cotangents(extremum, (z, x, y), z_bar)
            return NO_TANGENT, x_bar, y_bar

        return z, extremum_pullback

    frule.dispatch(named_for(extremum.find, extremum_frule))
    rrule.dispatch(named_for(extremum.find, extremum_rrule))


def share(extremum, z, x, y):
    """The portion of the first operand: 1, 0, or one half."""
    x, y = primal_of(x), primal_of(y)
    x_wins = extremum.is_beyond(x, y) | np.isnan(x if extremum.nan_wins else y)
    y_wins = extremum.is_beyond(y, x) | np.isnan(y if extremum.nan_wins else x)
    if is_lazy(z):  # Dask computes in the dtype of the operands, and only says that it is another
        x_wins, y_wins = x_wins.astype(z.dtype), y_wins.astype(z.dtype)
    return 0.5 + 0.5 * np.subtract(x_wins, y_wins, dtype=z.dtype)


@shortened_by(cotangents_of_few)
def both_cotangents(extremum, values, z_bar):
    """The cotangents of both operands, each computed when it is asked for."""
    z, x, y = values
    return Thunk(cotangent, extremum, (z, x, y), z_bar), Thunk(cotangent, extremum, (z, y, x), z_bar)


@shortened_by(cotangent_of_one)
def cotangent(extremum, values, z_bar):
    """The cotangent of the first operand."""
    z, x, y = values
    return unbroadcast(x, portion(z_bar, share(extremum, z, x, y)))


extremum_rule(Extremum(np.maximum, np.greater, nan_wins=True))
extremum_rule(Extremum(np.minimum, np.less, nan_wins=True))
extremum_rule(Extremum(np.fmax, np.greater, nan_wins=False))
extremum_rule(Extremum(np.fmin, np.less, nan_wins=False))
