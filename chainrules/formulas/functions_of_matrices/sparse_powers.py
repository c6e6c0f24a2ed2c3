"""Integer powers of sparse matrices: both modes.

``Y = A^n``: ``Y_dot`` is the sum of ``A^k A_dot A^(n - 1 - k)`` over ``k < n``, and ``A_bar`` the sum of
``(A^k)ᴴ Y_bar (A^(n - 1 - k))ᴴ``. Only those elements of the cotangent are computed where `A` stores an
entry.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.formulas.matrices.sparse_products import conjugate_transpose
from chainrules.operations.sparse_entries import without_losses
from chainrules.operations.sparse_patterns import conjugated, sample_product
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, ZeroTangent, project_onto_pattern


def push_matrix_power(tangents: Any, f: Callable[..., Any], A: Any, n: Any) -> Any:
    """The forward rule, however the power was written; `None` if it is no integer."""
    if not isinstance(n, int | np.integer):
        return None
    A_dot = tangents[1]
    y = without_losses(lambda x: f(x, n), A)
    if n == 0 or isinstance(A_dot, AbstractZero):
        return y, ZeroTangent()
    y_dot, power = A_dot, A
    for _ in range(n - 1):
        y_dot, power = y_dot @ A + power @ A_dot, power @ A
    return y, y_dot


def pull_matrix_power(f: Callable[..., Any], A: Any, n: Any) -> Any:
    """The reverse rule, however the power was written; `None` if it is no integer."""
    if not isinstance(n, int | np.integer):
        return None
    y = without_losses(lambda x: f(x, n), A)
    project = ProjectTo(A)
    powers = [A]
    for _ in range(n - 2):
        powers.append(powers[-1] @ A)

    def matrix_power_pullback(y_bar: Any) -> Any:
        if n == 0:
            return NO_TANGENT, ZeroTangent(), NO_TANGENT
        left = [y_bar, *(conjugate_transpose(power) @ y_bar for power in powers[: n - 1])]
        right = [*reversed(powers[: n - 1])]
        terms = [sample_product(x, conjugated(power), project) for x, power in zip(left, right, strict=False)]
        A_bar = sum(terms, start=project_onto_pattern(left[-1], project))
        return NO_TANGENT, project_onto_pattern(A_bar, project), NO_TANGENT

    return y, matrix_power_pullback
