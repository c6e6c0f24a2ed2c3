"""Rules for the Cholesky decomposition of banded matrices.

See `chainrules.formulas.factorizations.banded_cholesky`.
"""

from typing import Any

from scipy.linalg import cholesky_banded

from chainrules.formulas.factorizations.banded_cholesky import pull_banded_cholesky, push_banded_cholesky
from chainrules.values.operands import ArrayOperand
from chainrules_core import NO_TANGENT, ProjectTo, frule, primal_of, primitive, rrule, typeof_

_cholesky_banded = primitive(cholesky_banded)


@frule.dispatch
def cholesky_banded_frule(tangents, f: typeof_(cholesky_banded), ab: ArrayOperand, *options, **named):
    ab_dot = tangents[1]
    c, is_lower = _factor(ab, *options, **named)
    if not primal_of(ab).size:
        return c, ab_dot
    return c, push_banded_cholesky(c, ab_dot, is_lower)


@rrule.dispatch
def cholesky_banded_rrule(f: typeof_(cholesky_banded), ab: ArrayOperand, *options, **named):
    c, is_lower = _factor(ab, *options, **named)
    project = ProjectTo(ab)

    def cholesky_banded_pullback(c_bar):
        if primal_of(ab).size:
            c_bar = pull_banded_cholesky(c, c_bar, is_lower)
        return NO_TANGENT, project(c_bar), *(NO_TANGENT,) * len(options)

    return c, cholesky_banded_pullback


def _factor(
    ab: Any, overwrite_ab: bool = False, lower: bool = False, check_finite: bool = True
) -> tuple[Any, bool]:
    """The factor, and whether it is the lower one; the argument is never overwritten."""
    return _cholesky_banded(ab, lower=lower, check_finite=check_finite), bool(lower)
