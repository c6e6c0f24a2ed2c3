"""Rules for elementwise functions of sparse arrays that are zero at zero: only stored entries count.

They are made of the rules for ordinary arrays. SciPy has these functions as methods, which NumPy's functions
call; of powers, the exponent has to be positive. The ``**`` of an older sparse matrix multiplies matrices.
"""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse
from scipy.sparse import spmatrix

from chainrules.formulas.functions_of_matrices.sparse_powers import pull_matrix_power, push_matrix_power
from chainrules.operations.sparse_entries import stored_entries, with_entries
from chainrules.values.operands import NumberOperand
from chainrules.values.sparse import Sparse, methods
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    NonDifferentiablePullback,
    ProjectTo,
    frule,
    primal_of,
    project_onto_pattern,
    rrule,
    typeof_,
    unthunk,
)

# NumPy gets these by Python's operators, of every sparse array.
_OPERATORS = {np.absolute, np.negative, np.positive}


@frule.dispatch(precedence=1)
def ufunc_frule(tangents: Any, f: np.ufunc, A: Sparse):
    return push_entries(tangents, f, A) if _is_of_entries(f, A) else None


@rrule.dispatch(precedence=1)
def ufunc_rrule(f: np.ufunc, A: Sparse):
    return pull_entries(f, A) if _is_of_entries(f, A) else None


@frule.dispatch(precedence=1)
def abs_frule(tangents: Any, f: typeof_(operator.abs), A: Sparse):
    return push_entries(tangents, f, A)


@rrule.dispatch(precedence=1)
def abs_rrule(f: typeof_(operator.abs), A: Sparse):
    return pull_entries(f, A)


def _method_rules(method: Callable[..., Any], function: np.ufunc) -> None:
    @frule.dispatch
    def method_frule(tangents: Any, f: typeof_(method), A: Sparse):
        return push_entries(tangents, function, A)

    @rrule.dispatch
    def method_rrule(f: typeof_(method), A: Sparse):
        return pull_entries(function, A)


for _name in dir(scipy.sparse.csr_array):
    if isinstance(_ufunc := getattr(np, _name, None), np.ufunc) and _ufunc.nin == _ufunc.nout == 1:
        for _method in methods(_name):
            if _name not in ("conj", "conjugate"):
                _method_rules(_method, _ufunc)


def _is_of_entries(f: np.ufunc, A: Any) -> bool:
    """Whether NumPy calls a method of `A`, or an operator that means elements."""
    has_method = hasattr(type(primal_of(A)), f.__name__) or f in _OPERATORS
    return has_method or not isinstance(primal_of(A), spmatrix)


# --- Powers ----------------------------------------------------------------------------------------


@frule.dispatch(precedence=1)
def pow_frule(tangents: Any, f: typeof_(operator.pow), A: Sparse, p: NumberOperand):
    if isinstance(primal_of(A), spmatrix):
        return push_matrix_power(tangents, operator.pow, A, p)
    return push_entries(tangents, operator.pow, A, p)


@rrule.dispatch(precedence=1)
def pow_rrule(f: typeof_(operator.pow), A: Sparse, p: NumberOperand):
    if isinstance(primal_of(A), spmatrix):
        return pull_matrix_power(operator.pow, A, p)
    return pull_entries(operator.pow, A, p)


def _power_rules(method: Callable[..., Any]) -> None:
    @frule.dispatch
    def power_frule(tangents: Any, f: typeof_(method), A: Sparse, p: NumberOperand):
        return push_entries(tangents, operator.pow, A, p)

    @rrule.dispatch
    def power_rrule(f: typeof_(method), A: Sparse, p: NumberOperand):
        return pull_entries(operator.pow, A, p)


# The method of arrays of Python lists and dictionaries makes an array of another format first.
_power_rules(scipy.sparse.csr_array.power)


# --- How -------------------------------------------------------------------------------------------


def push_entries(tangents: Any, f: Callable[..., Any], A: Any, *numbers: Any) -> Any:
    """The forward rule of an elementwise function; `None` if it is not zero at zero, or has no rule."""
    f_dot, A_dot, *number_dots = tangents
    if not _is_zero_at_zero(f, A, numbers):
        return None
    project = ProjectTo(A)
    entries_dot = (
        A_dot
        if isinstance(A_dot, AbstractZero)
        else stored_entries(project_onto_pattern(A_dot, project), project)
    )
    answer = frule((f_dot, entries_dot, *number_dots), f, stored_entries(A, project), *numbers)
    if answer is None:
        return None
    y, y_dot = answer
    return with_entries(y, project), y_dot if isinstance(y_dot, AbstractZero) else with_entries(
        y_dot, project
    )


def pull_entries(f: Callable[..., Any], A: Any, *numbers: Any) -> Any:
    """The reverse rule, likewise."""
    if not _is_zero_at_zero(f, A, numbers):
        return None
    project = ProjectTo(A)
    answer = rrule(f, stored_entries(A, project), *numbers)
    if answer is None:
        return None
    entries, pull = answer
    y = with_entries(entries, project)
    if isinstance(pull, NonDifferentiablePullback):
        return y, pull
    project_y = ProjectTo(y)

    def entries_pullback(y_bar):
        if isinstance(y_bar, AbstractZero):
            return NO_TANGENT, *(y_bar for _ in (A, *numbers))
        _, entries_bar, *number_bars = pull(stored_entries(project_onto_pattern(y_bar, project_y), project_y))
        entries_bar = unthunk(entries_bar)
        is_zero = isinstance(entries_bar, AbstractZero)  # as the cotangent of a sign is
        return NO_TANGENT, entries_bar if is_zero else with_entries(entries_bar, project), *number_bars

    return y, entries_pullback


@np.errstate(all="ignore")  # a logarithm says no, and not more
def _is_zero_at_zero(f: Callable[..., Any], A: Any, numbers: tuple[Any, ...]) -> bool:
    # SciPy converts an array of Python lists to another format first.
    if primal_of(A).format in ("lil", "dok"):
        return False
    return not np.any(f(primal_of(A).dtype.type(0), *map(primal_of, numbers)))
