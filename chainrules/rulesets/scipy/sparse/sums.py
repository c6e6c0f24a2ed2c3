"""Rules for sums and means of the elements of sparse arrays.

``y = 1ᵀ A 1``: ``A_bar`` is ``y_bar`` wherever `A` stores an entry.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.operations.sparse_entries import number_of_entries, with_entries
from chainrules.operations.sparse_patterns import sample_product
from chainrules.values.reductions import Reduction, number_reduced, read_reduction, reduced_axes, shape_of
from chainrules.values.sparse import Sparse, methods
from chainrules_core import NO_TANGENT, ProjectTo, frule, primal_of, rrule, typeof_


@frule.dispatch(precedence=1)
def sum_frule(tangents: Any, f: typeof_(np.sum), A: Sparse, *options: Any, **named: Any):
    read_reduction("np.sum", A, *options, **named)
    return np.sum(A, *options, **named), np.sum(tangents[1], *options, **named)


@rrule.dispatch(precedence=1)
def sum_rrule(f: typeof_(np.sum), A: Sparse, *options: Any, **named: Any):
    reduction = read_reduction("np.sum", A, *options, **named)
    pull = _pull_sum(A, reduction)

    def sum_pullback(y_bar):
        return NO_TANGENT, pull(y_bar), *(NO_TANGENT,) * len(options)

    return np.sum(A, *options, **named), sum_pullback


@frule.dispatch(precedence=1)
def mean_frule(tangents: Any, f: typeof_(np.mean), A: Sparse, *options: Any, **named: Any):
    read_reduction("np.mean", A, *options, **named)
    return np.mean(A, *options, **named), np.mean(tangents[1], *options, **named)


@rrule.dispatch(precedence=1)
def mean_rrule(f: typeof_(np.mean), A: Sparse, *options: Any, **named: Any):
    reduction = read_reduction("np.mean", A, *options, **named)
    pull, number = _pull_sum(A, reduction), number_reduced(A, reduction)

    def mean_pullback(y_bar):
        return NO_TANGENT, pull(y_bar / number), *(NO_TANGENT,) * len(options)

    return np.mean(A, *options, **named), mean_pullback


def _trace_rules(method: Callable[..., Any]) -> None:
    # The sum of a diagonal.
    @frule.dispatch
    def trace_frule(tangents: Any, f: typeof_(method), A: Sparse, *options: int, offset: int = 0):
        k = options[0] if options else offset
        diagonal, diagonal_dot = frule.unchecked(
            (*tangents[:2], NO_TANGENT), type(primal_of(A)).diagonal, A, k
        )
        return np.sum(diagonal), np.sum(diagonal_dot)

    @rrule.dispatch
    def trace_rrule(f: typeof_(method), A: Sparse, *options: int, offset: int = 0):
        k = options[0] if options else offset
        diagonal, pull = rrule.unchecked(type(primal_of(A)).diagonal, A, k)

        def trace_pullback(y_bar):
            cotangents = pull(np.broadcast_to(y_bar, shape_of(diagonal)))
            return cotangents[: 2 + len(options)]

        return np.sum(diagonal), trace_pullback


for _method in methods("trace"):
    _trace_rules(_method)


def _method_rules(method: Callable[..., Any], function: Callable[..., Any]) -> None:
    @frule.dispatch
    def method_frule(tangents: Any, f: typeof_(method), A: Sparse, *options: Any, **named: Any):
        return frule.unchecked(tangents, function, A, *options, **named)

    @rrule.dispatch
    def method_rrule(f: typeof_(method), A: Sparse, *options: Any, **named: Any):
        return rrule.unchecked(function, A, *options, **named)


for _function in (np.sum, np.mean):
    for _method in methods(_function.__name__):
        _method_rules(_method, _function)


def _pull_sum(A: Any, reduction: Reduction) -> Callable[[Any], Any]:
    """The function that repeats the cotangent of a sum wherever `A` stores an entry."""
    project = ProjectTo(A)
    if len(shape_of(A)) == 1:
        length = number_of_entries(A)
        return lambda y_bar: with_entries(np.broadcast_to(np.reshape(y_bar, ()), (length,)), project)
    return lambda y_bar: sample_product(*_repeating_vectors(y_bar, shape_of(A), reduction), project)


def _repeating_vectors(y_bar: Any, shape: tuple[int, ...], reduction: Reduction) -> tuple[Any, Any]:
    """The vectors whose outer product repeats `y_bar` along the axes that were summed over."""
    n, m = shape
    axes = reduced_axes(reduction.axis, 2)
    # The sums of a sparse matrix, unlike a sparse array's, keep both axes.
    vector = np.reshape(y_bar, (-1,))
    if axes == (0,):
        return np.ones(n), vector
    if axes == (1,):
        return vector, np.ones(m)
    return vector * np.ones(n), np.ones(m)
