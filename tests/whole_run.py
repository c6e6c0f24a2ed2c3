"""Tests that judge the whole run, in however many processes it goes.

A test that is marked `last` runs after all others, in the process that reports. With pytest-xdist that
process runs no other test: the workers leave these out, and each says, when it is done, which they are and
what it has seen. Then the reporting process collects them, and they judge what all workers have seen.
"""

import itertools
import sys

import pytest

# Functions that say what this process has seen, by their names; in plain values, which a worker can send.
_observers = {}
# What each worker has sent; `None` for one that died. Empty where the only process runs the tests.
_WORKERS = pytest.StashKey()
# In a worker, the tests that judge.
_LEFT_OUT = pytest.StashKey()
_SENT = "whole_run"


def observer(function):
    """Let workers send what `function` returns when they are done."""
    _observers[f"{function.__module__}.{function.__qualname__}"] = function
    return function


def seen(config, function):
    """What an observer has returned in each process of the run."""
    workers = config.stash[_WORKERS]
    assert None not in workers, "a worker died, so that nobody knows what it has seen"
    name = f"{function.__module__}.{function.__qualname__}"
    return [worker["seen"][name] for worker in workers] or [function()]


def pytest_configure(config):
    """Begin without workers."""
    config.stash[_WORKERS] = []


@pytest.hookimpl(trylast=True)  # after tests were deselected
def pytest_collection_modifyitems(config, items):
    """Put what judges behind all others; a worker leaves it out."""
    last = [item for item in items if item.get_closest_marker("last")]
    others = [item for item in items if not item.get_closest_marker("last")]
    if hasattr(config, "workeroutput"):
        config.stash[_LEFT_OUT] = [item.nodeid for item in last]
        last = []
    items[:] = others + last


@pytest.hookimpl(wrapper=True)
def pytest_runtestloop(session):
    """After the tests, a worker writes down what it has seen; the process that reports judges it."""
    finished = yield
    config = session.config
    if hasattr(config, "workeroutput"):
        answers = {name: function() for name, function in _observers.items()}
        config.workeroutput[_SENT] = {"last": config.stash[_LEFT_OUT], "seen": answers}
    elif config.stash[_WORKERS]:
        _judge(session, [worker for worker in config.stash[_WORKERS] if worker is not None])
    return finished


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_testnodedown(node):
    """Take in what a worker has sent."""
    node.config.stash[_WORKERS].append(getattr(node, "workeroutput", {}).get(_SENT))


def _judge(session, workers):
    names = dict.fromkeys(name for worker in workers for name in worker["last"])
    number = session.testscollected  # of which progress is told in percent
    items = session.perform_collect([str(session.config.rootpath / name) for name in names]) if names else []
    session.testscollected = number + len(items)
    for item, following in itertools.zip_longest(items, items[1:]):
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def pytest_sessionfinish(session):
    """Save the lines that a worker has counted: one that is slow to end, as with PyTorch, is killed."""
    coverage = sys.modules.get("coverage")
    counting = coverage and coverage.Coverage.current()
    if counting and hasattr(session.config, "workerinput"):
        counting.save()
