"""Rules for the QR decomposition; see `chainrules.formulas.factorizations.qr_factors`.

With ``pivoting=True`` it is the decomposition of ``A[:, P]``, where the permutation is a constant.
"""

from typing import Any

from scipy.linalg import qr

from chainrules.formulas.arrays.lengths import with_length
from chainrules.formulas.factorizations.qr_factors import pull_qr, push_qr
from chainrules.formulas.matrices.row_orders import columns_in_order, inverse_order
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
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

_qr = primitive(qr)


@frule.dispatch
def qr_frule(tangents, f: typeof_(qr), A: ArrayOperand, *options, **named):
    A_dot = tangents[1]
    y, mode, (Q, R, *order) = _decomposed(A, *options, **named)
    dots = push_qr(Q, R, *(columns_in_order(X, primal_of(*order)) if order else X for X in (A, A_dot)))
    if not isinstance(y, tuple | list):
        return y, dots[1]
    return y, tangent_of_results(y, *dots[mode == "r" :], *(NO_TANGENT,) * len(order))


@rrule.dispatch
def qr_rrule(f: typeof_(qr), A: ArrayOperand, *options, **named):
    y, mode, (Q, R, *order) = _decomposed(A, *options, **named)
    project = ProjectTo(A)

    def qr_pullback(y_bar):
        bars = cotangents_of_results(y, y_bar) if isinstance(y, tuple | list) else (y_bar,)
        Q_bar, R_bar = (ZeroTangent(), bars[0]) if mode == "r" else bars[:2]
        name = "scipy.linalg.qr(..., mode='full')"
        matrix = columns_in_order(A, primal_of(*order)) if order else A
        A_bar = pull_qr(name, Q, R, matrix, Q_bar, R_bar)
        if order and not isinstance(A_bar, AbstractZero):
            A_bar = columns_in_order(A_bar, inverse_order(primal_of(*order)))
        return NO_TANGENT, project(A_bar), *(NO_TANGENT,) * len(options)

    return y, qr_pullback


def _decomposed(  # noqa: PLR0913, PLR0917 - SciPy's signature
    A, overwrite_a=False, lwork=None, mode="full", pivoting=False, check_finite=True
) -> tuple[Any, str, Any]:
    """The result, the mode, and both factors, with pivoting and the order of the columns.

    The argument is not overwritten. SciPy returns several results of a stack in a list, and one by itself.

    Raises
    ------
    ValueError
        For the mode that returns LAPACK's reflectors, and for modes that SciPy does not know.
    """
    if mode not in {"full", "qr", "economic", "r"}:
        raise ValueError(
            f"scipy.linalg.qr(..., mode={mode!r}) cannot be differentiated: the modes 'full', 'economic' and "
            "'r' can."
        )
    parts = _qr(A, mode="economic" if mode == "r" else mode, pivoting=pivoting, check_finite=check_finite)
    if mode != "r":
        return parts, mode, parts
    Q, R, *order = parts
    R = with_length(R, shape_of(A)[-2], -2)
    y = R if isinstance(parts, list) and not order else type(parts)((R, *order))
    return y, mode, (Q, R, *order)
