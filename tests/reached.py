"""Notes which tests reach which rules and lines, and writes down those that a sample needs: ``make sample``.

A plugin of pytest, for a run of all tests in however many processes.
"""

import math
import os
from collections import Counter, defaultdict
from functools import cache

import pytest

from chainrules_testutils.testers import exercised
from tests.sampling import REACHING, first_cases, order, test_of
from tests.test_rules import callees_by_name, name_of
from tests.whole_run import observer, seen

_reached = {}
_seconds = {}
_first = set()  # the first cases, of which `_least` need not be in the sample if another case of the test is
_least = set()


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


def needed_beside(reached, always, least, wanted, prices=None):
    """The names of the tests that a sample needs beside those that it always has, as `needed`.

    It has the case of each test that is among `least` if it has no other one of the test.
    """
    met = set()
    while True:
        first = {name for name in least if base(name) not in met}
        chosen = needed(reached, always | first, wanted, prices)
        if met.issuperset(more := set(map(base, chosen))):
            return chosen
        met |= more


def base(name):
    """The name of a test without its case."""
    return name.partition("[")[0]


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
    """The lines that each test of this process has reached beyond those of every sample, named ``""``."""
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
    first = {"first": sorted(_first), "least": sorted(_least)}
    return {"rules": _reached, "lines": lines_by_test(), "seconds": _seconds, **first}


def pytest_collection_modifyitems(items):
    """Note which tests are in every sample, and count lines from now on."""
    _first.update(first_cases(items))
    of_one_case = {name for name, number in Counter(map(test_of, items)).items() if number == 1}
    of_every_case = first_cases(items, {item.nodeid for item in items})
    _least.update(name for name in _first - of_every_case if base(name) not in of_one_case)
    lines().start()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Note the rules that a test reaches, beside those of the tests before it."""
    before = dict(exercised._exercised)
    exercised._exercised.clear()
    lines().switch_context(item.nodeid if item.nodeid not in _first or item.nodeid in _least else "")
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
    first, least = set(answers[0]["first"]), set(answers[0]["least"])
    chosen = needed_beside(places, {"", *first} - least, least, wanted, prices)
    REACHING.write_text("".join(f"{test}\n" for test in sorted(chosen)), "utf-8")
