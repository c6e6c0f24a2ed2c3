"""Which rules below some folders were tested."""

from pathlib import Path

import pytest

from chainrules_core import NoTangent, opt_out, rrule, typeof_
from chainrules_testutils import test_rrule
from chainrules_testutils.testers.exercised import rule_places
from chainrules_testutils.testers.rule_coverage import RuleCoverage
from tests.chainrules_testutils import rules_under_test

HERE, THERE = Path(__file__), Path(rules_under_test.__file__)


def identity(x):
    """A function of its own, so that nothing else tests its rules."""
    return x


@rrule.dispatch
def identity_rrule(f: typeof_(identity), x: float):
    """The rule that is tested below."""
    return x, lambda y_bar: (NoTangent(), y_bar)


@rrule.dispatch
def identity_of_string(f: typeof_(identity), x: str):
    """A rule of the same function that is not."""
    raise NotImplementedError


opt_out(rrule, typeof_(identity), int)


def test_rules_are_counted_one_by_one():
    """A function of which one rule was tested may have others that were not; opting out is no rule."""
    before = RuleCoverage.of_this_process([HERE])
    test_rrule(identity, 1.0)
    after = RuleCoverage.of_this_process([HERE])

    assert len(before.registered) == 2
    assert before.summary() == "0 of 2 rules were tested"
    assert after.summary() == "1 of 2 rules were tested"
    (missing,) = after.missing
    assert missing.startswith("rrule identity_of_string(")
    assert "test_rule_coverage.py:" in missing


def test_only_rules_below_the_folders():
    """Rules of other folders are not counted, nor those of packages installed below."""
    assert RuleCoverage.of_this_process([HERE.parent / "nothing"]).registered == set()
    here, there = (RuleCoverage.of_this_process([folder]).registered for folder in (HERE, THERE))
    assert RuleCoverage.of_this_process([HERE.parents[1]]).registered >= here | there
    assert here.isdisjoint(there)
    assert there


@pytest.mark.parametrize("folder", ["site-packages", "dist-packages"])
def test_installed_packages_are_not_counted(monkeypatch, folder, tmp_path):
    """An environment inside the project's folder is not the project's."""
    method = next(method for method, file, _ in rule_places() if file == str(HERE))
    monkeypatch.setattr(
        "chainrules_testutils.testers.rule_coverage.rule_places",
        lambda: [(method, str(tmp_path / ".venv" / folder / "them.py"), True)],
    )
    assert RuleCoverage.of_this_process([tmp_path]).registered == set()


def test_processes_are_added_up():
    """What is tested in any process is tested; the counts survive being sent as plain data."""
    one = RuleCoverage({"rrule a  x.py:1", "rrule b  x.py:2"}, {"rrule a  x.py:1"})
    other = RuleCoverage.from_plain(RuleCoverage({"rrule b  x.py:2"}, {"rrule b  x.py:2"}).to_plain())
    one.add(other)

    assert one.missing == []
    assert one.summary() == "2 of 2 rules were tested"
