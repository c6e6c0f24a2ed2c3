"""`test_rrule`: a rule for reverse mode against finite differences."""

# ruff: noqa: PLR0913, PT028 - keywords are optional, and this is not a test of pytest's

import functools
from collections.abc import Callable
from typing import Any

from chainrules_core import AbstractZero, NoTangent, NotImplementedTangent, ZeroTangent, scale_tangent
from chainrules_testutils.agreement import check_agreement
from chainrules_testutils.cotangent_checks import check_cotangents
from chainrules_testutils.cotangent_forms import CountingThunk, other_form, with_zero_fields
from chainrules_testutils.finite_differences import Stencil
from chainrules_testutils.kinds import primal_problems
from chainrules_testutils.parts import leaves
from chainrules_testutils.preconditions import integers_for_reals
from chainrules_testutils.purity import copied, shared_memory
from chainrules_testutils.rand_tangent import generator, rand_tangent
from chainrules_testutils.report import Report, short
from chainrules_testutils.second_order import check_pullback, tracing_config
from chainrules_testutils.trial import AUTO, Options, Trial, can_be_scaled


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
) -> Report:
    """Check the `rrule` of a call against finite differences.

    Every cotangent is compared, element by element, with central differences of `f`. It is also
    checked that the result is the same as of `f`; that there is one cotangent for `f` itself and one for each
    argument, `NoTangent()` where the argument cannot be perturbed, in the argument's shape and precision;
    that a thunk is pulled back like its value, a zero gives zeros, a second call gives the same, cotangents
    can be added in place; that nothing is written into the arguments, and no cotangent shares their memory;
    and, if there is an `frule` for the call, that it is the transpose of this `rrule`.

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
        Whether the pullback has to accept thunks.
    rrule_f
        Called as ``rrule_f(config, f, *args, **fkwargs)`` in the place of `rrule`.
    config
        The configuration; by default a `TestConfig`.
    rtol, atol
        The tolerances, see `test_approx`.
    fdm
        The method of finite differences, see `chainrules_testutils.finite_differences`.
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
        The configuration of the AD system that traces; by default that of ``chainrules.ad``.

    Returns
    -------
    Report
        The checks and their outcomes.

    Raises
    ------
    RuleTestError
        If the rule is wrong, raises, or does not exist; it lists everything that is wrong.
    ModuleNotFoundError
        For ``order=2`` without an AD system.
    Exception
        Whatever `f` itself raises.
    """
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
    given = (trial.f, *copied(trial.primals[1:]))
    before = copied(given)
    with trial.guarded("rrule"):
        answer = trial.call_rule(*given)
        if not isinstance(answer, tuple) or len(answer) != 2:
            trial.expect([f"The rrule should return (y, pullback), not {short(answer)}."], "rrule")
        else:
            _check_primal(trial, answer[0])
            _check_pullback(trial, answer[1], given, check_thunked, config)
    trial.check_unchanged(before, given, "arguments")
    return trial.report


def _check_primal(trial: Trial, y: Any) -> None:
    trial.compare(y, trial.y, "primal value")
    trial.expect(primal_problems(y, trial.y, "it"), "class and dtype of the primal value")


def _check_pullback(
    trial: Trial, pullback: Any, given: tuple[Any, ...], check_thunked: bool, config: Any
) -> None:
    y_bar = trial.options.output_tangent
    if y_bar is AUTO:
        y_bar = rand_tangent(trial.y, trial.options.rng)
    y_bar_before = copied(y_bar)
    with trial.guarded("pullback"):
        cotangents = pullback(y_bar)
        if not (_check_arity(trial, cotangents) and _check_thunks(trial, cotangents)):
            return
        saved = copied(cotangents)
        if all(isinstance(x_bar, NoTangent) for x_bar in cotangents):
            trial.record(integers_for_reals(trial))
        check_cotangents(trial, cotangents, y_bar_before, pullback)
        aliased = [i for i, x_bar in enumerate(cotangents, 1) if shared_memory(x_bar, given)]
        trial.expect((_aliasing(i) for i in aliased), "memory of the cotangents")
        _check_zero(trial, pullback, y_bar)
        trial.check_unchanged(saved, cotangents, "cotangents after another call of the pullback")
        _check_same(trial, lambda: pullback(y_bar), saved, "second call of the pullback")
        _check_other_forms(trial, pullback, y_bar, saved, check_thunked)
        if not trial.report.failed and trial.options.rule is None:
            check_agreement(trial, saved, y_bar)
        if config is not None and not trial.report.failed:
            check_pullback(trial, config, y_bar)
    trial.check_unchanged(y_bar_before, y_bar, "cotangent given to the pullback")


def _check_arity(trial: Trial, cotangents: Any) -> bool:
    n = len(trial.primals)
    problems = []
    if not isinstance(cotangents, tuple):
        kind = type(cotangents).__qualname__
        problems.append(f"The pullback must return a tuple (f_bar, *arg_bars), not a {kind}.")
    elif len(cotangents) != n:
        problems.append(
            "The pullback should return 1 cotangent for the primal and each primal input: "
            f"{n} here, not {len(cotangents)}."
        )
    return trial.expect(problems, "number of cotangents")


def _check_thunks(trial: Trial, cotangents: tuple[Any, ...]) -> bool:
    """Compute all thunks; an error that one raises is reported with the input that it is for."""
    failures = trial.report.failed
    for i, x_bar in enumerate(cotangents, 1):
        with trial.guarded(f"cotangent for input {i}"):
            list(leaves(x_bar))
    return trial.report.failed == failures


def _check_zero(trial: Trial, pullback: Any, y_bar: Any) -> None:
    if can_be_scaled(y_bar) and not isinstance(y_bar, AbstractZero):
        with trial.guarded("pulling back zero"):
            for i, x_bar in enumerate(pullback(scale_tangent(0.0, y_bar)), 1):
                if not isinstance(x_bar, NotImplementedTangent):
                    trial.compare(x_bar, ZeroTangent(), f"pulling back zero, cotangent for input {i}")


def _check_other_forms(
    trial: Trial, pullback: Any, y_bar: Any, saved: tuple[Any, ...], check_thunked: bool
) -> None:
    """Check that the form of a cotangent does not matter: thunks, zeros in fields, natural ones."""
    if check_thunked:
        counting = CountingThunk(y_bar)
        _check_same(trial, functools.partial(pullback, counting), saved, "pulling back a thunk")
        trial.report.unthunkings = counting.count
    for name, explicit, implicit in with_zero_fields(trial.y, y_bar):
        where = f"pulling back ZeroTangent() for {name}"
        with trial.guarded(where):
            expected = pullback(explicit)
            _check_same(trial, functools.partial(pullback, implicit), expected, where)
    where, other = other_form(trial.y, y_bar)
    if other is not None:
        _check_same(trial, functools.partial(pullback, other), saved, where)


def _check_same(trial: Trial, compute: Callable[[], Any], saved: tuple[Any, ...], where: str) -> None:
    with trial.guarded(where):
        cotangents = compute()
        if len(cotangents) != len(saved):
            trial.expect([f"{len(cotangents)} cotangents, before {len(saved)}"], where)
            return
        for i, (x_bar, before) in enumerate(zip(cotangents, saved, strict=True), 1):
            trial.compare(x_bar, before, f"{where}, cotangent for input {i}")


def _aliasing(i: int) -> str:
    return (
        f"The cotangent for input {i} shares memory with an argument, so whoever accumulates into it would "
        "change the argument. Return a copy."
    )
