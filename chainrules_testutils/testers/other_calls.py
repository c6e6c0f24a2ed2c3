"""Whether a call of a rule stands alone: another one, with other arguments, changes nothing of it."""

import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from chainrules_core import NotImplementedTangent, scale_tangent
from chainrules_testutils.advice.report import any_failed, failed
from chainrules_testutils.comparing.check_result import compared
from chainrules_testutils.comparing.finite_differences import fixed_step
from chainrules_testutils.comparing.purity import copied, differences, shared_memory
from chainrules_testutils.testers.trial import Trial, can_be_scaled
from chainrules_testutils.values.parts import leaves, map_leaves
from chainrules_testutils.values.tangent_to_vec import cotangent_to_vec, tangent_to_vec
from chainrules_testutils.values.to_vec import RealVector, to_vec

# The other arguments are by so much larger: zeros, signs, order and structure stay.
_LARGER = 1.0 + 2.0**-6
# By which part of itself a derivative there has to differ from one that was kept. Where a function is curved,
# it differs by about as much as the arguments, and the differences are exact to 1e-9.
_APART = 1e-3
# By how much the steps of these differences are shorter than those of testers, so that no kink is in between.
_SHORTER = 64.0

_CHANGED = (
    "the {} changed when the rule was called with other arguments. Do not keep it in what all calls share, "
    "such as a global variable or a buffer."
)
_KEPT = (
    "with other arguments the rule gives the same {}, wrong there. Compute what it needs anew at each call, "
    "or keep it by the values of the arguments."
)
_SHARED = (
    "it shares memory with an argument, which the result of the function does not, so whoever writes into it "
    "would change the argument. Return a copy."
)
# Of the other sign, and so large that what clips is seen; a power of two, so that nothing is rounded.
OPPOSITE = -1024.0
_NOT_LINEAR = (
    "not linear: it does not give {} the {}. A rule multiplies by derivatives; what clips or rounds "
    "gradients belongs elsewhere."
)


def check_another_pullback(
    trial: Trial, y: Any, again: Callable[[Any], Any], y_bar: Any, saved: tuple[Any, ...]
) -> None:
    """Call an `rrule` and its pullback with other arguments, and check that the first call stays as it is."""

    def ask(others: tuple[Any, ...]) -> Any:
        _, pullback = trial.ask(trial.config, *others)
        return pullback(copied(y_bar))

    derivatives = "cotangents", saved, partial(again, y_bar)
    slope = partial(_pulled_slope, trial, y_bar=y_bar)
    _check_another_call(trial, ask, {"primal value": y}, derivatives, slope)


def check_another_frule(trial: Trial, answer: tuple[Any, Any], tangents: Any, given: Any, saved: Any) -> None:
    """Call an `frule` with other arguments, and check that the first call stays as it is."""

    def ask(others: tuple[Any, ...]) -> Any:
        return [trial.ask(trial.config, tangents, *others)[1]]

    def again() -> Any:
        return [trial.call_rule(tangents, *given)[1]]

    names = "primal value", "tangent of the output"
    results = dict(zip(names, answer, strict=True))
    _check_another_call(trial, ask, results, (names[1], [saved], again), partial(_pushed_slope, trial))


def _check_another_call(
    trial: Trial,
    ask: Callable[[tuple[Any, ...]], Any],
    results: dict[str, Any],
    derivatives: tuple[str, Any, Callable[[], Any]],
    slope: Callable[[tuple[Any, ...], Any], tuple[RealVector, RealVector]],
) -> None:
    """Call a rule with other arguments, and check what this does to the first call, and that call to this.

    Parameters
    ----------
    trial
        The run of the tester.
    ask
        The derivatives that the rule gives for other arguments, the function first.
    results
        Results of the first call by their names, which stay as they are.
    derivatives
        The name of the derivatives of the first call; a copy of them; and what gives them once more.
    slope
        The derivatives for other arguments, and the differences that they have to agree with, as vectors.
    """
    before, (name, saved, again) = copied(results), derivatives
    others = trial.f, *(_larger(x) for x in trial.primals[1:])
    answer = None
    with suppress(Exception), warnings.catch_warnings():  # the rule need not be defined there
        warnings.simplefilter("ignore")
        answer = copied(ask((trial.f, *copied(others[1:]))))
    where = "another call of the rule"
    with trial.errors_as_failures(where):
        # By value: a copy of an object may have been rounded once more when it was made.
        changed = [part for part, x in results.items() if not _are_same(trial, [x], [before[part]])]
        if not (changed or _are_same(trial, again(), saved)):
            changed = [name]
        problems = [_CHANGED.format(part) for part in changed]
        is_right = not trial.report.failed  # what is wrong needs no further explanation
        if not problems and is_right and answer is not None and _is_kept(trial, answer, saved, others, slope):
            problems = [_KEPT.format(name)]
        trial.expect(problems, where)


def _larger(x: Any) -> Any:
    """A copy of a value, with larger floating point numbers."""

    def larger(leaf: Any) -> Any:
        is_number = isinstance(leaf, float | complex | np.inexact)
        is_array = isinstance(leaf, np.ndarray) and leaf.dtype.kind in "fc"
        return leaf * _LARGER if is_number or is_array else leaf

    return map_leaves(larger, copied(x))


def _are_same(trial: Trial, x: Any, y: Any) -> bool:
    return not any_failed(
        check for pair in zip(x, y, strict=True) for check in compared(*pair, "", trial.tolerance)
    )


def _is_kept(
    trial: Trial,
    answer: Any,
    saved: Any,
    others: tuple[Any, ...],
    slope: Callable[[tuple[Any, ...], Any], tuple[RealVector, RealVector]],
) -> bool:
    """Whether the rule gives derivatives for other arguments that are those of the first ones, and wrong."""
    if trial.tolerance_by_default.rtol > _APART**2 or not any(True for _ in leaves(saved)):
        return False
    if any(differences(answer, saved, "it")):
        return False
    with suppress(Exception), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        found, expected = slope(others, answer)
        scale = np.max(np.abs(found), initial=0.0)
        return bool(scale > 0 and np.any(np.abs(found - expected) > _APART * scale))
    return False


def _pushed_slope(trial: Trial, others: tuple[Any, ...], y_dots: list[Any]) -> tuple[RealVector, RealVector]:
    """A pushed tangent, and the differences along the tangents of the arguments."""
    direction = np.concatenate(list(map(tangent_to_vec, others, trial.tangents)))
    y = trial.call(others[0], *copied(others[1:]))
    return tangent_to_vec(y, y_dots[0]), _differences_along(trial, others, direction)


def _pulled_slope(
    trial: Trial, others: tuple[Any, ...], x_bars: tuple[Any, ...], y_bar: Any
) -> tuple[RealVector, RealVector]:
    """The inner products of pulled cotangents with tangents, and of the cotangent with differences.

    The tangents have the signs of the cotangents, so that no products cancel.
    """
    x_bar = np.concatenate(list(map(cotangent_to_vec, others, x_bars)))
    y = trial.call(others[0], *copied(others[1:]))
    y_dot = _differences_along(trial, others, np.sign(x_bar))
    return np.sum(np.abs(x_bar), keepdims=True), np.atleast_1d(cotangent_to_vec(y, y_bar) @ y_dot)


def _differences_along(trial: Trial, others: tuple[Any, ...], direction: RealVector) -> RealVector:
    vec, back = to_vec(others)

    def along(t: float) -> RealVector:
        return to_vec(trial.call(*back(vec + t * direction)))[0]

    return fixed_step(along, 0.0, _SHORTER * float(np.linalg.norm(direction)))


def check_multiple(trial: Trial, where: str, factor: float, multiple: Callable[[], Any], saved: Any) -> None:
    """Report a rule that is not linear: why a value is wrong, or will be for another sign.

    Parameters
    ----------
    trial, where
        The run of the tester, and the name of the check.
    factor, multiple
        A factor, and what calls the rule with so many times the cotangent, or the tangents.
    saved
        The cotangents, or the tangent, that the rule gave.
    """
    with trial.errors_as_failures(where):
        checks = (
            check
            for x, before in zip(multiple(), saved, strict=True)
            if can_be_scaled(before) and not isinstance(before, NotImplementedTangent)
            for check in compared(x, scale_tangent(factor, before), where, trial.tolerance)
        )
        if any_failed(checks):
            times, of = (
                "twice" if factor == 2.0 else f"{factor:g} times",
                "cotangents" if trial.mode == "rrule" else "tangent",
            )
            trial.record([failed(where, _NOT_LINEAR.format(times, of))])


def have_one_sign(xs: tuple[Any, ...], x_dots: tuple[Any, ...]) -> bool:
    """Whether no real number in tangents has another sign than the others, so that a rule may ignore it."""
    with suppress(Exception):
        signs = np.sign(np.concatenate(list(map(tangent_to_vec, xs, x_dots))))
        return bool(np.any(signs)) and not {-1.0, 1.0} <= set(signs.tolist())
    return False


def check_memory_of_result(trial: Trial, y: Any, given: tuple[Any, ...]) -> None:
    """Check that the result shares memory with an argument only if that of the function does."""
    problems = []
    if shared_memory(y, given):
        args = copied(trial.primals[1:])
        if not shared_memory(trial.call(trial.f, *args), (trial.f, *args)):
            problems = [_SHARED]
    trial.expect(problems, "memory of the primal value")
