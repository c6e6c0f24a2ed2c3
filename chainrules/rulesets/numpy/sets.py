"""Rules for set routines: the choice of elements has no derivative, but their values have.

Each value of the result is an element of the arguments, and has its derivative; of equal elements, which are
merged, it is the first. The results that count and place elements are integers, and have none.
"""

from typing import Any

import numpy as np

from chainrules.makers.versions import present
from chainrules.operations.scatter import scatter
from chainrules.values.callee_unions import typeof_any
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand, Operand
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import tangents_of
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, frule, non_differentiable, primal_of, rrule

non_differentiable(np.isin, *present(np, "in1d"))  # until NumPy 2.3

_UNIQUE = (np.unique, np.unique_all, np.unique_counts, np.unique_inverse, np.unique_values)


@frule.dispatch
def unique_frule(tangents: Any, f: typeof_any(_UNIQUE), x: ArrayOperand, *options: Any, **named: Any):
    y = f(x, *options, **named)
    x_dot = tangents[1]
    if not isinstance(x_dot, AbstractZero):
        axis = _axis(*options, **named)
        places = _places_of_unique(_values(y), x, axis)
        x_dot = np.reshape(x_dot, -1)[places] if axis is None else np.take(x_dot, places, axis)
    return y, _with_counts(y, x_dot)


@rrule.dispatch
def unique_rrule(f: typeof_any(_UNIQUE), x: ArrayOperand, *options: Any, **named: Any):
    y = f(x, *options, **named)
    project = ProjectTo(x)
    axis = _axis(*options, **named)

    def unique_pullback(y_bar):
        values_bar = cotangents_of_results(y, y_bar)[0] if isinstance(y, tuple) else y_bar
        places = _places_of_unique(_values(y), x, axis)
        x_bar: Any = values_bar
        if isinstance(values_bar, AbstractZero):
            pass
        elif axis is None:
            x_bar = np.reshape(scatter(values_bar, np.ravel(primal_of(x)), places), shape_of(x))
        else:
            before = (slice(None),) * (axis % len(shape_of(x)))
            x_bar = scatter(values_bar, primal_of(x), (*before, places))
        return NO_TANGENT, project(x_bar), *(NO_TANGENT,) * len(options)

    return y, unique_pullback


def _axis(_index: Any = None, _inverse: Any = None, _counts: Any = None, axis: Any = None, **_: Any) -> Any:
    """The axis among the options of `numpy.unique`."""
    return axis


def _values(y: Any) -> Any:
    return y[0] if isinstance(y, tuple) else y


def _with_counts(y: Any, values_dot: Any) -> Any:
    """The tangent of all results; the results beside the values are integers."""
    return (
        tangent_of_results(y, values_dot, *(NO_TANGENT for _ in y[1:]))
        if isinstance(y, tuple)
        else values_dot
    )


def _places_of_unique(values: Any, x: Any, axis: Any) -> Any:
    if axis is None:
        return _first_places(values, np.ravel(primal_of(x)))
    return np.unique(primal_of(x), return_index=True, axis=axis)[1]


def _first_places(values: Any, source: Any) -> Any:
    """The index of the first element of a vector that has the value, for each of some values."""
    order = np.argsort(source, kind="stable")
    return order[np.searchsorted(source, primal_of(values), sorter=order)]


# --- Of two arrays ---------------------------------------------------------------------------------

_OF_TWO = (np.union1d, np.intersect1d, np.setdiff1d, np.setxor1d)


@frule.dispatch
def of_two_frule(tangents: Any, f: typeof_any(_OF_TWO), a: Operand, b: Operand, *options: Any, **named: Any):
    z = f(a, b, *options, **named)
    values_dot = _joined_arrays(*tangents_of((a, b), tangents[1:3]))[
        _first_places(_values(z), _joined_arrays(primal_of(a), primal_of(b)))
    ]
    return z, _with_counts(z, ProjectTo(_values(z))(values_dot))


@rrule.dispatch
def of_two_rrule(f: typeof_any(_OF_TWO), a: Operand, b: Operand, *options: Any, **named: Any):
    z = f(a, b, *options, **named)
    project_a, project_b = ProjectTo(a), ProjectTo(b)

    def of_two_pullback(z_bar):
        values_bar = cotangents_of_results(z, z_bar)[0] if isinstance(z, tuple) else z_bar
        joined = _joined_arrays(primal_of(a), primal_of(b))
        if isinstance(values_bar, AbstractZero):
            return NO_TANGENT, values_bar, values_bar, *(NO_TANGENT,) * len(options)
        bar = scatter(values_bar, joined, _first_places(_values(z), joined))
        length = np.size(primal_of(a))
        a_bar = project_a(np.reshape(bar[:length], shape_of(a)))
        b_bar = project_b(np.reshape(bar[length:], shape_of(b)))
        return NO_TANGENT, a_bar, b_bar, *(NO_TANGENT,) * len(options)

    return z, of_two_pullback


def _joined_arrays(a: Any, b: Any) -> Any:
    return np.concatenate((np.reshape(a, -1), np.reshape(b, -1)))
