"""Each cotangent of a pullback against finite differences."""

from typing import Any

import numpy as np

from chainrules_core import NoTangent, NotImplementedTangent, ZeroTangent
from chainrules_core.tangent_arithmetic import forced
from chainrules_testutils.check_result import compared
from chainrules_testutils.config import split_tangents
from chainrules_testutils.finite_differences import j_prime_vp_vec
from chainrules_testutils.kinds import tangent_problems
from chainrules_testutils.precision import with_floats
from chainrules_testutils.rand_tangent import rand_tangent
from chainrules_testutils.report import Check, Outcome, failed, passed, short
from chainrules_testutils.tangent_to_vec import perturbable
from chainrules_testutils.to_vec import to_vec
from chainrules_testutils.trial import Trial

_USE_NO_TANGENT = (
    "The pullback in the rrule should use NoTangent() rather than ZeroTangent() for non-perturbable "
    "arguments."
)


def check_cotangents(trial: Trial, cotangents: tuple[Any, ...], y_bar: Any) -> None:
    """Check the cotangent of the function, and that of each argument: value, dtype, addition in place."""
    xs = trial.where_it_is_differentiated()
    with trial.guarded("finite differences"):
        mask = np.concatenate(list(map(perturbable, xs, trial.tangents)))
        gradient = j_prime_vp_vec(trial.options.fdm, trial.call, xs, y_bar, mask)
        trial.expect_finite(gradient)
        expected = split_tangents(xs, gradient, list(trial.tangents))
        for i in range(len(cotangents)):
            where = f"cotangent for input {i + 1}"
            with trial.guarded(where):
                if isinstance(trial.tangents[i], NoTangent):
                    trial.record([_check_unperturbable(trial, i, forced(cotangents[i]), y_bar, where)])
                else:
                    _check_cotangent(trial, i, cotangents[i], expected[i], where)


def _check_cotangent(trial: Trial, i: int, x_bar: Any, expected: Any, where: str) -> None:
    is_right = trial.compare(x_bar, expected, where)
    trial.expect(tangent_problems(trial.primals[i], x_bar, "it"), f"dtype of the {where}")
    if is_right and not isinstance(x_bar, NotImplementedTangent):
        trial.check_accumulation(trial.tangents[i], x_bar, where)


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
