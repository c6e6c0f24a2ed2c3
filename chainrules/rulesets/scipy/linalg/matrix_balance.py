"""Rules for balanced matrices: ``B = T⁻¹ A T``, where ``T`` is a permutation of powers of two.

It is constant between jumps.
"""

from typing import Any

import numpy as np
from scipy.linalg import matrix_balance

from chainrules.makers.linear_rules import tangent_like
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import adjoint
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    ZeroTangent,
    frule,
    primal_of,
    primitive,
    rrule,
    typeof_,
)

_balance = primitive(matrix_balance)


@frule.dispatch
def matrix_balance_frule(
    tangents: Any, f: typeof_(matrix_balance), A: ArrayOperand, *options: Any, **named: Any
):
    A_dot = tangents[1]
    asked = _without_overwriting(*options, **named)
    y = _balance(A, **asked)
    T = _transformation(A, asked)
    rest_dot = tangent_of_results(y[1], ZeroTangent(), NO_TANGENT) if asked["separate"] else ZeroTangent()
    return y, tangent_of_results(y, tangent_like(y[0], np.linalg.inv(T) @ A_dot @ T), rest_dot)


@rrule.dispatch
def matrix_balance_rrule(f: typeof_(matrix_balance), A: ArrayOperand, *options: Any, **named: Any):
    asked = _without_overwriting(*options, **named)
    y = _balance(A, **asked)
    project, T = ProjectTo(A), _transformation(A, asked)
    without_tangents = (NO_TANGENT,) * len(options)

    def matrix_balance_pullback(y_bar):
        B_bar = cotangents_of_results(y, y_bar)[0]
        if isinstance(B_bar, AbstractZero):
            return NO_TANGENT, B_bar, *without_tangents
        return NO_TANGENT, project(adjoint(np.linalg.inv(T)) @ B_bar @ adjoint(T)), *without_tangents

    return y, matrix_balance_pullback


def _without_overwriting(permute=True, scale=True, separate=False, overwrite_a=False) -> dict[str, Any]:
    return {"permute": permute, "scale": scale, "separate": separate}


def _transformation(A, asked):
    return matrix_balance(primal_of(A), **asked | {"separate": False})[1]
