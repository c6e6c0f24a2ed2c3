"""Counting which Python functions ran, itself."""

import gc

import pytest

from tests.python_calls import functions_run_by


def once():
    """A function that nothing else calls."""


def twice():
    """It calls another function two times."""
    once()
    once()


def test_functions_are_counted():
    """By name, each as often as it ran; functions of C have no names here."""
    assert functions_run_by(lambda: (twice(), len("abc"))) == {"twice": 1, "once": 2}


def test_the_first_call_is_not_counted():
    """What it prepares, as a cache, is no part of common calls."""
    found = []

    def prepared():
        if not found:
            once()
            found.append(1)

    assert not functions_run_by(prepared)


def test_counting_ends_with_an_error():
    """A call that fails the second time leaves no profile function behind."""
    answers = iter([1])

    with pytest.raises(StopIteration):
        functions_run_by(lambda: next(answers))

    assert functions_run_by(twice) == {"once": 2}


def test_collections_are_not_counted():
    """What others are told of garbage is no part of the call."""

    def told(_phase, _info):
        pass

    def make_garbage():
        for _ in range(20_000):
            circle = []
            circle.append(circle)

    gc.callbacks.append(told)
    try:
        assert not functions_run_by(make_garbage)
    finally:
        gc.callbacks.remove(told)
    assert gc.isenabled()
