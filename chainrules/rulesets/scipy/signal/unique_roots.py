"""Rules for numbers sorted into groups: which are near each other is constant, while none joins or leaves.

The result is linear: a matrix, each of whose rows is the mean of a group or picks one of its numbers, times
the numbers.
"""

from typing import Any

import numpy as np
from scipy.signal import unique_roots

from chainrules.values.operands import OperandInLists
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import (
    array_of,
    cotangent_in_lists,
    cotangents_of,
    tangent_as_array,
    tangent_of,
)
from chainrules_core import NO_TANGENT, ProjectTo, frule, primal_of, primitive, rrule, typeof_

_unique_roots = primitive(unique_roots)


def _matrix(p: Any, y: Any, tol: float = 1e-3, rtype: str = "min") -> Any:
    """The matrix of the groups; `y` is what is made of each."""
    p, left = primal_of(array_of(p)), np.ones(shape_of(p)[0], bool)
    matrix = np.zeros((shape_of(y)[0], len(p)))
    for row in matrix:
        first = p[np.argmax(left)]
        group = np.flatnonzero(left & (np.abs(p - first) <= tol))
        left[group] = False
        if rtype in {"avg", "mean"}:
            row[group] = 1.0 / len(group)
        else:
            pick = np.argmax if rtype in {"max", "maximum"} else np.argmin
            row[group[pick(p[group])]] = 1.0
    return matrix


@frule.dispatch
def unique_roots_frule(tangents, f: typeof_(unique_roots), p: OperandInLists, *options: Any, **named: Any):
    results = _unique_roots(p, *options, **named)
    y_dot = _matrix(p, results[0], *options, **named) @ tangent_as_array(p, tangents[1])
    return results, tangent_of(results, [ProjectTo(results[0])(y_dot), NO_TANGENT])


@rrule.dispatch
def unique_roots_rrule(f: typeof_(unique_roots), p: OperandInLists, *options: Any, **named: Any):
    results = _unique_roots(p, *options, **named)

    def unique_roots_pullback(results_bar):
        y_bar, _ = cotangents_of(results, results_bar)
        matrix = _matrix(p, results[0], *options, **named)
        return NO_TANGENT, cotangent_in_lists(p, matrix.T @ y_bar), *(NO_TANGENT for _ in options)

    return results, unique_roots_pullback
