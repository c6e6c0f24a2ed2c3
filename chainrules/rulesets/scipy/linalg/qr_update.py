"""Rules for the update of a QR decomposition, ``Q₁ R₁ = Q R + u vᵀ``.

Rotations turn ``B = R + (Qᵀ u) vᵀ`` into a triangle, ``B = G R₁``, and ``Q₁ = Q G``. So the derivatives are
those of the decomposition of ``B``, for the signs that SciPy returns. Below its diagonal ``R`` is not read.
"""

from typing import Any

import numpy as np
from scipy.linalg import qr_update

from chainrules.formulas.factorizations.qr_factors import pull_qr, push_qr
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import is_complex_array, transposed
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, frule, primitive, rrule, typeof_

_qr_update = primitive(qr_update)


@frule.dispatch
def qr_update_frule(  # noqa: PLR0913, PLR0917 - those of SciPy's function, and tangents
    tangents: Any,
    f: typeof_(qr_update),
    Q: ArrayOperand,
    R: ArrayOperand,
    u: ArrayOperand,
    v: ArrayOperand,
    *options: Any,
    **named: Any,
):
    _refuse(Q, R, u, v)
    Q_dot, R_dot, u_dot, v_dot = (
        np.zeros_like(x) if isinstance(x_dot, AbstractZero) else x_dot
        for x, x_dot in zip((Q, R, u, v), tangents[1:5], strict=True)
    )
    y = Q1, R1 = _updated((Q, R, u, v), *options, **named)
    G = np.linalg.solve(Q, Q1)
    U, V, U_dot, V_dot = (_columns(x) for x in (u, v, u_dot, v_dot))
    w = transposed(Q) @ U
    w_dot = transposed(Q_dot) @ U + transposed(Q) @ U_dot
    B_dot = np.triu(R_dot) + w_dot @ transposed(V) + w @ transposed(V_dot)
    G_dot, R1_dot = push_qr(G, R1, np.triu(R) + w @ transposed(V), B_dot)
    return y, tangent_of_results(y, Q_dot @ G + Q @ G_dot, R1_dot)


@rrule.dispatch
def qr_update_rrule(
    f: typeof_(qr_update),
    Q: ArrayOperand,
    R: ArrayOperand,
    u: ArrayOperand,
    v: ArrayOperand,
    *options: Any,
    **named: Any,
):
    _refuse(Q, R, u, v)
    y = Q1, R1 = _updated((Q, R, u, v), *options, **named)
    projects = [ProjectTo(x) for x in (Q, R, u, v)]
    shapes = shape_of(u), shape_of(v)

    def qr_update_pullback(y_bar):
        Q1_bar, R1_bar = cotangents_of_results(y, y_bar)
        if isinstance(Q1_bar, AbstractZero) and isinstance(R1_bar, AbstractZero):
            return (NO_TANGENT, *(R1_bar,) * 4, *(NO_TANGENT,) * len(options))
        G = np.linalg.solve(Q, Q1)
        U, V = _columns(u), _columns(v)
        w = transposed(Q) @ U
        G_bar = Q1_bar if isinstance(Q1_bar, AbstractZero) else transposed(Q) @ Q1_bar
        B_bar = pull_qr("scipy.linalg.qr_update", G, R1, np.triu(R) + w @ transposed(V), G_bar, R1_bar)
        w_bar = B_bar @ V
        Q_bar = U @ transposed(w_bar)
        if not isinstance(Q1_bar, AbstractZero):
            Q_bar = Q_bar + Q1_bar @ transposed(G)
        u_bar, v_bar = np.reshape(Q @ w_bar, shapes[0]), np.reshape(transposed(B_bar) @ w, shapes[1])
        bars = (
            project(x_bar)
            for project, x_bar in zip(projects, (Q_bar, np.triu(B_bar), u_bar, v_bar), strict=True)
        )
        return (NO_TANGENT, *bars, *(NO_TANGENT,) * len(options))

    return y, qr_update_pullback


def _updated(args, overwrite_qruv: bool = False, check_finite: bool = True):
    return _qr_update(*args, False, check_finite)


def _columns(x):
    return x[..., None] if len(shape_of(x)) == 1 else x


def _refuse(Q, R, *vectors):
    """Raise for decompositions whose update is not differentiated.

    Raises
    ------
    ValueError
        For complex matrices, and matrices that are not square.
    """
    is_square = shape_of(Q) == shape_of(R) == shape_of(R)[::-1]
    if not is_square or any(is_complex_array(x) for x in (Q, R, *vectors)):
        raise ValueError(
            "scipy.linalg.qr_update(Q, R, u, v) can be differentiated for a real square matrix. Write "
            "`scipy.linalg.qr(Q @ R + np.outer(u, v))` for others."
        )
