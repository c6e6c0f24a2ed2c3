"""Rules for QR decompositions when rows or columns are inserted into the matrix, or deleted from it.

The result decomposes the edited ``A = Q R``, and its derivatives are those of that decomposition, for the
signs that SciPy returns: `chainrules/formulas/factorizations/qr_factors.py`. Derivatives by `Q` are those
along ways on which its columns remain orthonormal.
"""

from typing import Any

import numpy as np
from scipy.linalg import qr_delete, qr_insert

from chainrules.formulas.factorizations.qr_factors import pull_qr, push_qr
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import is_complex_array, transposed
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, frule, primitive, rrule, typeof_

_qr_delete, _qr_insert = primitive(qr_delete), primitive(qr_insert)


@frule.dispatch
def qr_insert_frule(  # noqa: PLR0913, PLR0917 - those of SciPy's function, and tangents
    tangents: Any,
    f: typeof_(qr_insert),
    Q: ArrayOperand,
    R: ArrayOperand,
    u: ArrayOperand,
    k: int,
    *options: Any,
    **named: Any,
):
    _refuse("qr_insert", Q, R, u)
    y, axis, places, u_shape = _inserted(Q, R, u, k, *options, **named)
    A_dot, u_dot = _product_dot(Q, R, tangents), tangents[3]
    u_dot = np.zeros(u_shape) if isinstance(u_dot, AbstractZero) else np.reshape(u_dot, u_shape)
    order = np.argsort(np.append(_others(y, axis, places), places))
    return _pushed("qr_insert", y, np.take(np.concatenate([A_dot, u_dot], axis), order, axis))


@rrule.dispatch
def qr_insert_rrule(
    f: typeof_(qr_insert),
    Q: ArrayOperand,
    R: ArrayOperand,
    u: ArrayOperand,
    k: int,
    *options: Any,
    **named: Any,
):
    _refuse("qr_insert", Q, R, u)
    y, axis, places, _ = _inserted(Q, R, u, k, *options, **named)
    project, shape = ProjectTo(u), shape_of(u)

    def qr_insert_pullback(y_bar):
        edited_bar = _pulled("qr_insert", y, y_bar)
        rest = (NO_TANGENT,) * (1 + len(options))
        if isinstance(edited_bar, AbstractZero):
            return NO_TANGENT, edited_bar, edited_bar, edited_bar, *rest
        Q_bar, R_bar = _factor_bars(Q, R, np.take(edited_bar, _others(y, axis, places), axis))
        return NO_TANGENT, Q_bar, R_bar, project(np.reshape(np.take(edited_bar, places, axis), shape)), *rest

    return y, qr_insert_pullback


@frule.dispatch
def qr_delete_frule(
    tangents: Any,
    f: typeof_(qr_delete),
    Q: ArrayOperand,
    R: ArrayOperand,
    k: int,
    *options: Any,
    **named: Any,
):
    _refuse("qr_delete", Q, R)
    y, axis, kept = _deleted(Q, R, k, *options, **named)
    return _pushed("qr_delete", y, np.take(_product_dot(Q, R, tangents), kept, axis))


@rrule.dispatch
def qr_delete_rrule(
    f: typeof_(qr_delete), Q: ArrayOperand, R: ArrayOperand, k: int, *options: Any, **named: Any
):
    _refuse("qr_delete", Q, R)
    y, axis, kept = _deleted(Q, R, k, *options, **named)

    def qr_delete_pullback(y_bar):
        edited_bar = _pulled("qr_delete", y, y_bar)
        rest = (NO_TANGENT,) * (1 + len(options))
        if isinstance(edited_bar, AbstractZero):
            return NO_TANGENT, edited_bar, edited_bar, *rest
        length = (shape_of(Q)[0], shape_of(R)[1])[axis]
        chosen = (np.arange(length)[:, None] == kept) * 1.0
        A_bar = chosen @ edited_bar if axis == 0 else edited_bar @ transposed(chosen)
        return NO_TANGENT, *_factor_bars(Q, R, A_bar), *rest

    return y, qr_delete_pullback


def _inserted(Q, R, u, k, which="row", rcond=None, overwrite_qru=False, check_finite=True):  # noqa: PLR0913, PLR0917 - those of SciPy
    """The result, the axis, the places of what is new, and its shape as a matrix."""
    y = _qr_insert(Q, R, u, k, which, rcond, False, check_finite)
    axis = 0 if which == "row" else 1
    shape = shape_of(Q)[0], shape_of(R)[1]
    count = 1 if len(shape_of(u)) == 1 else shape_of(u)[axis]
    places = np.arange(count) + (k + shape[axis] if k < 0 else k)
    return y, axis, places, (count, shape[1]) if axis == 0 else (shape[0], count)


def _deleted(Q, R, k, p=1, which="row", overwrite_qr=False, check_finite=True):  # noqa: PLR0913, PLR0917 - those of SciPy
    """The result, the axis, and the places that are kept."""
    y = _qr_delete(Q, R, k, p, which, False, check_finite)
    axis = 0 if which == "row" else 1
    length = (shape_of(Q)[0], shape_of(R)[1])[axis]
    return y, axis, np.delete(np.arange(length), np.arange(p) + (k + length if k < 0 else k))


def _others(y, axis, places):
    return np.delete(np.arange((shape_of(y[0])[0], shape_of(y[1])[1])[axis]), places)


def _product_dot(Q, R, tangents):
    Q_dot, R_dot = (
        np.zeros_like(x) if isinstance(x_dot, AbstractZero) else x_dot
        for x, x_dot in zip((Q, R), tangents[1:3], strict=True)
    )
    return Q_dot @ np.triu(R) + Q @ np.triu(R_dot)


def _factor_bars(Q, R, A_bar):
    return ProjectTo(Q)(A_bar @ transposed(np.triu(R))), ProjectTo(R)(np.triu(transposed(Q) @ A_bar))


def _pushed(name, y, A_dot):
    Q, R = y
    if shape_of(Q)[1] > shape_of(R)[1] + 1:
        raise ValueError(
            f"scipy.linalg.{name} completes the basis by columns that are an arbitrary choice, which has no "
            'derivative forwards. Give it the factors of `scipy.linalg.qr(A, mode="economic")`.'
        )
    return y, tangent_of_results(y, *push_qr(Q, R, Q @ R, A_dot))


def _pulled(name, y, y_bar):
    (Q, R), (Q_bar, R_bar) = y, cotangents_of_results(y, y_bar)
    return pull_qr(f"scipy.linalg.{name}", Q, R, Q @ R, Q_bar, R_bar)


def _refuse(name, *matrices):
    """Raise for complex matrices, whose triangle has no real diagonal.

    Raises
    ------
    ValueError
        If there is one.
    """
    if any(is_complex_array(x) for x in matrices):
        raise ValueError(
            f"scipy.linalg.{name} can be differentiated for real matrices. Write `scipy.linalg.qr` of the "
            "changed matrix for others."
        )
