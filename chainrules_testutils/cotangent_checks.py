"""Each cotangent of a pullback against finite differences."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from chainrules_core import NoTangent, NotImplementedTangent, ZeroTangent, unthunk_fully
from chainrules_testutils.check_result import compared
from chainrules_testutils.config import split_tangents
from chainrules_testutils.conjugation import conjugate, holds_complex, is_wrong_value, with_conjugate_hint
from chainrules_testutils.cotangent_references import Reference, reference_for
from chainrules_testutils.finite_differences import j_prime_vp_vec
from chainrules_testutils.kinds import tangent_problems
from chainrules_testutils.natural_forms import natural_cotangent
from chainrules_testutils.precision import with_floats
from chainrules_testutils.rand_tangent import rand_tangent
from chainrules_testutils.report import Check, Outcome, failed, passed, short
from chainrules_testutils.to_vec import to_vec
from chainrules_testutils.trial import Trial

_USE_NO_TANGENT = (
    "The pullback in the rrule should use NoTangent() rather than ZeroTangent() for non-perturbable "
    "arguments."
)


def check_cotangents(
    trial: Trial, cotangents: tuple[Any, ...], y_bar: Any, pullback: Callable[[Any], Any] | None = None
) -> None:
    """Check the cotangents of the function and of each argument: value, dtype, addition in place.

    The `pullback`, if given, is called again after a failure, to find an explanation.
    """
    with trial.guarded("finite differences"):
        reference = reference_for(trial, y_bar)
        for i in range(len(cotangents)):
            where = f"cotangent for input {i + 1}"
            with trial.guarded(where):
                if isinstance(trial.tangents[i], NoTangent):
                    trial.record([_check_unperturbable(trial, i, unthunk_fully(cotangents[i]), y_bar, where)])
                else:
                    checks = list(reference.checks(i, cotangents[i], where))
                    if any(map(is_wrong_value, checks)) and pullback is not None:
                        checks = _explained(checks, reference, i, y_bar, pullback)
                    _record(trial, i, cotangents[i], checks, where)


def _record(trial: Trial, i: int, x_bar: Any, checks: list[Check], where: str) -> None:
    is_right = trial.record(checks)
    trial.expect(tangent_problems(trial.primals[i], x_bar, "it"), f"dtype of the {where}")
    if is_right and not isinstance(x_bar, NotImplementedTangent):
        accumulated = natural_cotangent(trial.primals[i], trial.tangents[i])
        trial.check_accumulation(accumulated, natural_cotangent(trial.primals[i], x_bar), where)


def _explained(
    checks: list[Check], reference: Reference, i: int, y_bar: Any, pullback: Callable[[Any], Any]
) -> list[Check]:
    """The checks, with a hint if the pullback would be right but for a conjugate."""
    if not holds_complex((y_bar, *reference.inputs)):
        return checks

    def conjugated() -> Iterator[Check]:
        return reference.checks(i, conjugate(pullback(conjugate(y_bar))[i]), "")

    return with_conjugate_hint(checks, conjugated)


def _check_unperturbable(trial: Trial, i: int, x_bar: Any, y_bar: Any, where: str) -> Check:
    if isinstance(x_bar, NoTangent):
        return passed(where)
    if isinstance(x_bar, NotImplementedTangent):
        return Check(where, Outcome.BROKEN, f"{where}: {x_bar.error()}")
    if isinstance(x_bar, ZeroTangent):
        return failed(where, _USE_NO_TANGENT)
    if not _is_made_of_integers(trial.primals[i]):
        return failed(where, f"{short(x_bar)} for an argument that cannot be perturbed; return NoTangent().")
    return _check_integer(trial, i, x_bar, y_bar, where)


def _is_made_of_integers(x: Any) -> bool:
    """Whether `x` holds numbers, but none that `rand_tangent` perturbs."""
    return to_vec(x)[0].size > 0 and isinstance(rand_tangent(x, 0), NoTangent)


def _check_integer(trial: Trial, i: int, x_bar: Any, y_bar: Any, where: str) -> Check:
    xs = list(trial.where_it_is_differentiated())
    xs[i] = with_floats(xs[i])
    try:
        masks = [np.full(to_vec(x)[0].size, j == i) for j, x in enumerate(xs)]
        gradient = j_prime_vp_vec(trial.options.fdm, trial.call, tuple(xs), y_bar, np.concatenate(masks))
    except Exception as error:  # noqa: BLE001 - whatever the primal raises for a float
        problem = (
            f"{short(x_bar)} for an integer in whose place the primal takes no float; return NoTangent()."
        )
        return failed(where, problem, error=error)
    expected = split_tangents(tuple(xs), gradient, list(trial.tangents[:i]) + xs[i:])[i]
    checks = list(compared(x_bar, expected, where, trial.tolerance))
    return next((check for check in checks if check.outcome is not Outcome.PASSED), passed(where))
