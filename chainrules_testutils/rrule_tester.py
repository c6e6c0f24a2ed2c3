"""`test_rrule`: a rule for reverse mode against finite differences."""

# ruff: noqa: PLR0913, PT028 - keywords are optional, and this is not a test of pytest's

import numbers
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules_core import (
    AbstractTangent,
    AbstractZero,
    NoTangent,
    NotImplementedTangent,
    ZeroTangent,
    thunk,
    unthunk,
)
from chainrules_core.linear_operations import multiply
from chainrules_testutils.check_result import compared, failed, passed
from chainrules_testutils.config import split_tangents
from chainrules_testutils.finite_differences import Method, j_prime_vp_vec
from chainrules_testutils.kinds import primal_problems, tangent_problems
from chainrules_testutils.precision import with_floats
from chainrules_testutils.purity import copied, shared_memory
from chainrules_testutils.rand_tangent import generator, rand_tangent
from chainrules_testutils.report import Check, Outcome, Report
from chainrules_testutils.tangent_to_vec import perturbable
from chainrules_testutils.to_vec import to_vec
from chainrules_testutils.trial import AUTO, Options, Trial

_USE_NO_TANGENT = (
    "The pullback in the rrule should use NoTangent() rather than ZeroTangent() for non-perturbable "
    "arguments."
)


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
    fdm: Method | None = None,
    rng: Any = 0,
) -> Report:
    """Check the `rrule` of a call against finite differences.

    Every cotangent is compared, element by element, with what central differences of `f` give. It is also
    checked that the result is that of `f`; that there is one cotangent for `f` itself and one for each
    argument, `NoTangent()` where the argument cannot be perturbed, in the argument's shape and precision;
    that a thunk is pulled back like its value, a zero gives zeros, a second call gives the same, cotangents
    can be added in place; that nothing is written into the arguments, and no cotangent shares their memory.

    Parameters
    ----------
    f
        The function. What a closure, a callable instance or a `functools.partial` holds is differentiated
        too. Like each argument it may be a `PrimalAndTangent`.
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

    Returns
    -------
    Report
        What was checked.

    Raises
    ------
    RuleTestError
        If the rule is wrong, raises, or does not exist; it lists everything that is wrong.
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
    )
    report = rrule_report(f, args, options, check_thunked_output_tangent)
    report.raise_failures()
    return report


test_rrule.__test__ = False  # type: ignore[attr-defined]  # for pytest


def rrule_report(f: Any, args: tuple[Any, ...], options: Options, check_thunked: bool = True) -> Report:
    """What `test_rrule` finds."""
    trial = Trial("rrule", f, args, options)
    given = (trial.f, *copied(trial.primals[1:]))
    before = copied(given)
    with trial.guarded("rrule"):
        answer = trial.call_rule(*given)
        if not isinstance(answer, tuple) or len(answer) != 2:
            trial.expect([f"The rrule should return (y, pullback), not {answer!r}."], "rrule")
        else:
            _check_primal(trial, answer[0])
            _check_pullback(trial, answer[1], given, check_thunked)
    trial.check_unchanged(before, given, "arguments")
    return trial.report


def _check_primal(trial: Trial, y: Any) -> None:
    trial.compare(y, trial.y, "primal value")
    trial.expect(primal_problems(y, trial.y, "it"), "class and dtype of the primal value")


def _check_pullback(trial: Trial, pullback: Any, given: tuple[Any, ...], check_thunked: bool) -> None:
    y_bar = trial.options.output_tangent
    if y_bar is AUTO:
        y_bar = rand_tangent(trial.y, trial.options.rng)
    y_bar_before = copied(y_bar)
    with trial.guarded("pullback"):
        cotangents = pullback(y_bar)
        if not _check_arity(trial, cotangents):
            return
        saved = copied(cotangents)
        _check_cotangents(trial, cotangents, y_bar)
        aliased = [i for i, x_bar in enumerate(cotangents, 1) if shared_memory(x_bar, given)]
        trial.expect((_aliasing(i) for i in aliased), "memory of the cotangents")
        _check_zero(trial, pullback, y_bar)
        trial.check_unchanged(saved, cotangents, "cotangents after another call of the pullback")
        _check_same(trial, lambda: pullback(y_bar), saved, "second call of the pullback")
        if check_thunked:
            _check_same(trial, lambda: pullback(thunk(lambda: y_bar)), saved, "pulling back a thunk")
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


def _check_cotangents(trial: Trial, cotangents: tuple[Any, ...], y_bar: Any) -> None:
    xs = trial.where_it_is_differentiated()
    expected = [ZeroTangent() if isinstance(x_dot, NoTangent) else x_dot for x_dot in trial.tangents]
    with trial.guarded("finite differences"):
        mask = np.concatenate(list(map(perturbable, xs, trial.tangents)))
        gradient = j_prime_vp_vec(trial.options.fdm, trial.call, xs, y_bar, mask)
        expected = list(split_tangents(xs, gradient, list(trial.tangents)))
    for i, (x, x_dot, x_bar) in enumerate(zip(trial.primals, trial.tangents, cotangents, strict=True)):
        where = f"cotangent for input {i + 1}"
        with trial.guarded(where):
            if isinstance(x_dot, NoTangent):
                trial.record([_check_unperturbable(trial, i, x_bar, y_bar, where)])
                continue
            is_right = trial.compare(x_bar, expected[i], where)
            trial.expect(tangent_problems(x, x_bar, "it"), f"dtype of the {where}")
            if is_right and not isinstance(x_bar, NotImplementedTangent):
                trial.check_accumulation(x_dot, x_bar, where)


def _check_unperturbable(trial: Trial, i: int, x_bar: Any, y_bar: Any, where: str) -> Check:
    x_bar = unthunk(x_bar)
    if isinstance(x_bar, NoTangent):
        return passed(where)
    if isinstance(x_bar, NotImplementedTangent):
        return Check(where, Outcome.BROKEN, f"{where}: {x_bar.error()}")
    if isinstance(x_bar, ZeroTangent):
        return failed(where, _USE_NO_TANGENT)
    if not _is_made_of_integers(trial.primals[i]):
        return failed(where, f"{x_bar!r} for an argument that cannot be perturbed; return NoTangent().")
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
            f"{x_bar!r} for an integer that the primal takes no float in the place of; return NoTangent()."
        )
        return failed(where, problem, error=error)
    expected = split_tangents(tuple(xs), gradient, list(trial.tangents[:i]) + xs[i:])[i]
    checks = list(compared(x_bar, expected, where, trial.tolerance))
    return next((check for check in checks if check.outcome is not Outcome.PASSED), passed(where))


def _check_zero(trial: Trial, pullback: Any, y_bar: Any) -> None:
    if isinstance(y_bar, AbstractTangent | np.ndarray | numbers.Number) and not isinstance(
        y_bar, AbstractZero
    ):
        with trial.guarded("pulling back zero"):
            for i, x_bar in enumerate(pullback(multiply(0.0, y_bar)), 1):
                if not isinstance(x_bar, NotImplementedTangent):
                    trial.compare(x_bar, ZeroTangent(), f"pulling back zero, cotangent for input {i}")


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
