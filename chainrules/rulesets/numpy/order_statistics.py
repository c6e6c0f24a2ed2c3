"""Rules for quantiles, percentiles and medians.

A quantile of sorted numbers lies between two neighbours, ``y = (1 - g) x[i] + g x[i+1]`` at the position
``v = i + g``, which depends on how many numbers there are, on ``q`` and on the method, but not on the
numbers. So the differential is ``(1 - g) dx[i] + g dx[i+1] + (x[i+1] - x[i]) dv``.

Where the method is continuous, ``v = n q + a + (1 - a - b) q - 1``, cut off at the ends; see R. J. Hyndman
and Y. Fan, "Sample quantiles in statistical packages", The American Statistician 50, 1996. At a number
itself, where the slope by ``q`` jumps, the slope is the mean of both sides; among equal numbers any one may
be picked. If a result is NaN, there is a NaN among the numbers, and that one gets the derivative.
"""

from typing import Any, NamedTuple

import numpy as np

from chainrules.operations.scatter import scatter
from chainrules.values.callee_unions import typeof_any
from chainrules.values.operands import Operand, refuse_out
from chainrules.values.reductions import given, laid_back, lined_up, shape_of
from chainrules.values.several_arrays import projected, tangent_as_array
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    frule,
    primal_of,
    rrule,
    strong_product,
    thunk,
)

_QUANTILES = (np.quantile, np.percentile, np.nanquantile, np.nanpercentile)
_MEDIANS = (np.median, np.nanmedian)

_IGNORE_NANS = (np.nanquantile, np.nanpercentile, np.nanmedian)
_OF_PERCENTS = (np.percentile, np.nanpercentile)

# The parameters (a, b) of the methods that are continuous in q, as in NumPy's documentation of `quantile`.
_CONTINUOUS = {
    "linear": (1, 1),
    "weibull": (0, 0),
    "hazen": (0.5, 0.5),
    "interpolated_inverted_cdf": (0, 1),
    "median_unbiased": (1 / 3, 1 / 3),
    "normal_unbiased": (3 / 8, 3 / 8),
}


@frule.dispatch
def quantile_frule(tangents, f: typeof_any(_QUANTILES), x: Operand, q, *options, **named):
    _, x_dot, q_dot, *_ = tangents
    call = _read_quantile(f, q, *options, **named)
    y = call.of(x)
    located = _located(call, x, y)
    y_dot = x_dot if isinstance(x_dot, AbstractZero) else _push_quantiles(located, x_dot)
    if not isinstance(q_dot, AbstractZero):
        q_dot = _before_lanes(tangent_as_array(q, q_dot), located.order.ndim - 1)
        y_dot = y_dot + _slopes_by_fraction(located, x) * q_dot
    return y, y_dot if isinstance(y_dot, AbstractZero) else ProjectTo(y)(np.reshape(y_dot, shape_of(y)))


@rrule.dispatch
def quantile_rrule(f: typeof_any(_QUANTILES), x: Operand, q, *options, **named):
    call = _read_quantile(f, q, *options, **named)
    y = call.of(x)
    project = ProjectTo(x)

    def quantile_pullback(y_bar):
        located = _located(call, x, y)
        q_bar = thunk(lambda: _pull_q(located, y_bar, x, q))
        return (
            NO_TANGENT,
            project(_pull_quantiles(located, y_bar, x)),
            q_bar,
            *(NO_TANGENT,) * len(options),
        )

    return y, quantile_pullback


@frule.dispatch
def median_frule(tangents, f: typeof_any(_MEDIANS), x: Operand, *options, **named):
    call = _read_median(f, *options, **named)
    y = call.of(x)
    x_dot = tangents[1]
    return y, ProjectTo(y)(np.reshape(_push_quantiles(_located(call, x, y), x_dot), shape_of(y)))


@rrule.dispatch
def median_rrule(f: typeof_any(_MEDIANS), x: Operand, *options, **named):
    call = _read_median(f, *options, **named)
    y = call.of(x)
    project = ProjectTo(x)

    def median_pullback(y_bar):
        x_bar = _pull_quantiles(_located(call, x, y), y_bar, x)
        return NO_TANGENT, project(x_bar), *(NO_TANGENT,) * len(options)

    return y, median_pullback


# --- The arguments ----------------------------------------------------------------------------------


class _Call(NamedTuple):
    """A call of one of these functions: the arguments after the array, by position and by keyword."""

    f: Any
    before_options: tuple[Any, ...]
    options: dict[str, Any]
    q: Any  # as a fraction; it may be traced

    def of(self, x):
        """The result."""
        return self.f(x, *self.before_options, **self.options)

    def position_among(self, n: int):
        """The position among `n` numbers, for each `q`, of a method that jumps."""
        return self.f(
            np.arange(float(n)), *map(primal_of, self.before_options), method=self.options["method"]
        )


def _read_quantile(  # noqa: PLR0913, PLR0917 - NumPy's signature
    f, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, weights=None
) -> _Call:
    refuse_out(f"np.{f.__name__}", out)
    options = {"axis": axis, "method": method, "keepdims": given(keepdims, False)}
    if weights is not None:
        options["weights"] = weights
    fraction = (np.asarray(q) if isinstance(q, list | tuple) else q) / (100 if f in _OF_PERCENTS else 1)
    return _Call(f, (q,), options, fraction)


def _read_median(f, axis=None, out=None, overwrite_input=False, keepdims=False) -> _Call:
    refuse_out(f"np.{f.__name__}", out)
    return _Call(f, (), {"axis": axis, "keepdims": given(keepdims, False)}, 0.5)


# --- Where the results come from -------------------------------------------------------------------


class _Located(NamedTuple):
    """Where each result comes from. *Lanes* are the numbers that are reduced together, ``lines[:, ...]``.

    Attributes
    ----------
    call
        The arguments.
    numbers
        How many numbers there are: one for all lanes or one for each.
    positions
        For each `q` and each lane the position of the result among the sorted numbers.
    is_nan
        Which results are NaN.
    order
        The numbers of each lane sorted, at least around the positions.
    """

    call: _Call
    numbers: Any
    positions: Any
    is_nan: Any
    order: Any

    def places(self, k):
        """The index of the `k`-th smallest of the lines, one for each `q` and each lane."""
        k = np.clip(k, 0, np.maximum(self.numbers - 1, 0)).astype(int)
        lanes = np.indices(self.order.shape[1:], sparse=True)
        return self.order[(k, *lanes)], *lanes


def _located(call: _Call, x, y) -> _Located:
    lines = lined_up(primal_of(x), call.options["axis"])
    lanes = lines.shape[1:]
    numbers = np.sum(~np.isnan(lines), axis=0) if call.f in _IGNORE_NANS else len(lines)
    shape = shape_of(call.q) + lanes
    if "weights" in call.options:
        positions = np.reshape(call.of(_ranks(primal_of(x), call.options["axis"])), shape)
    else:
        positions = np.broadcast_to(_positions(call, numbers, len(lanes)), shape)
    is_nan = np.isnan(np.reshape(primal_of(y), shape))
    # NaNs are sorted to the end; where all are left out, the derivative is zero.
    positions = np.where(is_nan, len(lines), positions)
    around = np.floor(positions)
    wanted = np.clip(np.add.outer((-1, 0, 1), around), 0, max(len(lines) - 1, 0)).astype(int)
    return _Located(call, numbers, positions, is_nan, np.argpartition(lines, np.unique(wanted), axis=0))


def _positions(call: _Call, numbers, n_lanes: int):
    """The positions among the sorted numbers: one for each `q`, and for each lane if they differ."""
    if call.options.get("method", "linear") in _CONTINUOUS:
        unlimited, _ = _unlimited_positions(call, primal_of(call.q), numbers, n_lanes)
        return np.clip(unlimited, 0, numbers - 1)
    if np.ndim(numbers) == 0:
        return _before_lanes(call.position_among(max(numbers, 1)), n_lanes)
    positions = np.zeros(shape_of(call.q) + numbers.shape)
    for n in np.unique(numbers[numbers > 0]):
        positions[..., numbers == n] = _before_lanes(call.position_among(n), 1)
    return positions


def _unlimited_positions(call: _Call, q, numbers, n_lanes: int):
    """The positions as linear functions of `q`, before they are cut off at the ends; and their slopes."""
    a, b = _CONTINUOUS[call.options.get("method", "linear")]
    slopes = numbers + (1 - a - b)
    return _before_lanes(q, n_lanes) * slopes + a - 1, slopes


def _before_lanes(q, n_lanes: int):
    """One number for each `q`, in an array that broadcasts over lanes."""
    return np.reshape(q, shape_of(q) + (1,) * n_lanes)


def _ranks(x, axis):
    """In the place of each number the number of lesser ones, counted along an axis; NaN remains NaN."""
    order = np.argsort(lined_up(x, axis), axis=0, kind="stable")
    ranks = laid_back(np.argsort(order, axis=0), x, axis)
    return np.where(np.isnan(x), np.nan, ranks)


# --- The derivatives -------------------------------------------------------------------------------


def _neighbours(located: _Located):
    """The two numbers beside each position: their places, each with its share in the result."""
    call, numbers, positions = located.call, located.numbers, located.positions
    below = np.floor(positions)
    share = positions - below
    if _is_continuous(call):
        # Once more, as a function of `q`: in higher orders that may be traced.
        unlimited, _ = _unlimited_positions(call, call.q, numbers, located.order.ndim - 1)
        share = np.where(_is_among_numbers(primal_of(unlimited), located), unlimited - below, share)
    is_any = np.minimum(numbers, 1)  # 0 for lanes of nothing but NaNs
    return (located.places(below), is_any * (1 - share)), (located.places(below + 1), is_any * share)


def _is_continuous(call: _Call) -> bool:
    return "weights" not in call.options and call.options.get("method", "linear") in _CONTINUOUS


def _is_among_numbers(unlimited, located: _Located):
    """Whether positions are neither cut off at the ends nor positions of NaNs."""
    return (unlimited >= 0) & (unlimited <= located.numbers - 1) & ~located.is_nan


def _push_quantiles(located: _Located, x_dot):
    if not located.order.size:
        return np.zeros(located.positions.shape)
    lines_dot = lined_up(x_dot, located.call.options["axis"])
    return sum(share * lines_dot[places] for places, share in _neighbours(located))


def _pull_quantiles(located: _Located, y_bar, x):
    if not located.order.size:
        return np.zeros(shape_of(x))
    y_bar = np.reshape(y_bar, located.positions.shape)
    bars = (scatter(share * y_bar, located.order, places) for places, share in _neighbours(located))
    return laid_back(sum(bars), x, located.call.options["axis"])


def _slopes_by_fraction(located: _Located, x):
    """The derivatives of the results by `q`."""
    call, numbers, positions = located.call, located.numbers, located.positions
    if not _is_continuous(call) or not located.order.size:
        return np.zeros(positions.shape)
    unlimited, slopes = _unlimited_positions(call, primal_of(call.q), numbers, located.order.ndim - 1)
    slopes = np.where(_is_among_numbers(unlimited, located), slopes, 0) / (
        100 if call.f in _OF_PERCENTS else 1
    )
    below = np.maximum(np.ceil(positions) - 1, 0)
    above = np.minimum(np.floor(positions) + 1, numbers - 1)
    lines = lined_up(x, call.options["axis"])
    rise = (lines[located.places(above)] - lines[located.places(below)]) / np.maximum(above - below, 1)
    return rise * slopes


def _pull_q(located: _Located, y_bar, x, q):
    by_lane = strong_product(_slopes_by_fraction(located, x), np.reshape(y_bar, located.positions.shape))
    q_bar = np.sum(by_lane, axis=tuple(range(len(shape_of(located.call.q)), by_lane.ndim)))
    return projected(q, list(q_bar)) if isinstance(q, list | tuple) else ProjectTo(q)(q_bar)
