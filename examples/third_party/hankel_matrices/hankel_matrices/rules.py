"""The rules; loaded through the entry point.

`y = A x` is linear in both. With ``A[i, j] = v[i + j]``: ``v_bar[k] = sum_{i + j = k} y_bar[i] conj(x[j])``,
a convolution, and ``x_bar = conj(A) y_bar``, since `A` is symmetric. Neither makes a matrix.
"""

from typing import Any

import numpy as np

from chainrules_core import AbstractZero, NoTangent, ProjectTo, Tangent, frule, rrule, typeof_
from hankel_matrices.matrix import Hankel, convolved, correlated, multiply


def vector_of(A: Hankel, A_dot: Any) -> Any:
    """The tangent of the vector; zeros for a zero."""
    v_dot = A_dot if isinstance(A_dot, AbstractZero) else A_dot.v
    return np.zeros_like(A.v) if isinstance(v_dot, AbstractZero) else v_dot


@frule.dispatch
def multiply_frule(tangents: Any, f: typeof_(multiply), A: Hankel, x: np.ndarray) -> Any:
    _, A_dot, x_dot = tangents
    return multiply(A, x), correlated(vector_of(A, A_dot), x) + multiply(A, 0 * x + x_dot)


@rrule.dispatch
def multiply_rrule(f: typeof_(multiply), A: Hankel, x: np.ndarray) -> Any:
    project_A, project_x = ProjectTo(A), ProjectTo(x)

    def multiply_pullback(y_bar: Any) -> Any:
        A_bar = Tangent[Hankel](v=convolved(y_bar, np.conj(x)))
        return NoTangent(), project_A(A_bar), project_x(correlated(np.conj(A.v), y_bar))

    return multiply(A, x), multiply_pullback


@frule.dispatch
def hankel_frule(tangents: Any, f: typeof_(Hankel), v: np.ndarray) -> Any:
    return Hankel(v), Tangent[Hankel](v=tangents[1])


@rrule.dispatch
def hankel_rrule(f: typeof_(Hankel), v: np.ndarray) -> Any:
    project_A = ProjectTo(Hankel(v))
    return Hankel(v), lambda A_bar: (NoTangent(), project_A(A_bar).v)
