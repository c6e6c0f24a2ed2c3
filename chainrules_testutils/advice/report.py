"""The testers' results: a report, which lists the checks, and the error that tells of the failed ones."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from chainrules_core import ChainRulesError

_LONGEST = 70


class Outcome(Enum):
    """The outcomes of a check."""

    PASSED = "passed"
    FAILED = "failed"
    BROKEN = "broken"
    """The rule says that this derivative is not implemented, so there is nothing to compare."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked.

    Attributes
    ----------
    where
        The breadcrumb: ``cotangent for input 2, field A``.
    outcome
        Whether it passed.
    message
        Empty if it passed. Otherwise the place, the problem, the expected value, and a way to mend it.
    error
        The exception that made it fail, if one did.
    """

    where: str
    outcome: Outcome
    message: str = ""
    error: BaseException | None = None


def passed(where: str) -> Check:
    """A check that passed."""
    return Check(where, Outcome.PASSED)


def failed(where: str, problem: str, *details: object, error: BaseException | None = None) -> Check:
    """A check that failed: a line that names the problem, and more lines that show it."""
    return Check(where, Outcome.FAILED, "\n".join([f"{where}: {problem}", *map(str, details)]), error)


def all_passed(checks: Iterable[Check]) -> bool:
    """Whether each of the checks passed."""
    return all(check.outcome is Outcome.PASSED for check in checks)


def any_failed(checks: Iterable[Check]) -> bool:
    """Whether one of the checks failed; one of a derivative that is not implemented does not."""
    return any(check.outcome is Outcome.FAILED for check in checks)


def with_hint(check: Check, hint: str) -> Check:
    """The check; if it failed, with one more line in its message."""
    return replace(check, message=f"{check.message}\n{hint}") if any_failed([check]) else check


def short(x: Any) -> str:
    """A value as messages show it: on one line, and cut off where it is long."""
    text = " ".join(repr(x).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


@dataclass(eq=False)
class Report:
    """The checks that a tester has made. It prints as a table.

    Attributes
    ----------
    title
        The call that was tested, ``test_rrule: foo_mul on Foo, ndarray[float64, 2]``.
    rule
        Where the rule stands, as ``file:line``.
    checks
        Every check, in order.
    """

    title: str
    rule: str = ""
    checks: list[Check] = field(default_factory=list)

    @property
    def passed(self) -> int:
        """The number of checks that passed."""
        return self._count(Outcome.PASSED)

    @property
    def failed(self) -> int:
        """The number of checks that failed."""
        return self._count(Outcome.FAILED)

    @property
    def broken(self) -> int:
        """The number of derivatives that the rule declares as not implemented."""
        return self._count(Outcome.BROKEN)

    @property
    def failures(self) -> list[Check]:
        """The checks that failed."""
        return [check for check in self.checks if check.outcome is Outcome.FAILED]

    def raise_failures(self) -> None:
        """Raise one `RuleTestError` if any check failed, chained to the first exception among the causes."""
        __tracebackhide__ = True  # pytest points at the test, not here
        if self.failed:
            cause = next((check.error for check in self.failures if check.error is not None), None)
            raise RuleTestError(self) from cause

    def _count(self, outcome: Outcome) -> int:
        return sum(check.outcome is outcome for check in self.checks)

    def __rich__(self) -> Any:
        from rich.console import Group  # noqa: PLC0415 - only who prints a report pays for it
        from rich.table import Table  # noqa: PLC0415 - as above
        from rich.text import Text  # noqa: PLC0415 - as above; a string would take brackets for markup

        table = Table("check", "outcome")
        styles = {Outcome.PASSED: "green", Outcome.FAILED: "red", Outcome.BROKEN: "yellow"}
        for check in self.checks:
            table.add_row(Text(check.where), check.outcome.value, style=styles[check.outcome])
        return Group(Text(self._summary(), style="bold"), table)

    def __str__(self) -> str:
        from rich.console import Console  # noqa: PLC0415 - as above

        console = Console(width=110, color_system=None)
        with console.capture() as capture:
            console.print(self)
        return capture.get()

    def __repr__(self) -> str:
        return f"<{self._summary()}>"

    def _summary(self) -> str:
        counts = [f"{self.passed} passed", f"{self.failed} failed", f"{self.broken} broken"]
        shown = [text for text in counts if not text.startswith("0 ")] or ["no checks"]
        return f"{self.title}: {', '.join(shown)}"


class RuleTestError(ChainRulesError, AssertionError):
    """A rule is wrong. The message lists each check that failed.

    Attributes
    ----------
    report
        The `Report`, with the checks that passed as well.
    """

    _LISTED = 5  # a message is to fit on one screen

    def __init__(self, report: Report) -> None:
        self.report = report
        super().__init__(report)

    def __str__(self) -> str:
        report, failures = self.report, self.report.failures
        total = len(report.checks)
        lines = [f"{report.title}: {len(failures)} of {total} checks failed"]
        if report.rule:
            lines.append(f"rule: {report.rule}")
        lines += [f"- {_indented(check.message)}" for check in failures[: self._LISTED]]
        if len(failures) > self._LISTED:
            lines.append(f"... and {len(failures) - self._LISTED} more, in `error.report.checks`")
        return "\n".join(lines)


def _indented(text: str) -> str:
    return text.replace("\n", "\n  ")
