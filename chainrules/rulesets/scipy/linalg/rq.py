"""Rules for the RQ decomposition, which is a QR decomposition backwards.

If ``J`` reverses an order, ``A = R Q`` says that ``Aᴴ J = (Qᴴ J) (J Rᴴ J)``; see
`chainrules.formulas.factorizations.qr_factors`.
"""

from typing import Any

import numpy as np
from scipy.linalg import rq

from chainrules.formulas.arrays.lengths import with_length
from chainrules.formulas.factorizations.qr_factors import pull_qr, push_qr
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import adjoint
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, ZeroTangent, frule, primitive, rrule, typeof_

_rq = primitive(rq)


@frule.dispatch
def rq_frule(tangents, f: typeof_(rq), A: ArrayOperand, *options, **named):
    A_dot = tangents[1]
    y, mode, R, Q = _decomposed(A, *options, **named)
    # Both sides reversed: LAPACK's reflections begin with the last column, as those of QR with the first.
    Q_dot, R_dot = map(_reversed, push_qr(*map(_reversed, (Q, R, A, A_dot))))
    return y, R_dot if mode == "r" else tangent_of_results(y, R_dot, Q_dot)


@rrule.dispatch
def rq_rrule(f: typeof_(rq), A: ArrayOperand, *options, **named):
    y, mode, R, Q = _decomposed(A, *options, **named)
    project = ProjectTo(A)

    def rq_pullback(y_bar):
        R_bar, Q_bar = (y_bar, ZeroTangent()) if mode == "r" else cotangents_of_results(y, y_bar)
        Q_bar = Q_bar if isinstance(Q_bar, AbstractZero) else _columns_reversed(Q_bar)
        R_bar = R_bar if isinstance(R_bar, AbstractZero) else _reversed(R_bar)
        name = "scipy.linalg.rq(..., mode='full')"
        A_bar = pull_qr(name, _columns_reversed(Q), _reversed(R), _columns_reversed(A), Q_bar, R_bar)
        A_bar = A_bar if isinstance(A_bar, AbstractZero) else project(_rows_reversed(A_bar))
        return NO_TANGENT, A_bar, *(NO_TANGENT,) * len(options)

    return y, rq_pullback


def _decomposed(
    A, overwrite_a=False, lwork=None, mode="full", check_finite=True
) -> tuple[Any, str, Any, Any]:
    """The result, the mode and both factors; the argument is not overwritten."""
    y = R, Q = _rq(A, mode="economic" if mode == "r" else mode, check_finite=check_finite)
    if mode == "r":  # as SciPy returns it, with zeros in front
        y = R = _reversed(with_length(_reversed(R), shape_of(A)[-1], -2))
    return y, mode, R, Q


def _columns_reversed(A: Any) -> Any:
    """``Aᴴ J``."""
    return np.flip(adjoint(A), -1)


def _rows_reversed(A: Any) -> Any:
    """``J Aᴴ``."""
    return np.flip(adjoint(A), -2)


def _reversed(A: Any) -> Any:
    """``J Aᴴ J``."""
    return np.flip(adjoint(A), (-2, -1))
