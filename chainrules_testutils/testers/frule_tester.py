"""`test_frule`: a rule for forward mode against finite differences."""

# ruff: noqa: PLR0913, PT028 - keywords are optional, and this is not a test of pytest's

from collections.abc import Callable, Iterator
from typing import Any, Never

import numpy as np

from chainrules_core import NoTangent, NotImplementedTangent, ZeroTangent, scale_tangent, unthunk_fully
from chainrules_testutils.advice.conjugation import (
    conjugate,
    holds_complex,
    is_wrong_value,
    with_conjugate_hint,
)
from chainrules_testutils.advice.kinks import at_kink, kink_problem
from chainrules_testutils.advice.misplaced_arguments import refuse_unknown
from chainrules_testutils.advice.report import Check, Outcome, Report, all_passed, passed, with_hint
from chainrules_testutils.comparing.check_result import compared
from chainrules_testutils.comparing.finite_differences import Stencil, jvp_vec
from chainrules_testutils.comparing.kinds import tangent_problems
from chainrules_testutils.comparing.purity import copied, shared_memory
from chainrules_testutils.testers.oracle_checks import check_tangent_against
from chainrules_testutils.testers.other_calls import (
    OPPOSITE,
    check_another_frule,
    check_memory_of_result,
    check_multiple,
    have_one_sign,
)
from chainrules_testutils.testers.preconditions import integers_for_reals, opaque_output
from chainrules_testutils.testers.second_order import check_pushforward, tracing_config
from chainrules_testutils.testers.trial import AUTO, Options, Trial, can_be_scaled
from chainrules_testutils.values.natural_forms import natural_tangent
from chainrules_testutils.values.precision import coarse_tolerance
from chainrules_testutils.values.rand_tangent import generator, rand_tangent
from chainrules_testutils.values.tangent_to_vec import tangent_from_vec, tangent_to_vec
from chainrules_testutils.values.to_vec import RealVector

_NONE = (
    "None is no tangent. Return `ZeroTangent()` where the derivative is zero, `NoTangent()` for a result "
    "that has none."
)
_FIRST = (
    "hint: the first tangent is that of the function itself, and `NoTangent()`: write `_, x_dot = tangents`."
)
_OUTPUT = "tangent of the output"
_COPY = "; compute with a copy of it"


def test_frule(
    f: Any,
    *args: Any,
    fkwargs: dict[str, Any] | None = None,
    output_tangent: Any = AUTO,
    frule_f: Callable[..., Any] | None = None,
    config: Any = None,
    rtol: float | None = None,
    atol: float | None = None,
    fdm: Stencil | None = None,
    rng: Any = 0,
    mode: str = "full",
    order: int = 1,
    second_order_via: Any = None,
    oracle: Any = None,
    **unknown: Never,
) -> Report:
    """Check the `frule` of a call against finite differences along a tangent.

    It is also checked that the result is the result of `f`, and that the tangent has its shape and precision;
    that zero tangents give zero, a second call gives the same, and the tangent can be added in place; that
    nothing is written into the arguments or their tangents, and the output tangent does not share the
    arguments' memory.

    Parameters
    ----------
    f
        The function. The values that a closure, a callable instance or a `functools.partial` holds are moved
        too. Like each argument it may be a `PrimalAndTangent`, to choose the tangent.
    *args
        The arguments. Integers are not moved, unless a tangent says so.
    fkwargs
        Keyword arguments of `f`; they are not differentiated.
    output_tangent
        The value that the tangent of the output is added to; by default random.
    frule_f
        Called as ``frule_f(config, tangents, f, *args, **fkwargs)`` in the place of `frule`.
    config, rtol, atol, fdm, rng, second_order_via, oracle
        As for `test_rrule`.
    mode
        As for `test_rrule`; it matters for ``order=2``, since a pushforward has one direction anyway.
    order
        2 to also check the derivatives of the pushforward, with respect to the arguments and their tangents.

    Returns
    -------
    Report
        The checks and their outcomes.

    Raises
    ------
    RuleTestError
        If the rule is wrong, raises, or does not exist; it lists everything that is wrong, causes first.
    TypeError
        If `f` is no function, or an option is none of these.
    ModuleNotFoundError
        For ``order=2`` without an AD system, for `oracle` without the framework.
    LookupError
        If the framework has no function that is known to compute what `f` computes.
    Exception
        Whatever `f` itself raises.
    """
    refuse_unknown("test_frule", unknown)
    options = Options(
        fkwargs=fkwargs or {},
        output_tangent=output_tangent,
        rule=frule_f,
        config=config,
        rtol=rtol,
        atol=atol,
        fdm=fdm,
        rng=generator(rng),
        mode=mode,
        order=order,
        second_order_via=second_order_via,
        oracle=oracle,
    )
    report = frule_report(f, args, options)
    __tracebackhide__ = True  # pytest points at the test, not here
    report.raise_failures()
    return report


test_frule.__test__ = False  # type: ignore[attr-defined]  # for pytest


def frule_report(f: Any, args: tuple[Any, ...], options: Options) -> Report:
    """The report of `test_frule`."""
    config = tracing_config(options)
    trial = Trial("frule", f, args, options)
    given = trial.remembered((trial.f, *copied(trial.primals[1:])))
    tangents = copied(trial.tangents)
    if trial.is_opaque(tangents, *given):
        trial.record([opaque_output(trial.y)])
        return trial.report
    with trial.errors_as_failures("frule"):
        answer = trial.call_rule(tangents, *given)
        trial.check_arguments()
        trial.check_unchanged(trial.tangents, tangents, "tangents given to the frule", _COPY)
        if not trial.expect_pair(answer):
            pass
        elif trial.has_tangents:
            _check_answer(trial, answer, tangents, given)
            if config is not None and not trial.report.failed:
                check_pushforward(trial, config)
        else:
            trial.check_result(answer[0])
            is_declared = isinstance(unthunk_fully(answer[1]), NoTangent)
            trial.record([passed(_OUTPUT) if is_declared else opaque_output(trial.y)])
    trial.record(integers_for_reals(trial))
    if trial.check_arguments():
        trial.expect([], "arguments")
    return trial.report


def _check_answer(trial: Trial, answer: tuple[Any, Any], tangents: Any, given: tuple[Any, ...]) -> None:
    y, y_dot = answer
    if _is_swapped(trial, y, y_dot):
        trial.expect(["The result and its tangent are the other way round: return (y, y_dot)."], "frule")
        return
    trial.check_result(y)
    check_memory_of_result(trial, y, given)
    if y_dot is None:
        trial.expect([_NONE], _OUTPUT)
        return
    saved = copied(y_dot)
    _check_tangent(trial, y_dot)
    if trial.oracle is not None:
        check_tangent_against(trial.oracle, trial, y_dot)
    if shared_memory(y_dot, given):
        trial.expect(
            [f"The {_OUTPUT} shares memory with an argument; return a copy."], f"memory of the {_OUTPUT}"
        )
    else:
        trial.expect([], f"memory of the {_OUTPUT}")
    _check_other_calls(trial, answer, tangents, given, saved)


def _is_swapped(trial: Trial, y: Any, y_dot: Any) -> bool:
    def is_result(x: Any) -> bool:
        return all_passed(compared(x, trial.y, "", trial.tolerance))

    return not is_result(y) and is_result(y_dot)


def _check_tangent(trial: Trial, y_dot: Any) -> None:
    accumulated = trial.options.output_tangent
    if accumulated is AUTO:
        accumulated = rand_tangent(trial.y, trial.options.rng)
    xs = trial.where_it_is_differentiated()
    with trial.errors_as_failures("finite differences"):
        y = trial.call(*copied(xs))
        natural_y_dot = natural_tangent(y, y_dot)

        def compared_with(y_dot_vec: RealVector) -> tuple[list[Check], Any]:
            expected = tangent_from_vec(y, accumulated, y_dot_vec)
            if isinstance(accumulated, NoTangent) and np.any(y_dot_vec):
                expected = tangent_from_vec(y, y, y_dot_vec)
            return list(compared(natural_y_dot, expected, _OUTPUT, trial.tolerance)), expected

        y_dot_vec = trial.measured(
            lambda fdm: jvp_vec(fdm, trial.call, xs, trial.tangents), lambda vec: compared_with(vec)[0]
        )
        largest = float(np.max(np.abs(y_dot_vec), initial=0.0))
        trial.expect(coarse_tolerance(trial.options.atol, trial.tolerance_by_default, largest), "tolerances")
        checks, expected = compared_with(y_dot_vec)
        if isinstance(y_dot, NoTangent):
            checks = [
                check if check.outcome is Outcome.PASSED else with_hint(check, _FIRST) for check in checks
            ]
        if any(map(is_wrong_value, checks)):
            error = tangent_to_vec(y, y_dot) - y_dot_vec
            checks = _with_explanations(trial, checks, xs, error, expected)
        is_right = trial.record(checks)
        trial.expect(tangent_problems(trial.y, y_dot, "it"), f"dtype of the {_OUTPUT}")
        if (
            is_right
            and not isinstance(accumulated, NoTangent)
            and not isinstance(y_dot, NotImplementedTangent)
        ):
            trial.check_accumulation(natural_tangent(y, accumulated), natural_y_dot, _OUTPUT)


def _with_explanations(
    trial: Trial, checks: list[Check], xs: tuple[Any, ...], error: Any, expected: Any
) -> list[Check]:
    direction = np.concatenate(list(map(tangent_to_vec, xs, trial.tangents)))
    longest = np.max(np.abs(direction), initial=0.0) or 1.0
    is_worst = np.arange(error.size) == np.argmax(np.abs(error))
    kink = kink_problem(trial.call, xs, direction / longest, is_worst.astype(float))
    if kink is not None:
        return [at_kink(check, kink) for check in checks]
    if not holds_complex((trial.primals, trial.tangents)):
        return checks
    return with_conjugate_hint(checks, lambda: _conjugated_checks(trial, expected))


def _conjugated_checks(trial: Trial, expected: Any) -> Iterator[Check]:
    """The checks of the rule with conjugated tangents, its result conjugated."""
    _, y_dot = trial.call_rule(tuple(map(conjugate, trial.tangents)), trial.f, *copied(trial.primals[1:]))
    y_dot = natural_tangent(trial.y, conjugate(y_dot))
    return compared(y_dot, expected, "", trial.tolerance)


def _check_other_calls(
    trial: Trial, answer: tuple[Any, Any], tangents: tuple[Any, ...], given: tuple[Any, ...], saved: Any
) -> None:
    with trial.errors_as_failures("second call of the frule"):
        if trial.compare(trial.call_rule(tangents, *given)[1], saved, "second call of the frule"):
            check_another_frule(trial, answer, tangents, given, saved)
    if isinstance(saved, NotImplementedTangent) or not all(map(can_be_scaled, tangents)):
        return
    with trial.errors_as_failures("pushing zeros forward"):
        zeros = tuple(scale_tangent(0.0, x_dot) for x_dot in tangents)
        trial.compare(trial.call_rule(zeros, *given)[1], ZeroTangent(), "pushing zeros forward")
    if have_one_sign(trial.primals, tangents):

        def opposite() -> Any:
            return [trial.call_rule(tuple(scale_tangent(OPPOSITE, x_dot) for x_dot in tangents), *given)[1]]

        check_multiple(trial, "pushing -1024 times the tangents forward", OPPOSITE, opposite, [saved])
