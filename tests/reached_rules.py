"""Notes which tests reach which rules, and writes down those that a sample needs: ``make sample``.

A plugin of pytest, for a run of all tests in however many processes.
"""

from collections import defaultdict

import pytest

from chainrules_testutils.testers import exercised
from tests.sampling import REACHING, first_cases, order
from tests.test_rules import callees_by_name, name_of
from tests.whole_run import observer, seen

_reached = {}
_first = set()


def needed(reached, first, shipped):
    """The names of the tests that a sample needs beside the first cases, for every rule.

    `reached` is a dict from names of tests to those of rules. Of the tests that reach a rule the one whose
    name has the lowest hash stands for it.
    """
    by_rule = defaultdict(list)
    for test, rules in reached.items():
        for rule in rules:
            by_rule[rule].append(test)
    needed = set()
    for rule in sorted(shipped & by_rule.keys()):
        if not any(test in first or test in needed for test in by_rule[rule]):
            needed.add(min(by_rule[rule], key=order))
    return needed


@observer
def reached_rules():
    """What the tests of this process have reached, and which of all tests are first cases."""
    return {"reached": _reached, "first": sorted(_first)}


def pytest_collection_modifyitems(items):
    """Note which tests are in every sample."""
    _first.update(first_cases(items))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Note the rules that a test reaches, beside those of the tests before it."""
    before = dict(exercised._exercised)
    exercised._exercised.clear()
    answer = yield
    _reached[item.nodeid] = sorted({name_of(*each) for each in exercised.exercised_rules()})
    for each in before:
        exercised._exercised.setdefault(each)
    return answer


def pytest_sessionfinish(session):
    """Write `sample.txt`, in the process that reports."""
    if hasattr(session.config, "workeroutput"):
        return
    answers = seen(session.config, reached_rules)
    reached = {test: rules for answer in answers for test, rules in answer["reached"].items()}
    shipped = {name for answer in seen(session.config, callees_by_name) for name in answer["shipped"]}
    REACHING.write_text(
        "".join(f"{test}\n" for test in sorted(needed(reached, set(answers[0]["first"]), shipped))), "utf-8"
    )
