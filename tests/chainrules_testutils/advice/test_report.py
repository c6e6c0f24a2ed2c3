"""What testers return and raise."""

import pickle

import numpy as np
import pytest

from chainrules_core import ChainRulesError
from chainrules_testutils import Check, Outcome, Report, RuleTestError
from chainrules_testutils.advice.report import failed, passed, short
from tests.chainrules_testutils.checks_made import is_shown_last

CHECKS = [
    passed("here"),
    failed("there", "wrong", "a", "b"),
    Check("elsewhere", Outcome.BROKEN, "not implemented"),
]


def test_counts():
    """Each outcome has its count."""
    report = Report("title", checks=CHECKS)

    assert (report.passed, report.failed, report.broken) == (1, 1, 1)
    assert repr(report) == "<title: 1 passed, 1 failed, 1 broken>"
    assert repr(Report("title")) == "<title: no checks>"


def test_it_prints_as_a_table():
    """Each check has a line, with its outcome; brackets are no markup."""
    text = str(Report("f on ndarray[float64, 2]", checks=CHECKS))

    assert text.splitlines()[0].strip() == "f on ndarray[float64, 2]: 1 passed, 1 failed, 1 broken"
    assert [line.split()[1:4:2] for line in text.splitlines() if line.startswith("│")] == [
        ["here", "passed"],
        ["there", "failed"],
        ["elsewhere", "broken"],
    ]


def test_it_is_no_wider_than_a_line_of_code():
    """A long place is broken."""
    report = Report("title", checks=[passed("here and there, " * 10)])

    assert max(map(len, str(report).splitlines())) == 110


def test_messages():
    """A failure is a line with its place, and details below."""
    assert CHECKS[1].message == "there: wrong\na\nb"


def test_raising():
    """All failures are raised as one error, chained to the first exception; without any there is none."""
    error = KeyError("x")
    report = Report("title", "file.py:3", [*CHECKS, failed("later", "raised", error=error)])

    with pytest.raises(RuleTestError) as caught:
        report.raise_failures()
    assert caught.value.report is report
    assert caught.value.__cause__ is error
    assert str(caught.value).splitlines() == [
        "title: 2 of 4 checks failed",
        "rule: file.py:3",
        "- there: wrong",
        "  a",
        "  b",
        "- later: raised",
    ]
    assert Report("title", checks=[CHECKS[0], CHECKS[2]]).raise_failures() is None


def test_the_error_is_an_assertion_of_this_project():
    """pytest and callers know it by either base; it travels between processes."""
    assert issubclass(RuleTestError, AssertionError)
    assert issubclass(RuleTestError, ChainRulesError)
    error = RuleTestError(Report("title", checks=CHECKS))
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_messages_fit_on_a_screen():
    """Of many failures the first are listed, and where to find the others."""
    error = RuleTestError(Report("title", checks=[failed(f"{i}", "wrong") for i in range(100)]))

    assert len(str(error).splitlines()) < 12
    assert "and 95 more, in `error.report.checks`" in str(error)


def test_values_in_messages_are_short():
    """A value takes one line of a message, however large it is."""
    assert short(1.0) == "1.0"
    assert short(np.ones((50, 50))).startswith("array([[1., 1., ")
    assert len(short(np.ones((50, 50)))) == 70


def test_pytest_points_at_the_caller():
    """Whoever raises the failures of a report wants to see where that was."""
    with pytest.raises(RuleTestError) as caught:
        Report("title", checks=CHECKS).raise_failures()

    assert is_shown_last(caught, __file__)


@pytest.mark.parametrize(("length", "shown"), [(69, 69), (70, 70), (71, 70), (200, 70)])
def test_what_is_cut_off(length, shown):
    """A text that fits is whole; of another the end is replaced by dots."""
    text = short("x" * (length - 2))

    assert len(text) == shown
    assert text.endswith("...") is (length > 70)


def test_five_failures_are_all_listed():
    """One more is not."""
    texts = [str(RuleTestError(Report("t", checks=[failed("x", "wrong")] * count))) for count in (5, 6)]

    assert [text.count("- x: wrong") for text in texts] == [5, 5]
    assert ["more, in `error.report.checks`" in text for text in texts] == [False, True]


def test_checks_stay():
    """What was found cannot be changed."""
    with pytest.raises(AttributeError):
        CHECKS[0].outcome = Outcome.FAILED


def test_reports_are_of_one_run():
    """Two of equal runs are two, and can be kept in a set."""
    assert len({Report("of a run"), Report("of a run")}) == 2
