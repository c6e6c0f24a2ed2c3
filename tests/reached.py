"""Notes which tests reach which rules and lines, and writes down those that a sample needs: ``make sample``.

A plugin of pytest, for a run of all tests in however many processes.
"""

import math
import os
from collections import Counter, defaultdict
from functools import cache

import pytest

from chainrules_testutils.testers import exercised
from tests.sampling import REACHING, first_cases, order
from tests.test_rules import callees_by_name, name_of
from tests.whole_run import observer, seen

_reached = {}
_seconds = {}
_first = set()


@cache
def lines():
    """What counts the lines of the packages that each test reaches."""
    import coverage  # noqa: PLC0415 - the tests of this module run where there is none

    return coverage.Coverage(data_file=None, config_file=False, include="chainrules*/*")


def needed(reached, first, wanted, prices=None):
    """The names of the tests that a sample needs beside the first cases, for all that is wanted.

    `reached` is a dict from names of tests to those of rules and lines. The test that reaches most of what is
    left for its price is taken; of several, the one whose name has the lowest hash. At the end those that
    others make superfluous are left out, the dearest first.
    """
    prices = prices or dict.fromkeys(reached, 1.0)
    wanted = wanted.difference(*(reached[test] for test in first & reached.keys()))
    reached = {test: wanted.intersection(places) for test, places in sorted(reached.items(), key=by_hash)}
    left, chosen = reached, []
    while any(left.values()):
        chosen.append(best := max(left, key=lambda test: len(left[test]) / prices[test]))
        has = left[best]
        left = {test: places - has for test, places in left.items() if places - has}
    number = Counter(place for test in chosen for place in reached[test])
    for test in sorted(chosen, key=prices.get, reverse=True):
        if all(number[place] > 1 for place in reached[test]):
            number.subtract(reached[test])
            chosen.remove(test)
    return set(chosen)


def price(seconds):
    """What a test costs: a power of two, so that another machine chooses the same tests."""
    return 2.0 ** max(-6, round(math.log2(max(seconds, 1e-9))))


def spent():
    """The seconds of processor time that this process and its children have taken."""
    return sum(os.times()[:4])


def by_hash(item):
    """The place of a test in the order of the hashes of their names."""
    return order(item[0])


def lines_by_test():
    """The lines that each test of this process has reached beyond its first cases, which are named ``""``."""
    if not _first:  # another module imports this one, which is no plugin of the run
        return {}
    lines().stop()
    data, places = lines().get_data(), defaultdict(list)
    for file in data.measured_files():
        for number, tests in data.contexts_by_lineno(file).items():
            for test in [""] if "" in tests else tests:
                places[test].append(f"{file}:{number}")
    return dict(places)


@observer
def reached():
    """What the tests of this process have reached, in which time, and which of all tests are first cases."""
    return {"rules": _reached, "lines": lines_by_test(), "first": sorted(_first), "seconds": _seconds}


def pytest_collection_modifyitems(items):
    """Note which tests are in every sample, and count lines from now on."""
    _first.update(first_cases(items))
    lines().start()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Note the rules that a test reaches, beside those of the tests before it."""
    before = dict(exercised._exercised)
    exercised._exercised.clear()
    lines().switch_context("" if item.nodeid in _first else item.nodeid)
    begun = spent()
    answer = yield
    _seconds[item.nodeid] = spent() - begun
    _reached[item.nodeid] = sorted({name_of(*each) for each in exercised.exercised_rules()})
    for each in before:
        exercised._exercised.setdefault(each)
    return answer


def pytest_sessionfinish(session):
    """Write `sample.txt`, in the process that reports."""
    if hasattr(session.config, "workeroutput"):
        return
    places, answers = defaultdict(list), seen(session.config, reached)
    for answer in answers:
        for test, more in (*answer["rules"].items(), *answer["lines"].items()):
            places[test] += more
    wanted = {name for answer in seen(session.config, callees_by_name) for name in answer["shipped"]}
    wanted.update(line for answer in answers for more in answer["lines"].values() for line in more)
    seconds = {test: taken for answer in answers for test, taken in answer["seconds"].items()}
    prices = {test: price(seconds.get(test, 1.0)) for test in places}
    chosen = needed(places, {"", *answers[0]["first"]}, wanted, prices)
    REACHING.write_text("".join(f"{test}\n" for test in sorted(chosen)), "utf-8")
