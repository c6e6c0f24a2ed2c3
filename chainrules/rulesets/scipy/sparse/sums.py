"""Rules for sums of the elements of sparse arrays.

``y = 1ᵀ A 1``: ``A_bar`` is ``y_bar`` wherever `A` stores an entry.
"""

from typing import Any

import numpy as np

from chainrules.reductions import Reduction, read_reduction, reduced_axes, shape_of
from chainrules.rulesets.scipy.sparse.products import Sparse
from chainrules.sparse_patterns import sample_product
from chainrules_core import NoTangent, ProjectTo, frule, rrule, typeof_, unthunk


@frule.dispatch(precedence=1)
def sum_frule(tangents: Any, f: typeof_(np.sum), A: Sparse, *options: Any, **named: Any) -> tuple[Any, Any]:
    read_reduction("np.sum", A, *options, **named)
    return np.sum(A, *options, **named), np.sum(unthunk(tangents[1]), *options, **named)


@rrule.dispatch(precedence=1)
def sum_rrule(f: typeof_(np.sum), A: Sparse, *options: Any, **named: Any) -> Any:
    reduction = read_reduction("np.sum", A, *options, **named)
    if len(shape_of(A)) != 2:
        return None
    project = ProjectTo(A)

    def sum_pullback(y_bar: Any) -> tuple[Any, ...]:
        rows, columns = _factors(unthunk(y_bar), shape_of(A), reduction)
        option_bars = [NoTangent() for _ in options]
        return NoTangent(), sample_product(rows, columns, project), *option_bars

    return np.sum(A, *options, **named), sum_pullback


def _factors(y_bar: Any, shape: tuple[int, ...], reduction: Reduction) -> tuple[Any, Any]:
    """The vectors whose outer product repeats `y_bar` along the axes that were summed over."""
    n, m = shape
    axes = reduced_axes(reduction.axis, 2)
    # The sums of a sparse matrix, unlike those of a sparse array, keep both axes.
    vector = np.reshape(y_bar, (-1,))
    if axes == (0,):
        return np.ones(n), vector
    if axes == (1,):
        return vector, np.ones(m)
    return vector * np.ones(n), np.ones(m)
