"""`test_scalar`: both rules of a function of one number."""

# ruff: noqa: PLR0913, PT028 - keywords are optional, and this is not a test of pytest's

import numbers
from collections.abc import Callable
from typing import Any, Never

import numpy as np

from chainrules_core import describe_callee
from chainrules_testutils.advice.misplaced_arguments import refuse_misplaced, refuse_unknown
from chainrules_testutils.advice.report import Check, Report, short
from chainrules_testutils.comparing.finite_differences import Stencil
from chainrules_testutils.testers.frule_tester import frule_report
from chainrules_testutils.testers.rrule_tester import rrule_report
from chainrules_testutils.testers.trial import Options
from chainrules_testutils.values.primal_and_tangent import PrimalAndTangent
from chainrules_testutils.values.rand_tangent import generator
from chainrules_testutils.values.tangent_to_vec import structural_tangent


def test_scalar(
    f: Callable[..., Any],
    x: Any,
    *,
    fkwargs: dict[str, Any] | None = None,
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
    """Check `frule` and `rrule` of a function of one number, along each real direction of input and output.

    Parameters
    ----------
    f
        The function, whose result is a number or a tuple of numbers.
    x
        A real or complex number. For complex numbers the tangents are 1 and 1j, for complex results so are
        the cotangents.
    fkwargs, config, rtol, atol, fdm, rng, mode, order, second_order_via, oracle
        As for `test_rrule`.

    Returns
    -------
    Report
        The checks of all runs.

    Raises
    ------
    RuleTestError
        If a rule is wrong, raises, or does not exist; it lists everything that is wrong.
    TypeError
        If `x` is no number, or the result neither a number nor a tuple of numbers; if `f` is no function, or
        an option is none of these.
    """
    refuse_unknown("test_scalar", unknown)
    refuse_misplaced("test_scalar", f, fkwargs or {})
    if not _is_number(x):
        raise TypeError(
            f"test_scalar(f, x): x is a real or complex number, not {x!r}; use test_frule, test_rrule."
        )

    def options(output_tangent: Any) -> Options:
        return Options(
            fkwargs=fkwargs or {},
            output_tangent=output_tangent,
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

    y = f(x, **(fkwargs or {}))
    if not all(map(_is_number, y if isinstance(y, tuple) else (y,))):
        raise TypeError(
            f"test_scalar(f, x): f returns numbers, or a tuple of them, not {short(y)}; use test_frule, "
            "test_rrule."
        )
    report = Report(f"test_scalar: {describe_callee(f)} at {x!r}")
    for one in _ones(x):
        pair = PrimalAndTangent(x, one)
        for output in _ones(y)[:1]:
            _merge(report, frule_report(f, (pair,), options(output)), f"tangent {one}")
    for one in _ones(y):
        pair = PrimalAndTangent(x, _ones(x)[0])
        _merge(report, rrule_report(f, (pair,), options(one)), f"cotangent {one}")
    __tracebackhide__ = True  # pytest points at the test, not here
    report.raise_failures()
    return report


test_scalar.__test__ = False  # type: ignore[attr-defined]  # for pytest


def _ones(x: Any) -> list[Any]:
    """The units of the real directions of a number, or of each number in a tuple, in its own precision."""
    if isinstance(x, tuple):
        zeros = [0.0 * _ones(part)[0] for part in x]
        return [
            structural_tangent(x, [*zeros[:i], one, *zeros[i + 1 :]])
            for i, part in enumerate(x)
            for one in _ones(part)
        ]
    if isinstance(x, complex | np.complexfloating):
        return [type(x)(1), type(x)(1j)]
    return [type(x)(1)] if isinstance(x, float | np.floating) else [1.0]


def _is_number(x: Any) -> bool:
    return isinstance(x, numbers.Number) and not isinstance(x, bool)


def _merge(report: Report, part: Report, direction: str) -> None:
    mode = part.title.partition(":")[0].removeprefix("test_")
    report.rule = ", ".join(dict.fromkeys(filter(None, [*report.rule.split(", "), part.rule])))
    for check in part.checks:
        where = f"{mode}, {direction}: {check.where}"
        message = check.message and f"{mode}, {direction}: {check.message}"
        report.checks.append(Check(where, check.outcome, message, check.error))
