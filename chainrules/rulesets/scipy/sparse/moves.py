"""Rules for functions and methods that move the entries of a sparse array, or pick some of them.

Conversions, diagonals, triangles, elements, rows and blocks: a cotangent goes back to the entry that its
element came from. No function has a formula of its own: see `chainrules.operations.sparse_entries`.
"""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse

from chainrules.makers.versions import present
from chainrules.operations.scatter import scatter
from chainrules.operations.sparse_entries import (
    gathered,
    number_of_entries,
    numbered,
    stored_entries,
    with_entries,
    with_zeros,
)
from chainrules.operations.sparse_patterns import is_sparse_operand
from chainrules.values.named_results import cotangents_of_results
from chainrules.values.operands import refuse_out
from chainrules.values.sparse import Sparse, methods
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    Tangent,
    frule,
    primal_of,
    primitive,
    rrule,
    typeof_,
    unthunk,
)

# These may write into an array, given by their second option.
_WRITING = [*methods("toarray"), scipy.sparse.csr_array.todense]

# Since SciPy 1.16.
_TURNING = present(scipy.sparse, "expand_dims", "permute_dims", "swapaxes")
# It turns its argument too, if that is one of coordinates, and is not copied.
_TURNING_IN_PLACE = present(scipy.sparse, "permute_dims")


def _copying(f, options, named):
    """The options with which a function leaves its argument as it is."""
    return (options[:1], {**named, "copy": True}) if f in _TURNING_IN_PLACE else (options, named)


def _moving_rules(f_: Callable[..., Any]) -> None:
    # The methods of a class, given a traced array, know nothing of it.
    apply = f_ if f_ is operator.getitem else primitive(f_)

    def moved(A, options, named):
        y = apply(A, *options, **named)
        # Diagonals lose their zeros if they are stored in another form.
        if primal_of(A).format != "dia" or not is_sparse_operand(y):
            return y
        return with_zeros(y, f_(numbered(A), *options, **named))

    # More specific than rules for arrays of all kinds.
    @frule.dispatch(precedence=1)
    def move_frule(tangents: Any, f: typeof_(f_), A: Sparse, *options: Any, **named: Any):
        (options, named), A_dot = _copying(f_, options, named), tangents[1]
        y_dot = apply(A_dot, *options, **named)
        return moved(A, options, named), y_dot

    @rrule.dispatch(precedence=1)
    def move_rrule(f: typeof_(f_), A: Sparse, *options: Any, **named: Any):
        refuse_out(f_.__name__, named.get("out", options[1] if f_ in _WRITING and len(options) > 1 else None))
        without_tangents = (NO_TANGENT,) * len(options)
        options, named = _copying(f_, options, named)
        y = moved(A, options, named)
        if isinstance(y, np.matrix):
            return None  # which has no tangents
        project = ProjectTo(A)

        def move_pullback(y_bar):
            if not isinstance(y_bar, AbstractZero):
                places = f_(numbered(A), *options, **named)
                entries_bar = gathered(y, y_bar, places, number_of_entries(A))
                y_bar = project(with_entries(entries_bar, project))
            return NO_TANGENT, y_bar, *without_tangents

        return y, move_pullback


_NAMES = (
    *("toarray", "tocsr", "tocsc", "tocoo", "tobsr", "todia", "asformat", "copy"),
    *("diagonal", "transpose", "reshape", "getrow", "getcol"),
)
for _name in _NAMES:
    for _method in methods(_name):
        _moving_rules(_method)
for _function in (scipy.sparse.tril, scipy.sparse.triu, operator.getitem, *_TURNING):
    _moving_rules(_function)
# The method of the older matrices returns an `np.matrix`, which has no tangents.
_moving_rules(scipy.sparse.csr_array.todense)


# --- Entries and their places: those that are zero are not among them -----------------------------------


def _numbers_of_found(A):
    """The numbers of the entries that `find` returns, in its order."""
    entries = stored_entries(A, ProjectTo(A))
    numbers = scipy.sparse.find(numbered(A))[2].astype(int) - 1
    return numbers[primal_of(entries)[numbers] != 0.0]


@frule.dispatch
def find_frule(tangents: Any, f: typeof_(scipy.sparse.find), A: Sparse):
    y, A_dot = primitive(f)(A), tangents[1]
    if isinstance(A_dot, AbstractZero):
        return y, NO_TANGENT
    entries_dot = stored_entries(A_dot, ProjectTo(A))[_numbers_of_found(primal_of(A))]
    return y, Tangent[tuple](NO_TANGENT, NO_TANGENT, entries_dot)


@rrule.dispatch
def find_rrule(f: typeof_(scipy.sparse.find), A: Sparse):
    y, project = primitive(f)(A), ProjectTo(A)

    def find_pullback(y_bar):
        bar = cotangents_of_results(y, y_bar)[2]
        if not isinstance(bar, AbstractZero):
            places = _numbers_of_found(primal_of(A))
            entries_bar = scatter(unthunk(bar), np.zeros(number_of_entries(A)), places)
            bar = project(with_entries(entries_bar, project))
        return NO_TANGENT, bar

    return y, find_pullback


# --- NumPy's functions, by the methods of their names: AD systems call these for the methods of arrays --


def _function_rules(function: Callable[..., Any]) -> None:
    name = function.__name__

    @frule.dispatch(precedence=1)
    def function_frule(tangents: Any, f: typeof_(function), A: Sparse, *options: Any, **named: Any):
        return frule.unchecked(tangents, getattr(type(primal_of(A)), name), A, *options, **named)

    @rrule.dispatch(precedence=1)
    def function_rrule(f: typeof_(function), A: Sparse, *options: Any, **named: Any):
        return rrule.unchecked(getattr(type(primal_of(A)), name), A, *options, **named)


for _function in (np.copy, np.diagonal, np.dot, np.reshape, np.trace):
    _function_rules(_function)
