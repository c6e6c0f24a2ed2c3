"""Being shown each function that is entered: by events since Python 3.12, otherwise by the profiler."""

import contextlib
import functools
import gc
import sys
import threading

import pytest

from chainrules.ad.recording import frames

MONITORING = getattr(sys, "monitoring", None)
NEEDS_EVENTS = pytest.mark.skipif(MONITORING is None, reason="events since Python 3.12")
WAYS = [frames._shown_by_profiler, pytest.param(frames._shown_by_events, marks=NEEDS_EVENTS)]


def of_users(x):
    """The user's."""
    return x + 1


def of_library(f, x):
    """A library's, which calls back."""
    return f(x)


def parts(n):
    """A generator."""
    for i in range(n):
        yield of_users(i)


class Shown:
    """Remembers what is shown."""

    def __init__(self):
        self.seen = []

    def is_users(self, frame):
        """Whether a function is the user's."""
        name = frame.f_code.co_name
        return None if name == "of_library" else name in {"of_users", "parts"}

    def enter(self, frame):
        """A function is entered."""
        self.seen.append(f"+{frame.f_code.co_name}({frame.f_locals.get('x')})")

    def leave(self, frame):
        """A function is left."""
        self.seen.append(f"-{frame.f_code.co_name}")


@pytest.mark.every_case
@pytest.mark.parametrize("shown", WAYS)
def test_functions_that_are_entered(shown):
    """However they are called, each time; those of others are not shown, nor is another thread."""
    for _ in range(2):
        watch = Shown()
        with shown(watch.is_users, watch.enter, watch.leave):
            assert of_library(of_users, 1) == 2
            assert functools.reduce(lambda y, x: y + of_users(x), [1, 2], 0) == 5
            thread = threading.Thread(target=of_users, args=(7,))
            thread.start()
            thread.join()
        assert watch.seen == ["+of_users(1)", "-of_users"] * 2 + ["+of_users(2)", "-of_users"]
    of_users(3)
    assert len(watch.seen) == 6


@pytest.mark.every_case
@pytest.mark.parametrize("shown", WAYS)
def test_generators_and_errors(shown):
    """A generator that began before is shown where it goes on; errors go into the program."""
    began, watch = parts(2), Shown()
    assert next(began) == 1
    with shown(watch.is_users, watch.enter, watch.leave):
        assert next(began) == 2
    assert watch.seen[:3] == ["+parts(None)", "+of_users(1)", "-of_users"]

    def refuse(frame):
        raise ValueError(frame.f_code.co_name)

    with pytest.raises(ValueError, match="of_users"), shown(watch.is_users, refuse, watch.leave):
        of_users(0)
    assert of_users(0) == 1


def test_beside_others():
    """A profiler is not put aside."""
    watch = Shown()
    profile = lambda *_: None  # noqa: E731 - it is compared
    sys.setprofile(profile)
    try:
        with (
            pytest.raises(frames.WatchedError),
            frames.frames_shown(watch.is_users, watch.enter, watch.leave),
        ):
            pass
        assert sys.getprofile() is profile
    finally:
        sys.setprofile(None)
    with frames.frames_shown(watch.is_users, watch.enter, watch.leave):
        of_users(1)
    assert watch.seen == ["+of_users(1)", "-of_users"]


@NEEDS_EVENTS
def test_tools_of_others():
    """A tool that is taken stays theirs; afterwards ours are free."""
    watch = Shown()
    for number in frames._TOOLS:
        MONITORING.use_tool_id(number, "theirs")
    try:
        with (
            pytest.raises(frames.WatchedError),
            frames.frames_shown(watch.is_users, watch.enter, watch.leave),
        ):
            pass
        MONITORING.free_tool_id(frames._TOOLS[1])
        with frames.frames_shown(watch.is_users, watch.enter, watch.leave):
            of_users(1)
        assert watch.seen == ["+of_users(1)", "-of_users"]
        assert MONITORING.get_tool(frames._TOOLS[0]) == "theirs"
        assert MONITORING.get_tool(frames._TOOLS[1]) is None
    finally:
        MONITORING.free_tool_id(frames._TOOLS[0])


def test_garbage():
    """What the collector of garbage would close or finalize is not shown: the program does not call it."""
    shown = Shown()
    circle = [parts(3)]
    circle.append(circle)
    next(circle[0])
    del circle
    thresholds = gc.get_threshold()
    gc.set_threshold(1)
    try:
        with frames.frames_shown(shown.is_users, shown.enter, shown.leave):
            assert not gc.isenabled()
            _ = [[] for _ in range(10_000)]
    finally:
        gc.set_threshold(*thresholds)
    assert gc.isenabled()
    assert shown.seen == []


def test_without_collections():
    """The collector is on again afterwards, if it was before."""
    assert gc.isenabled()
    with frames.without_collections():
        assert not gc.isenabled()
        with frames.without_collections():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_errors_of_who_is_shown_it():
    """They come in the end, if the program catches them."""

    def enter(frame):
        raise ArithmeticError(frame.f_code.co_name)

    def program():
        with contextlib.suppress(ArithmeticError):
            inner()

    def inner():
        return 1

    with (
        pytest.raises(ArithmeticError, match="inner"),
        frames.frames_shown(lambda frame: frame.f_code.co_name == "inner" or None, enter, lambda frame: None),
    ):
        program()
    assert sys.getprofile() is None
