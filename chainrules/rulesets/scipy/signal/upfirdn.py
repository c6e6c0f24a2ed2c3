"""Rules for the filter between two changes of the rate, ``y[m] = Σ_i h[m q - i p] x[i]``.

Here ``p`` is `up`, and ``q`` is `down`. The adjoint is such a filter, with ``p`` and ``q`` exchanged::

    x̄[i] = Σ_m conj(h[m q - i p]) ȳ[m]                h̄[j] = Σ_m ȳ[m] conj(x[(m q - j) / p])

The latter is a correlation of the sequences with zeros between their samples. Where a mode extends the
sequence beyond its ends, that is done first.

P. P. Vaidyanathan, "Multirate Systems and Filter Banks", section 4.2.
"""

from typing import Any

import numpy as np
from scipy.signal import correlate, upfirdn

from chainrules.formulas.arrays.lengths import with_length
from chainrules.formulas.arrays.neighbours import zero_padded
from chainrules.formulas.filters.recursive_filters import along
from chainrules.operations.extensions import extend, fold
from chainrules.values.operands import OperandInLists
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import array_of, cotangent_in_lists, tangent_as_array
from chainrules.values.stacks import conjugate
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    Thunk,
    frule,
    primal_of,
    primitive,
    rrule,
    sum_tangents,
    typeof_,
    unbroadcast,
)

_upfirdn, _correlate = primitive(upfirdn), primitive(correlate)

# The names that modes have in `chainrules.operations.extensions`, if they are others there.
_EXTENSIONS = {"symmetric": "reflect", "reflect": "mirror", "edge": "nearest"}

_CVAL = 4  # the place of the number beyond the ends among the options


def _read(  # noqa: PLR0913, PLR0917 - those of the function
    x, up=1, down=1, axis=-1, mode="constant", cval=0
) -> tuple[int, int, int, str, Any]:
    if mode in {"antireflect", "smooth", "line"} and shape_of(array_of(x))[axis] < 2:
        raise ValueError(
            f"scipy.signal.upfirdn(..., mode={mode!r}) needs two samples or more: of one SciPy "
            "1.17 computes nothing meaningful, or ends the program."
        )
    return int(up), int(down), axis, mode, cval


@frule.dispatch
def upfirdn_frule(
    tangents, f: typeof_(upfirdn), h: OperandInLists, x: OperandInLists, *options: Any, **named: Any
):
    _, h_dot, x_dot, *option_dots = tangents
    up, down, axis, mode, cval = _read(x, *options, **named)
    y = _upfirdn(h, x, up, down, axis, mode, cval)
    terms = []
    if not isinstance(h_dot, AbstractZero):
        terms.append(_upfirdn(tangent_as_array(h, h_dot), x, up, down, axis, mode, cval))
    if not isinstance(x_dot, AbstractZero):
        terms.append(_upfirdn(h, tangent_as_array(x, x_dot), up, down, axis, mode))
    if len(option_dots) > _CVAL and not isinstance(option_dots[_CVAL], AbstractZero):
        terms.append(_by_number(h, x, up, down, axis, mode) * option_dots[_CVAL])
    return y, sum_tangents(y, terms or [h_dot])


@rrule.dispatch
def upfirdn_rrule(f: typeof_(upfirdn), h: OperandInLists, x: OperandInLists, *options: Any, **named: Any):
    up, down, axis, mode, cval = _read(x, *options, **named)
    y = _upfirdn(h, x, up, down, axis, mode, cval)

    def upfirdn_pullback(results_bar):
        taps, sequence = array_of(h), array_of(x)
        n, kept = shape_of(sequence)[axis], shape_of(taps)[0]
        # As many samples more before the first as are whole results.
        beyond = 0 if mode == "constant" and not primal_of(cval) else -(-kept // (up * down)) * down
        how = beyond, beyond, _EXTENSIONS.get(mode, mode), axis
        y_bar = zero_padded(results_bar, beyond * up // down, 0, axis)

        def pull_x():
            x_bar = _pull_sequence(taps, y_bar, n + 2 * beyond, (up, down), axis)
            return cotangent_in_lists(x, fold(x_bar, *how) if beyond else x_bar)

        def pull_h():
            if not n:
                return cotangent_in_lists(h, np.zeros_like(taps))
            extended = extend(sequence, *how) if beyond else sequence
            if mode == "constant":
                extended = extended + (1.0 - extend(np.ones_like(sequence), *how)) * cval
            return cotangent_in_lists(h, _pull_taps(kept, extended, y_bar, (up, down), axis))

        bars: list[Any] = [NO_TANGENT for _ in options]
        if len(options) > _CVAL:
            bars[_CVAL] = Thunk(
                lambda: unbroadcast(
                    cval, np.sum(conjugate(_by_number(taps, sequence, up, down, axis, mode)) * results_bar)
                )
            )
        return NO_TANGENT, Thunk(pull_h), Thunk(pull_x), *bars

    return y, upfirdn_pullback


def _by_number(h, x, *how):
    """The derivative by the number that stands beyond the ends."""
    return _upfirdn(h, np.zeros_like(array_of(x)), *how, 1.0)


def _pull_sequence(taps, y_bar, n: int, rates: tuple[int, int], axis: int):
    up, down = rates
    last = shape_of(taps)[0] - 1
    skipped = -(-last // up)
    reversed_taps = zero_padded(conjugate(np.flip(taps)), skipped * up - last, 0)
    filtered = _upfirdn(reversed_taps, y_bar, down, up, axis)
    return with_length(along(filtered, slice(skipped, skipped + n), axis), n, axis)


def _pull_taps(kept: int, x, y_bar, rates: tuple[int, int], axis: int):
    up, down = rates
    x_up, y_up = (_upfirdn(np.ones(1), v, rate, 1, axis) for v, rate in ((x, up), (y_bar, down)))
    y_up = with_length(y_up, shape_of(x_up)[axis] + kept - 1, axis)
    return np.reshape(_correlate(y_up, x_up, "valid"), -1)
