"""`test_rrule`: a rule for reverse mode against finite differences."""

# ruff: noqa: PLR0913, PT028 - keywords are optional, and this is not a test of pytest's

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Never

import numpy as np

from chainrules_core import (
    AbstractZero,
    NoTangent,
    NotImplementedTangent,
    Thunk,
    ZeroTangent,
    describe_value,
    rrule,
    scale_tangent,
    unthunk_fully,
)
from chainrules_testutils.advice.conjugation import is_wrong_value
from chainrules_testutils.advice.misplaced_arguments import refuse_unknown
from chainrules_testutils.advice.report import Report, any_failed, failed
from chainrules_testutils.comparing.check_result import compared, is_no_tangent, no_tangent
from chainrules_testutils.comparing.finite_differences import Stencil
from chainrules_testutils.comparing.number_comparison import is_numeric
from chainrules_testutils.comparing.purity import copied, shared_memory
from chainrules_testutils.testers.agreement import check_agreement
from chainrules_testutils.testers.cotangent_checks import check_cotangents
from chainrules_testutils.testers.cotangent_forms import form_advice, other_form, with_zero_fields
from chainrules_testutils.testers.oracle_checks import check_cotangents_against
from chainrules_testutils.testers.other_calls import (
    OPPOSITE,
    check_another_pullback,
    check_memory_of_result,
    check_multiple,
    have_one_sign,
)
from chainrules_testutils.testers.preconditions import integers_for_reals, opaque_output
from chainrules_testutils.testers.rule_answers import cotangents_problem, parameters_advice
from chainrules_testutils.testers.second_order import check_pullback, tracing_config
from chainrules_testutils.testers.trial import AUTO, Options, Trial, can_be_scaled
from chainrules_testutils.values.parts import CONTAINERS, leaves
from chainrules_testutils.values.rand_tangent import generator, rand_tangent
from chainrules_testutils.values.to_vec import to_vec

_GIVEN = "cotangent given to the pullback"
_COPY = "; compute with a copy, `y_bar = 2 * y_bar` in the place of `y_bar *= 2`"
_REPEATED = "A pullback is called several times, so it must not use up the values that it holds."
_ZERO_PART = (
    "A part of the cotangent may be `ZeroTangent()`: compute with it, `2 * y_bar[0]`, which needs no array, "
    "or ask `isinstance(y_bar[0], AbstractZero)` first."
)
_TWICE, _OPPOSITE = "pulling back twice the cotangent", "pulling back -1024 times the cotangent"
_IGNORES = "the pullback ignores its cotangent: zero gives the same. Multiply by `y_bar`."


def test_rrule(
    f: Any,
    *args: Any,
    fkwargs: dict[str, Any] | None = None,
    output_tangent: Any = AUTO,
    check_thunked_output_tangent: bool = True,
    rrule_f: Callable[..., Any] | None = None,
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
    """Check the `rrule` of a call against finite differences.

    Every cotangent is compared, element by element, with central differences of `f`. It is also
    checked that the result is the same as of `f`; that there is one cotangent for `f` itself and one for each
    argument, `NoTangent()` where the argument cannot be perturbed, in the argument's shape and precision;
    that zeros give zeros, a second call gives the same, and a call with larger arguments changes nothing of
    the first and keeps nothing of it; that cotangents can be added in place; that nothing is written into the
    arguments, and neither result nor cotangents share their memory; and, if there
    is an `frule` for the call, that it is the transpose of this `rrule`.

    Parameters
    ----------
    f
        The function. The values that a closure, a callable instance or a `functools.partial` holds are
        differentiated too. Like each argument it may be a `PrimalAndTangent`. If it returns an iterator,
        which can be read only once, its rule returns the tuple of the items.
    *args
        The arguments. An integer may get `NoTangent()`, or a float if `f` accepts floats in its place.
    fkwargs
        Keyword arguments of `f`; they are not differentiated.
    output_tangent
        The cotangent to pull back; by default a random one.
    check_thunked_output_tangent
        Whether to check that a thunk is pulled back like its value, as it is by what `rrule` returns.
    rrule_f
        Called as ``rrule_f(config, f, *args, **fkwargs)`` in the place of `rrule`.
    config
        The configuration; by default a `TestConfig`.
    rtol, atol
        The tolerances, see `test_approx`.
    fdm
        The method of finite differences, see `chainrules_testutils.comparing.finite_differences`.
    rng
        A `numpy.random.Generator` for random tangents, or the seed of one.
    mode
        ``"full"`` compares every element of every cotangent; ``"fast"`` its inner product with one random
        direction, ``Re<x_bar, x_dot> = Re<y_bar, y_dot>``: the price of one difference quotient for each
        argument, whatever its size. It finds the same mistakes, and cannot say in which element.
    order
        2 to also check the derivatives of the pullback, with respect to the arguments and to the cotangent.
        The rule is traced for that, as it is when an AD system differentiates twice.
    second_order_via
        The configuration of the AD system that traces; by default ``chainrules.ad``'s.
    oracle
        Another framework, to compare each cotangent with as well: ``"jax"`` or ``"torch"``, for the function
        of the framework that has the name of `f`; that function itself; or a pair, ``("jax", function)``. It
        is given the arguments in double precision, and has to return the same results.

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
    refuse_unknown("test_rrule", unknown)
    options = Options(
        fkwargs=fkwargs or {},
        output_tangent=output_tangent,
        rule=rrule_f,
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
    report = rrule_report(f, args, options, check_thunked_output_tangent)
    __tracebackhide__ = True  # pytest points at the test, not here
    report.raise_failures()
    return report


test_rrule.__test__ = False  # type: ignore[attr-defined]  # for pytest


def rrule_report(f: Any, args: tuple[Any, ...], options: Options, check_thunked: bool = True) -> Report:
    """The report of `test_rrule`."""
    config = tracing_config(options)
    trial = Trial("rrule", f, args, options)
    given = trial.remembered((trial.f, *copied(trial.primals[1:])))
    if trial.is_opaque(*given):
        trial.record([opaque_output(trial.y)])
        return trial.report
    with trial.errors_as_failures("rrule"):
        answer = trial.call_rule(*given)
        trial.check_arguments()
        if not trial.expect_pair(answer):
            pass
        elif trial.has_tangents:
            trial.check_result(answer[0])
            check_memory_of_result(trial, answer[0], given)
            _check_pullback(trial, answer, given, config, check_thunked)
        else:
            trial.check_result(answer[0])
            _check_declared(trial, answer[1])
    if trial.check_arguments():
        trial.expect([], "arguments")
    return trial.report


def _check_declared(trial: Trial, pullback: Any) -> None:
    """Check that no cotangent comes from an output that has none."""
    try:
        cotangents = pullback(NoTangent())
        is_declared = all(isinstance(unthunk_fully(x_bar), NoTangent) for x_bar in cotangents)
    except Exception as error:  # noqa: BLE001 - a rule may raise anything
        trial.record([replace(opaque_output(trial.y), error=error)])
        return
    if not is_declared:
        trial.record([opaque_output(trial.y)])
    elif _check_arity(trial, cotangents):
        trial.expect([], "cotangents")


def _check_pullback(
    trial: Trial, answer: tuple[Any, Any], given: tuple[Any, ...], config: Any, check_thunked: bool
) -> None:
    y_bar, pullback = _given_cotangent(trial, answer[1], given)
    y_bar_before = copied(y_bar)
    with trial.errors_as_failures("pullback", form_advice(y_bar) or parameters_advice(pullback)):
        cotangents = pullback(y_bar)
        if not (
            _check_arity(trial, cotangents)
            and _check_thunks(trial, cotangents)
            and _check_are_tangents(trial, cotangents)
        ):
            return
        trial.check_arguments()
        is_kept = trial.check_unchanged(y_bar_before, y_bar, _GIVEN, _COPY)
        saved = copied(cotangents)
        if isinstance(y_bar, NoTangent) or all(isinstance(x_bar, NoTangent) for x_bar in cotangents):
            trial.record(integers_for_reals(trial))

        def again(y_bar: Any) -> Any:
            # That a pullback writes into its cotangent is reported once; then it gets copies.
            return pullback(y_bar if is_kept else copied(y_bar))

        # The values are checked first, but reported after the mistakes that may have made them wrong.
        with trial.set_aside() as values:
            check_cotangents(trial, cotangents, y_bar_before, again)
            if trial.oracle is not None:
                check_cotangents_against(trial.oracle, trial, cotangents, y_bar_before)
        is_wrong = any(map(is_wrong_value, values))
        repeats = _check_again(trial, again, y_bar_before, cotangents, saved, is_wrong=is_wrong)
        trial.record(values)
        if repeats and is_kept:
            if check_thunked:
                _, taking = rrule.checked((trial.y, pullback), given)
                thunk = Thunk(lambda: y_bar)
                _check_same(trial, lambda: taking(thunk), saved, "pulling back a thunk")
            _check_other_forms(trial, pullback, y_bar, saved)
            check_another_pullback(trial, answer[0], again, y_bar_before, saved)
        aliased = [i for i, x_bar in enumerate(cotangents, 1) if shared_memory(x_bar, given)]
        trial.expect((_aliasing(i) for i in aliased), "memory of the cotangents")
        if not trial.report.failed and trial.options.rule is None:
            check_agreement(trial, saved, y_bar)
        if config is not None and not trial.report.failed:
            check_pullback(trial, config, y_bar)
        if is_kept:
            trial.check_unchanged(y_bar_before, y_bar, _GIVEN, _COPY)


def _given_cotangent(trial: Trial, pullback: Any, given: tuple[Any, ...]) -> tuple[Any, Any]:
    """The cotangent of the result, and a pullback that takes it: a rule's own takes none that is zero."""
    y_bar = trial.options.output_tangent
    if y_bar is AUTO:
        y_bar = rand_tangent(trial.y, trial.options.rng)
    if isinstance(y_bar, AbstractZero):
        _, pullback = rrule.checked((trial.y, pullback), given)
    return y_bar, pullback


def _check_again(
    trial: Trial,
    pullback: Callable[[Any], Any],
    y_bar: Any,
    cotangents: tuple[Any, ...],
    saved: tuple[Any, ...],
    *,
    is_wrong: bool,
) -> bool:
    """Check that further calls do the same, linearly; returns whether they do the same."""
    if not _is_finite(saved):
        return False
    if not _check_same(trial, lambda: pullback(y_bar), saved, "second call of the pullback", _REPEATED):
        return False
    is_vector = can_be_scaled(y_bar) and not isinstance(y_bar, AbstractZero)
    is_linear = is_vector and _check_zero(trial, pullback, y_bar, saved)
    is_kept = trial.check_unchanged(saved, cotangents, "cotangents after another call of the pullback")
    # A value that is right says nothing of other signs if all numbers in its cotangent have one.
    if is_linear and is_kept and (is_wrong or have_one_sign((trial.y,), (y_bar,))):
        factor, where = (2.0, _TWICE) if is_wrong else (OPPOSITE, _OPPOSITE)

        def multiple() -> Any:
            return pullback(scale_tangent(factor, y_bar))

        check_multiple(trial, where, factor, multiple, saved)
    return True


def _check_arity(trial: Trial, cotangents: Any) -> bool:
    problem = cotangents_problem(cotangents, len(trial.primals))
    return trial.expect([problem] if problem else [], "number of cotangents")


def _check_thunks(trial: Trial, cotangents: tuple[Any, ...]) -> bool:
    """Compute all thunks; an error that one raises is reported with the input that it is for."""
    failures = trial.report.failed
    for i, x_bar in enumerate(cotangents, 1):
        with trial.errors_as_failures(f"cotangent for input {i}"):
            list(leaves(x_bar))
    return trial.report.failed == failures


def _check_are_tangents(trial: Trial, cotangents: tuple[Any, ...]) -> bool:
    """Whether no cotangent of a number or array is a text, a class or a function; else a failure for each."""
    failures = trial.report.failed
    for i, (x, x_bar) in enumerate(zip(trial.primals, cotangents, strict=True), 1):
        if is_numeric(x) and is_no_tangent(x_bar):
            trial.record([failed(f"cotangent for input {i}", no_tangent(x_bar))])
    return trial.report.failed == failures


def _is_finite(cotangents: tuple[Any, ...]) -> bool:
    return all(not is_numeric(leaf) or np.all(np.isfinite(to_vec(leaf)[0])) for leaf in leaves(cotangents))


def _check_zero(trial: Trial, pullback: Any, y_bar: Any, saved: tuple[Any, ...]) -> bool:
    failures = trial.report.failed
    where = "pulling back zero"
    with trial.errors_as_failures(where):
        cotangents = pullback(scale_tangent(0.0, y_bar))
        if not _has_as_many(trial, cotangents, saved, where):
            return False
        pairs = list(zip(cotangents, saved, strict=True))
        with trial.set_aside() as of_zero:
            for i, (x_bar, _) in enumerate(pairs, 1):
                is_compared = i > 1 or not isinstance(trial.tangents[0], NoTangent)
                # That `None` is no tangent is said once.
                if (
                    is_compared
                    and x_bar is not None
                    and not isinstance(x_bar, (NotImplementedTangent, *CONTAINERS))
                ):
                    trial.compare(x_bar, ZeroTangent(), f"{where}, cotangent for input {i}")
        ignores = any_failed(of_zero) and not any_failed(
            check for pair in pairs for check in compared(*pair, "", trial.tolerance)
        )
        trial.record([failed(where, _IGNORES)] if ignores else of_zero)
    return trial.report.failed == failures


def _check_other_forms(trial: Trial, pullback: Any, y_bar: Any, saved: tuple[Any, ...]) -> None:
    """Check that the form of a cotangent does not matter: zeros in fields, natural forms."""
    for name, explicit, implicit in with_zero_fields(trial.y, y_bar):
        where = f"pulling back ZeroTangent() for {name}"
        with trial.errors_as_failures(where):
            expected = pullback(explicit)
            _check_same(trial, functools.partial(pullback, implicit), expected, where, _ZERO_PART)
    where, other = other_form(trial.y, y_bar)
    if other is not None:
        _check_same(trial, functools.partial(pullback, other), saved, where, _other_form_advice(other))


def _other_form_advice(other: Any) -> str:
    return f"A cotangent may come in two forms, here as a {describe_value(other)}: take both."


def _check_same(
    trial: Trial, compute: Callable[[], Any], saved: tuple[Any, ...], where: str, advice: str = ""
) -> bool:
    """Check that a call of the pullback gives the same again; the advice is for exceptions."""
    failures = trial.report.failed
    with trial.errors_as_failures(where, advice):
        cotangents = compute()
        if _has_as_many(trial, cotangents, saved, where):
            for i, (x_bar, before) in enumerate(zip(cotangents, saved, strict=True), 1):
                trial.compare(x_bar, before, f"{where}, cotangent for input {i}")
    return trial.report.failed == failures


def _has_as_many(trial: Trial, cotangents: tuple[Any, ...], saved: tuple[Any, ...], where: str) -> bool:
    same = len(cotangents) == len(saved)
    if not same:
        trial.expect([f"{len(cotangents)} cotangents, before {len(saved)}"], where)
    return same


def _aliasing(i: int) -> str:
    return (
        f"The cotangent for input {i} shares memory with an argument, so whoever accumulates into it would "
        "change the argument. Return a copy."
    )
