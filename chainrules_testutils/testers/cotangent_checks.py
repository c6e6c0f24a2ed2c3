"""Each cotangent of a pullback against finite differences."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules_core import NoTangent, NotImplementedTangent, ZeroTangent, unthunk_fully
from chainrules_testutils.advice.report import Check, Outcome, failed, passed, short
from chainrules_testutils.comparing.check_result import compared
from chainrules_testutils.comparing.finite_differences import j_prime_vp_vec
from chainrules_testutils.comparing.kinds import is_of_integers, tangent_problems
from chainrules_testutils.testers.config import split_tangents
from chainrules_testutils.testers.cotangent_explanations import Explanations
from chainrules_testutils.testers.cotangent_references import reference_for
from chainrules_testutils.testers.preconditions import hands_out_an_array, no_projector
from chainrules_testutils.testers.trial import Trial
from chainrules_testutils.values.natural_forms import natural_cotangent
from chainrules_testutils.values.precision import coarse_tolerance, with_floats
from chainrules_testutils.values.rand_tangent import rand_tangent
from chainrules_testutils.values.to_vec import to_vec

_USE_NO_TANGENT = (
    "The pullback in the rrule should use NoTangent() rather than ZeroTangent() for non-perturbable "
    "arguments."
)
_NONE = (
    "None is no tangent. Write `NoTangent()` for an argument without a derivative, `ZeroTangent()` where the "
    "derivative is zero."
)


def check_cotangents(
    trial: Trial, cotangents: tuple[Any, ...], y_bar: Any, pullback: Callable[[Any], Any] | None = None
) -> None:
    """Check the cotangents of the function and of each argument: value, dtype, addition in place.

    The `pullback`, if given, is called again after a failure, to find an explanation.
    """
    with trial.errors_as_failures("finite differences"):
        reference = reference_for(trial, y_bar, cotangents)
        trial.expect(
            coarse_tolerance(trial.options.atol, trial.tolerance_by_default, reference.largest), "tolerances"
        )
        for i in range(len(cotangents)):
            where = f"cotangent for input {i + 1}"
            with trial.errors_as_failures(where):
                if isinstance(trial.tangents[i], NoTangent):
                    trial.record([_check_unperturbable(trial, i, unthunk_fully(cotangents[i]), y_bar, where)])
                elif unthunk_fully(cotangents[i]) is None:
                    trial.record([failed(where, _NONE)])
                else:
                    checks = list(reference.checks(i, cotangents[i], where))
                    if pullback is not None:
                        explanations = Explanations(trial, reference, cotangents, y_bar, pullback)
                        checks = explanations.added_to(checks, i)
                    _record(trial, i, cotangents[i], checks, where)


def _record(trial: Trial, i: int, x_bar: Any, checks: list[Check], where: str) -> None:
    problems, of_dtype = list(tangent_problems(trial.primals[i], x_bar, "it")), f"dtype of the {where}"
    # Numbers that are written into integers are cut, so that wrong values follow.
    first = any(is_of_integers(x_bar) for _ in problems)
    if first:
        trial.expect(problems, of_dtype)
    is_right = trial.record(checks)
    if not first:
        trial.expect(problems, of_dtype)
    if is_right and not isinstance(x_bar, NotImplementedTangent):
        accumulated = natural_cotangent(trial.primals[i], trial.tangents[i])
        trial.check_accumulation(accumulated, natural_cotangent(trial.primals[i], x_bar), where)


def _check_unperturbable(trial: Trial, i: int, x_bar: Any, y_bar: Any, where: str) -> Check:
    if isinstance(x_bar, NoTangent):
        return passed(where)
    if isinstance(x_bar, NotImplementedTangent):
        return Check(where, Outcome.BROKEN, f"{where}: {x_bar.error()}")
    if isinstance(x_bar, ZeroTangent):
        return failed(where, _USE_NO_TANGENT)
    if not _is_made_of_integers(trial.primals[i]):
        problem = f"{short(x_bar)} for an argument that cannot be perturbed; return NoTangent()."
        x = trial.primals[i]
        return failed(where, problem, *([f"Here {no_projector(x)}"] if hands_out_an_array(x) else []))
    if x_bar is None:
        return failed(where, "None for an integer; return NoTangent().")
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
