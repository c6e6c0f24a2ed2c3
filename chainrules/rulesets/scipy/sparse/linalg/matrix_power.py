"""Rules for the integer powers of sparse matrices.

``Y = A^n``: ``Y_dot`` is the sum of ``A^k A_dot A^(n - 1 - k)`` over ``k < n``, and ``A_bar`` that of
``(A^k)ᴴ Y_bar (A^(n - 1 - k))ᴴ``, of which only the elements where `A` stores an entry are computed.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse.linalg import matrix_power

from chainrules.operations.sparse_patterns import conjugated, sample_product
from chainrules.rulesets.scipy.sparse.products import Sparse, adjoint
from chainrules_core import (
    AbstractZero,
    NoTangent,
    ProjectTo,
    ZeroTangent,
    frule,
    primitive,
    project_onto_pattern,
    rrule,
    typeof_,
    unthunk,
)


@frule.dispatch
def matrix_power_frule(tangents: Any, f: typeof_(matrix_power), A: Sparse, power: int) -> Any:
    return push_matrix_power(tangents, primitive(matrix_power), A, power)


@rrule.dispatch
def matrix_power_rrule(f: typeof_(matrix_power), A: Sparse, power: int) -> Any:
    return pull_matrix_power(primitive(matrix_power), A, power)


def push_matrix_power(tangents: Any, f: Callable[..., Any], A: Any, n: Any) -> Any:
    """The forward rule, however the power was written; `None` if it is no integer."""
    if not isinstance(n, int | np.integer):
        return None
    A_dot = unthunk(tangents[1])
    y = f(A, n)
    if n == 0 or isinstance(A_dot, AbstractZero):
        return y, ZeroTangent()
    y_dot, power = A_dot, A
    for _ in range(n - 1):
        y_dot, power = y_dot @ A + power @ A_dot, power @ A
    return y, y_dot


def pull_matrix_power(f: Callable[..., Any], A: Any, n: Any) -> Any:
    """The reverse rule, likewise."""
    if not isinstance(n, int | np.integer):
        return None
    y = f(A, n)
    project = ProjectTo(A)
    powers = [A]
    for _ in range(n - 2):
        powers.append(powers[-1] @ A)

    def matrix_power_pullback(y_bar: Any) -> Any:
        y_bar = unthunk(y_bar)
        if n == 0 or isinstance(y_bar, AbstractZero):
            return NoTangent(), ZeroTangent(), NoTangent()
        left = [y_bar, *(adjoint(power) @ y_bar for power in powers[: n - 1])]
        right = [*reversed(powers[: n - 1])]
        terms = [sample_product(x, conjugated(power), project) for x, power in zip(left, right, strict=False)]
        A_bar = sum(terms, start=project_onto_pattern(left[-1], project))
        return NoTangent(), project_onto_pattern(A_bar, project), NoTangent()

    return y, matrix_power_pullback
