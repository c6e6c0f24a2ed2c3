"""Which tests a run takes: all of them, or a fixed sample, with or without a share of the others.

With ``--sample`` a run takes one case of each test, the same in every run: the case whose name has the lowest
hash. It takes all cases of a test that is marked `every_case`, and those of `sample.txt`, which reach the
rules and lines that no other test of the sample reaches. So each law is met, and each rule in both modes.
It leaves out what is marked `at_length`.

With ``--share 2/5`` besides it takes the second fifth of the other cases; five such runs meet everything.
Each has the files in an order of its own, so that a test that needs others before it, or none, is found.
With ``--part 1/2`` a run takes the files of the first half of all that it would take; examples of a page need
those before them.

``make sample`` writes `sample.txt`, from a run of all tests that notes which of them reach which
rules and lines.
"""

import hashlib
import time
from functools import cache
from pathlib import Path

import pytest

REACHING = Path(__file__).with_name("sample.txt")


def pytest_addoption(parser):
    """Add the options that choose tests."""
    group = parser.getgroup("samples of the tests")
    group.addoption("--sample", action="store_true", help="run one case of each test, and what reaches rules")
    group.addoption("--share", metavar="K/N", type=share, help="beside the sample, run share K of N")
    group.addoption("--part", metavar="K/N", type=share, help="run part K of N of all that is chosen")
    group.addoption("--until", metavar="SECONDS", type=float, help="skip what would begin later")


def share(text):
    """Read the number of a share, from 1, and how many there are."""
    number, of = map(int, text.split("/"))
    if not 1 <= number <= of:
        raise ValueError(text)
    return number, of


def order(name):
    """A number for the name of a test that is the same in every process and on every machine."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest())


def test_of(item):
    """The name of a test without its case; an example of a page is a test by itself."""
    return item.nodeid.partition("[")[0] if hasattr(item, "callspec") else item.nodeid


def file_of(item):
    """The name of the file that a test stands in."""
    return item.nodeid.partition("::")[0]


def first_cases(items):
    """The names of the tests that stand for each test, whichever rules they reach."""
    every, least = set(), {}
    for item in items:
        if item.get_closest_marker("at_length"):
            continue
        if item.get_closest_marker("every_case"):
            every.add(item.nodeid)
            continue
        name, place = test_of(item), (order(item.nodeid), item.nodeid)
        least[name] = min(least.get(name, place), place)
    return every.union(name for _, name in least.values())


@cache
def reaching():
    """The names of the tests that are needed for the rules that they reach."""
    return frozenset(REACHING.read_text("utf-8").splitlines())


def is_chosen(config, items):
    """A function that says whether a run takes one of these tests."""
    is_whole = not config.option.sample
    first = set() if is_whole else first_cases(items)
    number, of = config.option.share or (0, 1)
    part, parts = config.option.part or (1, 1)

    def takes(item):
        is_in_sample = is_whole or item.nodeid in first or item.nodeid in reaching()
        is_taken = is_in_sample or (number and order(item.nodeid) % of == number - 1)
        return is_taken and (parts == 1 or order(file_of(item)) % parts == part - 1)

    return takes


class Case:
    """A case of a test, from which no test has been made yet."""

    def __init__(self, test, mark_of, callspec):
        self.mark_of, self.callspec = mark_of, callspec
        self.nodeid = f"{test}[{callspec.id}]"

    def get_closest_marker(self, name):
        """The mark of the case or of its test, `None` if there is none."""
        marks = [mark for mark in self.callspec.marks if mark.name == name]
        return marks[0] if marks else self.mark_of(name)


@pytest.hookimpl(wrapper=True)
def pytest_generate_tests(metafunc):
    """Make no tests of cases that are left out: of tens of thousands it takes long."""
    yield
    if metafunc.config.option.sample and metafunc._calls:
        test, mark_of = metafunc.definition.nodeid, cache(metafunc.definition.get_closest_marker)
        cases = [Case(test, mark_of, callspec) for callspec in metafunc._calls]
        taken = list(filter(is_chosen(metafunc.config, cases), cases))
        # Without any case pytest would make a test without arguments; the first is left out later.
        metafunc._calls = [case.callspec for case in taken or cases[:1]]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Leave out what is not in the sample, nor in the share; each share has the files in another order."""
    takes = is_chosen(config, items)
    taken, left_out = [], []
    for item in items:
        (taken if takes(item) else left_out).append(item)
    config.hook.pytest_deselected(items=left_out)
    if config.option.share:
        number, of = config.option.share
        taken.sort(key=lambda item: order(f"{number}/{of} {file_of(item)}"))
    items[:] = taken


def time_is_over(config):
    """Whether the run has passed the time until which tests may begin."""
    return config.option.until is not None and time.time() > config.option.until


def pytest_runtest_setup(item):
    """Skip a test for which there is no time."""
    if time_is_over(item.config):
        pytest.skip("there is no time left for it")
