"""Linear recurrences along the first axis, as functions that have rules: the derivatives of running results.

Forwards, ``s[k] = a[k-1] s[k-1] + b[k]`` from ``s[0] = b[0]``; backwards, ``t[k] = b[k] + a[k] t[k+1]`` from
the last ``t[-1] = b[-1]``. For equal `a` each is the transpose of the other, and the tangent of a recurrence
is a recurrence with the same `a`: so the rules of the two are made of the two.
"""

from typing import Any

import numpy as np

from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import conjugate
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, frule, primitive, rrule, typeof_


@primitive
def recurrence(a: Any, b: Any) -> Any:
    """The sequence ``s[k] = a[k-1] s[k-1] + b[k]``.

    Parameters
    ----------
    a
        Shape ``(n - 1, ...)``: the ratios between neighbours.
    b
        Shape ``(n, ...)``: the terms that are added.
    """
    s = b.astype(np.result_type(a, b))  # a copy
    for k in range(1, len(b)):
        s[k] += a[k - 1] * s[k - 1]
    return s


@primitive
def recurrence_backwards(a: Any, b: Any) -> Any:
    """The sequence ``t[k] = b[k] + a[k] t[k+1]``, of arrays with the shapes that `recurrence` takes."""
    return recurrence(a[::-1], b[::-1])[::-1]


@frule.dispatch
def recurrence_frule(
    tangents: Any, f: typeof_(recurrence), a: ArrayOperand, b: ArrayOperand
) -> tuple[Any, Any]:
    """The recurrence of ``b_dot[k] + a_dot[k-1] s[k-1]``."""
    _, a_dot, b_dot = tangents
    s = recurrence(a, b)
    if not isinstance(a_dot, AbstractZero):
        b_dot = b_dot + after_zero(a_dot * s[:-1])
    return s, b_dot if isinstance(b_dot, AbstractZero) else recurrence(a, b_dot)


@rrule.dispatch
def recurrence_rrule(f: typeof_(recurrence), a: ArrayOperand, b: ArrayOperand) -> tuple[Any, Any]:
    """The recurrence backwards."""
    s = recurrence(a, b)
    project_a, project_b = ProjectTo(a), ProjectTo(b)

    def recurrence_pullback(s_bar: Any) -> Any:
        b_bar = recurrence_backwards(conjugate(a), s_bar)
        return NO_TANGENT, project_a(b_bar[1:] * conjugate(s[:-1])), project_b(b_bar)

    return s, recurrence_pullback


@frule.dispatch
def recurrence_backwards_frule(
    tangents: Any, f: typeof_(recurrence_backwards), a: ArrayOperand, b: ArrayOperand
) -> tuple[Any, Any]:
    """The recurrence of ``b_dot[k] + a_dot[k] t[k+1]``."""
    _, a_dot, b_dot = tangents
    t = recurrence_backwards(a, b)
    if not isinstance(a_dot, AbstractZero):
        b_dot = b_dot + after_zero((a_dot * t[1:])[::-1])[::-1]
    return t, b_dot if isinstance(b_dot, AbstractZero) else recurrence_backwards(a, b_dot)


@rrule.dispatch
def recurrence_backwards_rrule(
    f: typeof_(recurrence_backwards), a: ArrayOperand, b: ArrayOperand
) -> tuple[Any, Any]:
    """The recurrence forwards."""
    t = recurrence_backwards(a, b)
    project_a, project_b = ProjectTo(a), ProjectTo(b)

    def recurrence_backwards_pullback(t_bar: Any) -> Any:
        b_bar = recurrence(conjugate(a), t_bar)
        return NO_TANGENT, project_a(b_bar[:-1] * conjugate(t[1:])), project_b(b_bar)

    return t, recurrence_backwards_pullback


def after_zero(x: Any) -> Any:
    """`x` with a zero before the first place of its first axis."""
    return np.concatenate((np.zeros_like(x, shape=(1, *x.shape[1:])), x))
