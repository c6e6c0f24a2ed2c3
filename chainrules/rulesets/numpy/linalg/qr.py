"""Rules for the QR decomposition; see `chainrules.formulas.factorizations.qr_factors`."""

import numpy as np

from chainrules.formulas.factorizations.qr_factors import pull_qr, push_qr
from chainrules.numerics.lazy_matrices import qr
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules_core import NO_TANGENT, ProjectTo, ZeroTangent, frule, rrule, typeof_

_COMPLETE = "np.linalg.qr(..., mode='complete')"


@frule.dispatch
def qr_frule(tangents, f: typeof_(np.linalg.qr), A: ArrayOperand, *options: str, **named: str):
    A_dot = tangents[1]
    mode = _checked_mode(*options, **named)
    y = Q, R = qr(A, "complete" if mode == "complete" else "reduced")
    Q_dot, R_dot = push_qr(Q, R, A, A_dot)
    return (R, R_dot) if mode == "r" else (y, tangent_of_results(y, Q_dot, R_dot))


@rrule.dispatch
def qr_rrule(f: typeof_(np.linalg.qr), A: ArrayOperand, *options: str, **named: str):
    mode = _checked_mode(*options, **named)
    y = Q, R = qr(A, "complete" if mode == "complete" else "reduced")
    project = ProjectTo(A)

    def qr_pullback(y_bar):
        Q_bar, R_bar = (ZeroTangent(), y_bar) if mode == "r" else cotangents_of_results(y, y_bar)
        A_bar = project(pull_qr(_COMPLETE, Q, R, A, Q_bar, R_bar))
        return NO_TANGENT, A_bar, *(NO_TANGENT,) * len(options)

    return (R if mode == "r" else y), qr_pullback


def _checked_mode(mode: str = "reduced") -> str:
    """The mode of a decomposition that can be differentiated.

    Raises
    ------
    ValueError
        For the modes that return LAPACK's reflectors, deprecated modes, and modes that NumPy does not know.
    """
    if mode not in {"reduced", "complete", "r"}:
        raise ValueError(
            f"np.linalg.qr(..., mode={mode!r}) cannot be differentiated: the modes 'reduced', 'complete' and "
            "'r' can."
        )
    return mode
