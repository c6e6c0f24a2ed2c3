"""Rules for the Cholesky decomposition; see `chainrules.formulas.factorizations.cholesky_factors`.

`cho_factor` returns the factor in one triangle of an array. Before SciPy 1.18 the elements of the argument
are in the other one, as they were, and have their derivatives too; since then there are zeros.
"""

from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cholesky

from chainrules.formulas.factorizations.cholesky_factors import pull_cholesky, push_cholesky
from chainrules.makers.versions import is_scipy_since
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, ZeroTangent, frule, primitive, rrule, typeof_

_cholesky, _cho_factor = primitive(cholesky), primitive(cho_factor)
_HAS_ZEROS = is_scipy_since(1, 18)


@frule.dispatch
def cholesky_frule(tangents, f: typeof_(cholesky), A: ArrayOperand, *options, **named):
    A_dot = tangents[1]
    is_lower, kept = _read(*options, **named)
    y = _cholesky(A, **kept)
    return y, push_cholesky(y, A_dot, is_lower)


@rrule.dispatch
def cholesky_rrule(f: typeof_(cholesky), A: ArrayOperand, *options, **named):
    is_lower, kept = _read(*options, **named)
    y = _cholesky(A, **kept)
    project = ProjectTo(A)

    def cholesky_pullback(y_bar):
        A_bar = project(pull_cholesky(y, y_bar, is_lower))
        return NO_TANGENT, A_bar, *(NO_TANGENT,) * len(options)

    return y, cholesky_pullback


@frule.dispatch
def cho_factor_frule(tangents, f: typeof_(cho_factor), A: ArrayOperand, *options, **named):
    A_dot = tangents[1]
    is_lower, kept = _read(*options, **named)
    y = _cho_factor(A, **kept)
    factor, rest = _parts(is_lower)
    c_dot = push_cholesky(factor(y[0]), A_dot, is_lower) + rest(A_dot)
    return y, tangent_of_results(y, c_dot, NO_TANGENT)


@rrule.dispatch
def cho_factor_rrule(f: typeof_(cho_factor), A: ArrayOperand, *options, **named):
    is_lower, kept = _read(*options, **named)
    y = _cho_factor(A, **kept)
    project = ProjectTo(A)

    def cho_factor_pullback(y_bar):
        c_bar, _ = cotangents_of_results(y, y_bar)
        if not isinstance(c_bar, AbstractZero):
            factor, rest = _parts(is_lower)
            c_bar = project(pull_cholesky(factor(y[0]), factor(c_bar), is_lower) + rest(c_bar))
        return NO_TANGENT, c_bar, *(NO_TANGENT,) * len(options)

    return y, cho_factor_pullback


def _parts(is_lower: bool) -> Any:
    """The triangle with the factor, and the elements that stay as they were, as functions."""
    if _HAS_ZEROS:
        return (np.tril if is_lower else np.triu), lambda _: ZeroTangent()
    if is_lower:
        return np.tril, lambda A: np.triu(A, 1)
    return np.triu, lambda A: np.tril(A, -1)


def _read(
    lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[bool, dict[str, Any]]:
    """Which triangle is read, and the options that are handed on; the argument is never overwritten."""
    return bool(lower), {"lower": lower, "check_finite": check_finite}
