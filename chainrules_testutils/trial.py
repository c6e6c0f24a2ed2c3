"""One run of a tester: the call that it tests, and its checks so far."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import plum

from chainrules_core import (
    AbstractTangent,
    RuleNotFoundError,
    add_inplace,
    add_tangents,
    debugging,
    describe_callee,
    describe_place,
    describe_value,
    frule,
    rrule,
)
from chainrules_testutils.check_result import compared
from chainrules_testutils.config import TestConfig
from chainrules_testutils.exercised import record_exercised
from chainrules_testutils.finite_differences import Stencil, in_double_precision_for
from chainrules_testutils.number_comparison import is_numeric
from chainrules_testutils.precision import Tolerance, tolerance_for
from chainrules_testutils.preconditions import output_problems, output_tangent_problems
from chainrules_testutils.primal_and_tangent import PrimalAndTangent, paired
from chainrules_testutils.purity import copied, differences
from chainrules_testutils.report import Check, Report, failed, passed


class _Auto:
    """Stands for a random tangent of the output."""

    def __repr__(self) -> str:
        return "AUTO"


AUTO = _Auto()

_RULES: dict[str, Any] = {"rrule": rrule, "frule": frule}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options that all testers have, see `test_rrule`."""

    fkwargs: dict[str, Any] = field(default_factory=dict)
    output_tangent: Any = AUTO
    rule: Callable[..., Any] | None = None
    config: Any = None
    rtol: float | None = None
    atol: float | None = None
    fdm: Stencil | None = None
    rng: Any = None
    mode: str = "full"
    order: int = 1
    second_order_via: Any = None

    def __post_init__(self) -> None:
        if self.order not in (1, 2):
            raise ValueError(f"order={self.order!r}: derivatives are checked up to order 1 or 2.")
        if self.mode not in ("full", "fast"):
            raise ValueError(f'mode={self.mode!r}: it is "full", every element, or "fast", one direction.')


def can_be_scaled(x_dot: Any) -> bool:
    """Whether a tangent can be multiplied by a number; a value with fields can if its class says so."""
    is_vector = hasattr(type(x_dot), "__rmul__") and not isinstance(x_dot, tuple | list | dict)
    return isinstance(x_dot, AbstractTangent) or is_numeric(x_dot) or is_vector


class Trial:
    """One run of `test_rrule` or `test_frule`.

    Parameters
    ----------
    mode
        ``"rrule"`` or ``"frule"``.
    f, args
        The function and its arguments, each alone or as a `PrimalAndTangent`.
    options
        The call that the tester tests.
    """

    def __init__(self, mode: str, f: Any, args: tuple[Any, ...], options: Options) -> None:
        pairs: list[PrimalAndTangent] = [paired(x, options.rng) for x in (f, *args)]
        self.mode = mode
        self.options = options
        self.config = TestConfig(options.fdm) if options.config is None else options.config
        self.primals = tuple(pair.x for pair in pairs)
        self.tangents = tuple(pair.x_dot for pair in pairs)
        shown = ", ".join(map(describe_value, self.primals[1:]))
        self.report = Report(f"test_{mode}: {describe_callee(self.f)} on {shown or 'nothing'}")
        # The primal gets copies, and its exceptions are its own affair, not the rule's.
        self.y = self.call(self.f, *copied(self.primals[1:]))
        self.tolerance: Tolerance = tolerance_for((self.primals, self.y), options.rtol, options.atol)
        again = self.call(self.f, *copied(self.primals[1:]))
        self._require(output_problems(self.y, again, self.tolerance))
        if options.output_tangent is not AUTO:
            self._require(output_tangent_problems(self.y, options.output_tangent))

    def _require(self, problems: Iterable[Check]) -> None:
        """Raise an error at once for a call that makes all checks meaningless."""
        __tracebackhide__ = True
        if not self.record(problems):
            self.report.raise_failures()

    @property
    def f(self) -> Any:
        """The function."""
        return self.primals[0]

    def call(self, f: Any, *args: Any) -> Any:
        """The primal computation; of an iterator, which can be read only once, the tuple of its items."""
        y = f(*args, **self.options.fkwargs)
        return tuple(y) if isinstance(y, Iterator) else y

    def call_rule(self, *arguments: Any) -> Any:
        """The answer of the rule to `arguments`; a failure is recorded if it is not a tuple of two.

        Raises
        ------
        RuleNotFoundError
            If there is no rule.
        """
        rule = self.options.rule or _RULES[self.mode]
        if self.options.rule is None:
            self._locate(rule, arguments)
        else:
            self.report.rule = describe_place(rule)
        return self.ask(self.config, *arguments)

    def ask(self, config: Any, *arguments: Any) -> Any:
        """The answer of the rule under a configuration.

        Raises
        ------
        RuleNotFoundError
            If there is no rule.
        """
        rule: Any = self.options.rule or _RULES[self.mode]
        answer = rule(config, *arguments, **self.options.fkwargs)
        if answer is None:
            if self.options.rule is None:
                raise RuleNotFoundError(rule.explain(config, *arguments))
            raise RuleNotFoundError(
                f"{describe_callee(rule)}, given as {self.mode}_f, returned None: no rule."
            )
        return answer

    def _locate(self, rules: Any, arguments: tuple[Any, ...]) -> None:
        try:
            method = rules.find(self.config, *arguments)
        except plum.AmbiguousLookupError:
            return  # the call itself will say so
        if method is not None:
            self.report.rule = method.location
            record_exercised(self.f, method)

    def where_it_is_differentiated(self) -> tuple[Any, ...]:
        """The function and the arguments, in double precision if the primal computes with that."""
        return in_double_precision_for(self.call, self.primals)

    # --- Recording -------------------------------------------------------------------------------

    def record(self, checks: Iterable[Check]) -> bool:
        """Record checks; returns whether none of them failed."""
        new = list(checks)
        failures = self.report.failed
        self.report.checks.extend(new)
        return self.report.failed == failures

    def merge(self, report: Report, what: str) -> None:
        """Record the checks of another report, as being about `what`."""
        for check in report.checks:
            message = check.message and f"{what}, {check.message}"
            self.record([replace(check, where=f"{what}, {check.where}", message=message)])

    def compare(self, actual: Any, expected: Any, where: str) -> bool:
        """Record the comparison of two values."""
        return self.record(compared(actual, expected, where, self.tolerance))

    def expect(self, problems: Iterable[str], where: str) -> bool:
        """Record a failure for each problem, or that there is none."""
        found = [failed(where, problem) for problem in problems]
        return self.record(found or [passed(where)])

    def expect_finite(self, differences: Any) -> None:
        """Record a failure if finite differences are not finite."""
        if not np.all(np.isfinite(differences)):
            problem = (
                "not finite. Is the primal defined around the arguments? Choose others, or smaller steps: "
                "fdm=functools.partial(fdm.central_fdm(5, 1), max_range=1e-4)."
            )
            self.record([failed("finite differences", problem)])

    @contextmanager
    def guarded(self, where: str) -> Iterator[None]:
        """Record an exception as a failure, and go on after the block."""
        try:
            yield
        except RuleNotFoundError as error:
            self.record([failed(where, str(error), error=error)])
        except Exception as error:  # noqa: BLE001 - a rule may raise anything
            self.record([failed(where, f"raised {type(error).__name__}: {error}", error=error)])

    # --- Checks that both modes make -------------------------------------------------------------

    def check_unchanged(self, before: Any, after: Any, where: str) -> None:
        """Check that nothing was written into a value since it was copied."""
        self.expect((f"{place} was changed" for place in differences(before, after, "it")), where)

    def check_accumulation(self, accumulated: Any, tangent: Any, where: str) -> None:
        """Check that adding in place is adding."""
        where = f"accumulating the {where}"
        with self.guarded(where):
            expected = add_tangents(accumulated, tangent)
            with debugging():
                actual = add_inplace(copied(accumulated), tangent)
            self.compare(actual, expected, where)
