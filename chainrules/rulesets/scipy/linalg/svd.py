"""Rules for the singular value decomposition, and for singular values alone.

See `chainrules.formulas.spectra.singular_vectors`. The matrix is never overwritten: the derivative needs it.
"""

from typing import Any, NamedTuple

from scipy.linalg import svd, svdvals

from chainrules.formulas.spectra.singular_values import pull_singular_values, push_singular_values
from chainrules.formulas.spectra.singular_vectors import pull_decomposition, push_decomposition
from chainrules.values.named_results import cotangents_of_results, results_like, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, frule, primitive, rrule, typeof_

_svd = primitive(svd)
_FULL = "scipy.linalg.svd(..., full_matrices=True)"


class _Asked(NamedTuple):
    """The arguments of `scipy.linalg.svd` after the matrix."""

    full_matrices: bool = True
    compute_uv: bool = True
    overwrite_a: bool = False
    check_finite: bool = True
    lapack_driver: str = "gesdd"


@frule.dispatch
def svd_frule(tangents: Any, f: typeof_(svd), A: ArrayOperand, *options: Any, **named: Any):
    asked = _Asked(*options, **named)
    A_dot = tangents[1]
    y = _decomposed(A, asked)
    if not asked.compute_uv:
        return y[1], push_singular_values(y, A_dot)
    parts, dots = push_decomposition(A, A_dot, y)
    y = results_like(y, *parts)
    return y, tangent_of_results(y, *dots)


@rrule.dispatch
def svd_rrule(f: typeof_(svd), A: ArrayOperand, *options: Any, **named: Any):
    asked = _Asked(*options, **named)
    y = _decomposed(A, asked)
    project = ProjectTo(A)
    without_tangents = (NO_TANGENT,) * len(options)

    def svd_pullback(y_bar):
        bars = cotangents_of_results(y, y_bar)
        return NO_TANGENT, project(pull_decomposition(_FULL, y, *bars)), *without_tangents

    def svdvals_pullback(s_bar):
        return NO_TANGENT, _pull_values(y, s_bar), *without_tangents

    return (y, svd_pullback) if asked.compute_uv else (y[1], svdvals_pullback)


@frule.dispatch
def svdvals_frule(tangents: Any, f: typeof_(svdvals), A: ArrayOperand, *options: Any, **named: Any):
    A_dot = tangents[1]
    y = _decomposed(A, _asked_for_values(*options, **named))
    return y[1], push_singular_values(y, A_dot)


@rrule.dispatch
def svdvals_rrule(f: typeof_(svdvals), A: ArrayOperand, *options: Any, **named: Any):
    y = _decomposed(A, _asked_for_values(*options, **named))

    def svdvals_pullback(s_bar):
        return NO_TANGENT, _pull_values(y, s_bar), *(NO_TANGENT,) * len(options)

    return y[1], svdvals_pullback


def _asked_for_values(overwrite_a: bool = False, check_finite: bool = True) -> _Asked:
    """The arguments of `scipy.linalg.svdvals`, as those of `svd`."""
    return _Asked(compute_uv=False, check_finite=check_finite)


def _decomposed(A, asked: _Asked):
    """The decomposition that the derivatives need: the smaller one for singular values alone."""
    is_full = asked.full_matrices and asked.compute_uv
    return _svd(A, is_full, True, False, asked.check_finite, asked.lapack_driver)


def _pull_values(y, s_bar):
    return s_bar if isinstance(s_bar, AbstractZero) else pull_singular_values(y, s_bar)
