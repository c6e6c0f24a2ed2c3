"""Whether the `frule` and the `rrule` of one call are two halves of one derivative."""

from typing import Any

import numpy as np

from chainrules_core import DerivativeNotImplementedError, frule
from chainrules_testutils.advice.report import Outcome, failed
from chainrules_testutils.comparing.purity import copied
from chainrules_testutils.testers.cotangent_references import compared_products
from chainrules_testutils.testers.trial import Trial
from chainrules_testutils.values.tangent_to_vec import cotangent_to_vec, tangent_to_vec

_AGREEMENT = "agreement with the frule"


def check_agreement(trial: Trial, cotangents: tuple[Any, ...], y_bar: Any) -> None:
    """Check that ``Re<y_bar, frule(x_dot)> = Re<pullback(y_bar), x_dot>``, if there is an `frule`.

    It is for an `rrule` that is right in all else, so that a difference is the fault of the `frule`.
    """
    arguments = (copied(trial.tangents), trial.f, *copied(trial.primals[1:]))
    method = trial.method(frule, arguments)
    if method is None:
        return
    with trial.errors_as_failures(_AGREEMENT):
        answer = frule(trial.config, *arguments, **trial.options.fkwargs)
        if answer is None:
            return  # it declines
        try:
            y_dot = tangent_to_vec(trial.y, answer[1])
            x_bars = np.concatenate(list(map(cotangent_to_vec, trial.primals, cotangents)))
            x_dots = np.concatenate(list(map(tangent_to_vec, trial.primals, trial.tangents)))
        except DerivativeNotImplementedError:
            return
        products = cotangent_to_vec(trial.y, y_bar) * y_dot, x_bars * x_dots
        check = compared_products(*products, _AGREEMENT, trial.tolerance)
        if check.outcome is not Outcome.PASSED:
            problem = f"the frule, {method.location}, is wrong: this rrule agrees with finite differences."
            check = failed(_AGREEMENT, problem, *check.message.split("\n")[1:])
        trial.record([check])
