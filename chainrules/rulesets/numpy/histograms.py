"""Rules for histograms: the weights that fall into a bin are added, so a histogram is linear in the weights.

The bin that a sample falls into changes at single points only, and has no derivative. But the edges that
NumPy chooses depend on the least and the greatest sample, ``e = (1 - t) min + t max`` with ``t`` from 0 to 1,
and a density ``h = n / (v Σn)`` on the volumes ``v`` of the bins, which are the products of their widths
``d``:

    dh = dn / (v Σn) - h (Σ dd / d + Σdn / Σn)
"""

import functools
import math
import operator
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from chainrules.formulas.arrays.extreme_shares import Shares, pull_shares, push_shares, shares_in
from chainrules.operations.scatter import scatter
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand, Operand
from chainrules.values.reductions import Reduction, shape_of
from chainrules.values.several_arrays import array_of, cotangent_in_lists, tangent_as_array
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    ZeroTangent,
    frule,
    non_differentiable,
    not_implemented,
    primal_of,
    rrule,
    typeof_,
)

non_differentiable(np.digitize)


@frule.dispatch
def bincount_frule(tangents, f: typeof_(np.bincount), x, *options, **named):
    y = np.bincount(x, *options, **named)
    w_dot = tangents[2] if len(tangents) > 2 else NO_TANGENT
    if isinstance(w_dot, AbstractZero):
        return y, w_dot
    w_dot = tangent_as_array(options[0], w_dot)
    y_dot = np.bincount(x, w_dot, *options[1:], **named)
    return y, ProjectTo(y)(y_dot)  # of no weights NumPy counts integers


@rrule.dispatch
def bincount_rrule(f: typeof_(np.bincount), x, *options, **named):
    def bincount_pullback(y_bar):
        option_bars: list[Any] = [NO_TANGENT] * len(options)
        if options and options[0] is not None:
            option_bars[0] = ProjectTo(options[0])(_picked_cotangents(y_bar, x))
        return NO_TANGENT, NO_TANGENT, *option_bars

    return np.bincount(x, *options, **named), bincount_pullback


def _picked_cotangents(y_bar, places):
    return y_bar if isinstance(y_bar, AbstractZero) else y_bar[np.asarray(places)]


# --- Histograms ------------------------------------------------------------------------------------


@frule.dispatch
def histogram_frule(tangents, f: typeof_(np.histogram), x: Operand, *options, **named):
    _, x_dot, *option_dots = tangents
    y = np.histogram(x, *options, **named)
    binned = _read_samples([np.ravel(x)], [y[1]], *options, **named)
    x_dot = x_dot if isinstance(x_dot, AbstractZero) else np.ravel(x_dot)
    h_dot, e_dots = _push_histogram(binned, y[0], [x_dot], option_dots)
    return y, tangent_of_results(y, h_dot, *e_dots)


@rrule.dispatch
def histogram_rrule(f: typeof_(np.histogram), x: Operand, *options, **named):
    y = np.histogram(x, *options, **named)
    binned = _read_samples([np.ravel(x)], [y[1]], *options, **named)
    project = ProjectTo(x)

    def histogram_pullback(y_bar):
        h_bar, *e_bars = cotangents_of_results(y, y_bar)
        (x_bar,), option_bars = _pull_histogram(binned, y[0], h_bar, e_bars, options)
        return NO_TANGENT, project(np.reshape(x_bar, shape_of(x))), *option_bars

    return y, histogram_pullback


@frule.dispatch
def histogram2d_frule(tangents, f: typeof_(np.histogram2d), x: Operand, y: Operand, *options, **named):
    _, x_dot, y_dot, *option_dots = tangents
    results = np.histogram2d(x, y, *options, **named)
    binned = _read_samples([x, y], results[1:], *options, **named)
    h_dot, e_dots = _push_histogram(binned, results[0], [x_dot, y_dot], option_dots)
    return results, tangent_of_results(results, h_dot, *e_dots)


@rrule.dispatch
def histogram2d_rrule(f: typeof_(np.histogram2d), x: Operand, y: Operand, *options, **named):
    results = np.histogram2d(x, y, *options, **named)
    binned = _read_samples([x, y], results[1:], *options, **named)
    projects = ProjectTo(x), ProjectTo(y)

    def histogram2d_pullback(results_bar):
        h_bar, *e_bars = cotangents_of_results(results, results_bar)
        bars, option_bars = _pull_histogram(binned, results[0], h_bar, e_bars, options)
        return NO_TANGENT, *(project(bar) for project, bar in zip(projects, bars, strict=True)), *option_bars

    return results, histogram2d_pullback


@frule.dispatch
def histogramdd_frule(
    tangents, f: typeof_(np.histogramdd), x: ArrayOperand | list | tuple, *options, **named
):
    _, x_dot, *option_dots = tangents
    h, edges = y = np.histogramdd(x, *options, **named)
    binned = _read_samples(_sample_columns(x, len(edges)), edges, *options, **named)
    is_list = isinstance(x, list | tuple) and not isinstance(x_dot, AbstractZero)
    x_dots = _sample_columns(tangent_as_array(x, x_dot).T if is_list else x_dot, len(edges))
    h_dot, e_dots = _push_histogram(binned, h, x_dots, option_dots)
    return y, tangent_of_results(y, h_dot, tangent_of_results(edges, *e_dots))


@rrule.dispatch
def histogramdd_rrule(f: typeof_(np.histogramdd), x: ArrayOperand | list | tuple, *options, **named):
    h, edges = y = np.histogramdd(x, *options, **named)
    binned = _read_samples(_sample_columns(x, len(edges)), edges, *options, **named)
    project = ProjectTo(x)

    def histogramdd_pullback(y_bar):
        h_bar, edges_bar = cotangents_of_results(y, y_bar)
        bars, option_bars = _pull_histogram(
            binned, h, h_bar, cotangents_of_results(edges, edges_bar), options
        )
        if isinstance(x, list | tuple):
            x_bar = np.reshape(np.stack(bars), shape_of(array_of(x)))
            return NO_TANGENT, cotangent_in_lists(x, x_bar), *option_bars
        return NO_TANGENT, project(np.reshape(np.stack(bars, axis=1), shape_of(x))), *option_bars

    return y, histogramdd_pullback


def _sample_columns(x, number: int) -> list[Any]:
    """The coordinates of the samples: the columns of a matrix, or the items of a list.

    A vector, or a list of numbers, holds samples of one coordinate.
    """
    if isinstance(x, AbstractZero):
        return [x] * number
    if isinstance(x, list | tuple):
        x = array_of(x).T
    return [x] if len(shape_of(x)) == 1 else [x[:, k] for k in range(shape_of(x)[1])]


# --- Edges alone -----------------------------------------------------------------------------------


@frule.dispatch
def histogram_bin_edges_frule(tangents, f: typeof_(np.histogram_bin_edges), x: Operand, *options, **named):
    _, x_dot, *option_dots = tangents
    e = np.histogram_bin_edges(x, *options, **named)
    if not all(isinstance(dot, AbstractZero) for dot in option_dots[:2]):
        return e, _NOT_BY_EDGES
    x_dot = x_dot if isinstance(x_dot, AbstractZero) else np.ravel(x_dot)
    return e, _push_edges(e, _chosen_ends(x, *options, **named), x_dot)


@rrule.dispatch
def histogram_bin_edges_rrule(f: typeof_(np.histogram_bin_edges), x: Operand, *options, **named):
    e = np.histogram_bin_edges(x, *options, **named)
    ends = _chosen_ends(x, *options, **named)
    project = ProjectTo(x)
    # Weights have no influence on the edges.
    option_bars: list[Any] = [_NOT_BY_EDGES if _holds_edges(option) else NO_TANGENT for option in options[:2]]
    option_bars += [ZeroTangent() if option is not None else NO_TANGENT for option in options[2:]]

    def histogram_bin_edges_pullback(e_bar):
        x_bar = _pull_edges(e, ends, e_bar, np.ravel(x))
        return NO_TANGENT, project(np.reshape(x_bar, shape_of(x))), *option_bars

    return e, histogram_bin_edges_pullback


def _chosen_ends(x, bins=None, range=None, weights=None):  # noqa: A002 - NumPy's
    values = np.ravel(primal_of(x))
    return _extreme_samples(values) if _is_chosen(bins, range) and len(values) else None


# --- Samples in bins --------------------------------------------------------------------------------

_WEIGHTS = 3  # the place of the weights after the samples
_REDUCTION = Reduction(None, False, True)


class _Binned(NamedTuple):
    """Samples in bins.

    Attributes
    ----------
    columns
        The coordinates of the samples.
    ends
        For each coordinate which samples are the least and the greatest; `None` if they are not the ends.
    edges
        The edges of the bins along each coordinate.
    places
        The places of the samples in the flattened histogram.
    is_inside
        Which samples are in any bin.
    weights
        The weights of the samples.
    is_density
        Whether a density is asked for.
    """

    columns: list[Any]
    ends: list[tuple[Shares, Shares] | None]
    edges: Sequence[Any]
    places: Any
    is_inside: Any
    weights: Any
    is_density: bool

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the histogram."""
        return tuple(len(primal_of(e)) - 1 for e in self.edges)

    def counts(self, weights):
        """The sums of some weights in each bin."""
        counts = np.bincount(self.places, weights[self.is_inside], math.prod(self.shape))
        return np.reshape(counts, self.shape)


def _read_samples(  # noqa: PLR0913, PLR0917 - NumPy's signature
    columns: list[Any],
    edges: Sequence[Any],
    bins=None,
    range=None,  # noqa: A002 - NumPy's name
    density=None,
    weights=None,
) -> _Binned:
    values = [primal_of(x) for x in columns]
    indices = [_bins_of(x, primal_of(e)) for x, e in zip(values, edges, strict=True)]
    shape = tuple(len(primal_of(e)) - 1 for e in edges)
    is_inside = np.all([(i >= 0) & (i < n) for i, n in zip(indices, shape, strict=True)], axis=0)
    places = np.ravel_multi_index([i[is_inside] for i in indices], shape)
    ends = [
        _extreme_samples(x) if _is_chosen(*own) and len(x) else None
        for x, own in zip(values, _options_of_each(len(values), bins, range), strict=True)
    ]
    weights = np.ones(len(values[0])) if weights is None else np.ravel(weights)
    return _Binned(columns, ends, edges, places, is_inside, weights, bool(density))


def _bins_of(x, edges):
    """The bin of each sample; the last one has both its edges."""
    return np.where(x == edges[-1], len(edges) - 2, np.searchsorted(edges, x, side="right") - 1)


def _options_of_each(dimensions: int, bins, limits) -> list[tuple[Any, Any]]:
    """The bins and the range of each coordinate."""
    if dimensions == 1:
        return [(bins, limits)]
    each_has_bins = isinstance(bins, list | tuple) and len(bins) == dimensions
    all_limits = (None,) * dimensions if limits is None else limits
    return list(zip(bins if each_has_bins else (bins,) * dimensions, all_limits, strict=True))


def _is_chosen(bins, limits) -> bool:
    """Whether the edges along a coordinate go from the least sample to the greatest."""
    return limits is None and (isinstance(bins, str) or np.ndim(bins) == 0)


def _extreme_samples(x) -> tuple[Shares, Shares]:
    return shares_in(np.min(x), x, _REDUCTION), shares_in(np.max(x), x, _REDUCTION)


def _push_histogram(binned: _Binned, h, x_dots: list[Any], option_dots: list[Any]) -> tuple[Any, list[Any]]:
    """The tangents of the histogram and of the edges."""
    if not all(isinstance(dot, AbstractZero) for dot in option_dots[:_WEIGHTS]):
        return _NOT_BY_EDGES, [_NOT_BY_EDGES for _ in x_dots]
    w_dot = option_dots[_WEIGHTS] if len(option_dots) > _WEIGHTS else NO_TANGENT
    n_dot = w_dot if isinstance(w_dot, AbstractZero) else binned.counts(np.ravel(w_dot))
    e_dots = [_push_edges(*args) for args in zip(binned.edges, binned.ends, x_dots, strict=True)]
    if not binned.is_density:
        return n_dot, e_dots
    total = np.sum(binned.counts(binned.weights))
    h_dot = n_dot / (_volumes(binned) * total) - h * (np.sum(n_dot) / total)
    for k, (e, e_dot) in enumerate(zip(binned.edges, e_dots, strict=True)):
        if not isinstance(e_dot, AbstractZero):
            h_dot = h_dot - h * _on_axis((e_dot[1:] - e_dot[:-1]) / (e[1:] - e[:-1]), k, len(e_dots))
    return h_dot, e_dots


def _pull_histogram(
    binned: _Binned, h, h_bar, e_bars: Sequence[Any], options: tuple[Any, ...]
) -> tuple[list[Any], list[Any]]:
    """The cotangents of the coordinates of the samples, and of the options."""
    n_bar, e_bars = h_bar, list(e_bars)
    if binned.is_density and not isinstance(h_bar, AbstractZero):
        total = np.sum(binned.counts(binned.weights))
        n_bar = h_bar / (_volumes(binned) * total) - np.sum(h_bar * h) / total
        for k, e in enumerate(binned.edges):
            others = tuple(axis for axis in range(len(e_bars)) if axis != k)
            d_bar = np.sum(h_bar * h, axis=others) / (e[1:] - e[:-1])
            like = primal_of(e)
            widened = scatter(d_bar, like, slice(None, -1)) - scatter(d_bar, like, slice(1, None))
            e_bars[k] = widened + e_bars[k]
    option_bars: list[Any] = [_NOT_BY_EDGES if _holds_edges(option) else NO_TANGENT for option in options]
    if len(options) > _WEIGHTS and options[_WEIGHTS] is not None:
        w_bar = np.zeros(len(binned.weights))
        if not isinstance(n_bar, AbstractZero):
            picked = np.reshape(n_bar, -1)[binned.places]
            w_bar = scatter(picked, primal_of(binned.weights), binned.is_inside)
        weights = options[_WEIGHTS]
        option_bars[_WEIGHTS] = ProjectTo(weights)(np.reshape(w_bar, shape_of(weights)))
    x_bars = [
        _pull_edges(*args) for args in zip(binned.edges, binned.ends, e_bars, binned.columns, strict=True)
    ]
    return x_bars, option_bars


_NOT_BY_EDGES = not_implemented("the derivative of a histogram by the edges, or the range, that it is given")


def _holds_edges(option) -> bool:
    return not (option is None or isinstance(option, int | str | np.integer | np.bool_))


def _push_edges(e, ends, x_dot):
    if ends is None or isinstance(x_dot, AbstractZero):
        return NO_TANGENT
    low_dot, high_dot = (push_shares(shares, x_dot) for shares in ends)
    return ProjectTo(e)(low_dot + np.linspace(0, 1, len(primal_of(e))) * (high_dot - low_dot))


def _pull_edges(e, ends, e_bar, x):
    if ends is None or isinstance(e_bar, AbstractZero):
        return np.zeros(shape_of(x))
    high_bar = np.sum(np.linspace(0, 1, len(primal_of(e))) * e_bar)
    end_bars = (np.sum(e_bar) - high_bar, high_bar)
    low_share, high_share = (
        pull_shares(shares, bar, x)[0] for shares, bar in zip(ends, end_bars, strict=True)
    )
    return low_share + high_share


def _volumes(binned: _Binned):
    widths = [_on_axis(e[1:] - e[:-1], k, len(binned.edges)) for k, e in enumerate(binned.edges)]
    return functools.reduce(operator.mul, widths)


def _on_axis(x, axis: int, ndim: int):
    """A vector along one of several axes."""
    return np.reshape(x, tuple(-1 if a == axis else 1 for a in range(ndim)))
