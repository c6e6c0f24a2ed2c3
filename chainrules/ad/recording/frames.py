"""Being shown each function of the user's that is entered or left, before its body runs.

Python has events for that since 3.12, and sends none from code that nobody asks about: the engine and the
libraries run as quickly as ever. Before, its profiler tells of each call.
"""

import gc
import sys
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Shown = Callable[[types.FrameType], None]
# Whether the code of a frame is the user's; `None` if it is not, wherever it is called from.
IsUsers = Callable[[types.FrameType], bool | None]

_MONITORING: Any = getattr(sys, "monitoring", None)
_TOOLS = (3, 4)  # which no tool has for its own, by Python's documentation


class WatchedError(RuntimeError):
    """Somebody else is shown what is entered, and it can be shown to one only."""


@contextmanager
def frames_shown(is_users: IsUsers, enter: Shown, leave: Shown) -> Iterator[None]:
    """Show each function of the user's that this thread enters or leaves inside; what is raised goes there.

    Garbage is not collected meanwhile: the program does not call its finalizers, nor closes its generators.

    Raises
    ------
    WatchedError
        If there are other profilers.
    """
    if sys.getprofile() is not None:
        raise WatchedError
    shown = _shown_by_profiler if _MONITORING is None else _shown_by_events
    failures: list[BaseException] = []

    def kept(show: Shown) -> Shown:
        def call(frame: types.FrameType) -> None:  # pragma: no cover - a profiler calls
            try:
                show(frame)
            except BaseException as failure:
                failures.append(failure)
                raise

        return call

    with without_collections(), shown(is_users, kept(enter), kept(leave)):
        yield
    if failures:  # the program caught it, and nobody may have been shown what came then
        raise failures[0]


@contextmanager
def without_collections() -> Iterator[None]:
    """Hold the garbage collector off."""
    is_collected = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_collected:
            gc.enable()


@contextmanager
def _shown_by_profiler(is_users: IsUsers, enter: Shown, leave: Shown) -> Iterator[None]:
    others: dict[int, types.CodeType] = {}  # which are not the user's, by their numbers

    def event(frame: types.FrameType, kind: str, arg: Any) -> None:  # pragma: no cover - a profiler calls
        if kind in {"call", "return"} and id(frame.f_code) not in others:
            answer = is_users(frame)
            if answer:
                (enter if kind == "call" else leave)(frame)
            elif answer is None:
                others[id(frame.f_code)] = frame.f_code

    sys.setprofile(event)
    try:
        yield
    finally:
        sys.setprofile(None)


def _free_tool() -> int:  # pragma: no cover - since Python 3.12
    for number in _TOOLS:
        if _MONITORING.get_tool(number) is None:
            return number
    raise WatchedError


@contextmanager
def _shown_by_events(
    is_users: IsUsers, enter: Shown, leave: Shown
) -> Iterator[None]:  # pragma: no cover - since Python 3.12
    events, thread, tool = _MONITORING.events, threading.get_ident(), _free_tool()
    # Python rewrites each code that runs where events begin and end: the fewer of them, the quicker. So only
    # the user's code tells that it is left.
    told: dict[int, types.CodeType] = {}

    def entered(code: types.CodeType, *_: Any) -> Any:
        frame = sys._getframe(1)
        answer = is_users(frame)
        if answer is None:
            return _MONITORING.DISABLE  # here, in every thread, until events end
        if answer and id(code) not in told:
            told[id(code)] = code
            _MONITORING.set_local_events(tool, code, events.PY_RETURN)
        if answer and threading.get_ident() == thread:
            enter(frame)
        return None

    def left(code: types.CodeType, *_: Any) -> None:
        frame = sys._getframe(1)
        if threading.get_ident() == thread and is_users(frame):
            leave(frame)

    shown = {
        events.PY_START: entered,
        events.PY_RESUME: entered,
        events.PY_RETURN: left,
        events.PY_THROW: lambda *_: is_users(sys._getframe(1)),  # which is told of all frames that go on
    }
    _MONITORING.use_tool_id(tool, "chainrules")
    try:
        for number, show in shown.items():
            _MONITORING.register_callback(tool, number, show)
        _MONITORING.set_events(tool, events.PY_START | events.PY_RESUME | events.PY_THROW)
        yield
    finally:
        for code in told.values():
            _MONITORING.set_local_events(tool, code, 0)
        _MONITORING.set_events(tool, 0)
        for number in shown:
            _MONITORING.register_callback(tool, number, None)
        _MONITORING.free_tool_id(tool)
