"""Hooks for all tests: what judges the whole run comes last, and calls of testers are observed."""

import gc
import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tests.given_tangents
import tests.keyword_calls
import tests.recorded_calls  # they observe the testers
import tests.small_system
from tests.same_numbers import note_generators, pytest_runtest_setup  # noqa: F401 - a hook
from tests.whole_run import (  # noqa: F401 - hooks, which pytest finds here
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_runtestloop,
    pytest_sessionfinish,
    pytest_testnodedown,
)

# Tests of properties may take their time: that a machine is busy is no mistake of the program.
settings.register_profile("patient", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("of a sample", settings.get_profile("patient"), max_examples=40)
settings.load_profile("patient")

_finished = itertools.count(1)


def _runs_more_than_the_sample(config):
    return not config.option.sample or config.option.share is not None


@pytest.fixture(autouse=True, scope="session")
def _recorded_too(request):
    """Record derivatives as well, where more than the sample runs."""
    tests.recorded_calls.settings["on"] = _runs_more_than_the_sample(request.config)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session):
    """Make tens of thousands of tests without looking for garbage among them.

    Properties are tried with fewer examples where only the sample runs.
    """
    if not _runs_more_than_the_sample(session.config):
        settings.load_profile("of a sample")
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@settings(max_examples=1, database=None)
@given(st.none())
def _first_property(_):
    """Let Hypothesis register its random numbers, which nothing seems to keep once their module is frozen."""


def pytest_collection_finish(session):
    """Leave all tests alone when garbage is collected, which many tests ask for; else it is seldom done."""
    note_generators(session.items)
    _first_property()
    gc.freeze()
    gc.set_threshold(10_000)


def pytest_runtest_logfinish():
    """Leave alone from time to time what has stayed of the tests so far, such as rules."""
    if next(_finished) % 200 == 0:
        gc.collect()
        gc.freeze()
