"""Whose code is recorded, and the line of it that is being run.

It is the user's. A program that calls functions of installed packages is recorded a second time, with the
code of these packages counted as the user's.
"""

import contextlib
import functools
import sys
import types
from collections.abc import Iterator
from typing import Any

import chainrules_core
from chainrules.ad.syntax.origins import (
    Origin,
    is_class_looked_into,
    is_looked_into,
    origin_of,
    origin_of_class,
    origin_of_file,
)

Place = tuple[str, int]
"""The file and the line of the user's program."""


def user_place() -> Place | None:
    """The line of the user's program that is being run; `None` in a pullback."""
    # Without calls, of which the profiler of older Pythons would tell.
    nearest = _LATEST.frame
    if nearest is not None:
        for depth in _LATEST.depths:
            try:
                found = sys._getframe(depth)
            except ValueError:  # there are not so many
                continue
            if found is nearest:
                return (nearest.f_code.co_filename, nearest.f_lineno) if _LATEST.is_users else None
    frame: types.FrameType | None = sys._getframe(1)
    start, known, depth = RECORDING_STARTS["code"], _USERS_FILES[_PACKAGES["are looked into"]], 1
    while frame is not None:
        code = frame.f_code
        filename = code.co_filename
        try:
            is_users = known[filename]
        except KeyError:
            is_users = known[filename] = is_users_file(filename)
        if is_users or code is start:
            if _LATEST.is_on:
                _LATEST.frame, _LATEST.is_users = frame, is_users
                if depth not in _LATEST.depths:
                    _LATEST.depths = [depth, *_LATEST.depths[:_MOST_DEPTHS]]
            return (filename, frame.f_lineno) if is_users else None
        frame, depth = frame.f_back, depth + 1
    return None


class _Latest:
    """Where the latest operation of a recording was found.

    As long as nobody of the user's is entered, no frame above another operation can be nearer.

    Attributes
    ----------
    is_on
        Whether a program is recorded, so that it is known who is entered.
    frame
        The nearest frame of the user's above it, or the one in which the recording began; `None` once another
        one is entered.
    is_users
        Whether it is the user's.
    depths
        How far above operations such frames were, the latest numbers first.
    """

    __slots__ = ("depths", "frame", "is_on", "is_users")

    def __init__(self) -> None:
        self.frame: types.FrameType | None = None
        self.is_on, self.is_users, self.depths = False, False, list[int]()


# One program is recorded at a time.
_LATEST = _Latest()
_MOST_DEPTHS = 7


@contextlib.contextmanager
def entries_told() -> Iterator[None]:
    """A block in which `forget_place` is called for each of the user's frames that is entered."""
    _LATEST.is_on = True
    try:
        yield
    finally:
        _LATEST.is_on, _LATEST.frame = False, None


def forget_place() -> None:
    """Look for the user's line anew."""
    _LATEST.frame = None


# Never forgotten. The code of the function that runs a program to record it: what is beyond is not recorded.
RECORDING_STARTS: dict[str, Any] = {"code": None}


# Never forgotten. By the names of files of code, of which there are few: each frame of an operation asks.
# Whether packages are looked into decides.
_USERS_FILES: dict[bool, dict[str, bool]] = {False: {}, True: {}}


# One program is recorded at a time.
_PACKAGES = {"are looked into": False}


@contextlib.contextmanager
def packages_looked_into(are_they: bool) -> Iterator[None]:
    """Count the code of installed packages as the user's, or do not."""
    before = _PACKAGES["are looked into"]
    _PACKAGES["are looked into"] = are_they
    try:
        yield
    finally:
        _PACKAGES["are looked into"] = before


def is_users_file(filename: str) -> bool:
    """Whether the code of a file is neither ours nor that of a library which is not looked into."""
    if filename.startswith((_OURS, _CORE, "<")):
        return False
    return origin_of_file(filename) is Origin.USER or (
        _PACKAGES["are looked into"] and is_looked_into(filename)
    )


def is_nobodys_file(filename: str) -> bool:
    """Whether a file is ours, or a library's that is never looked into; not of text that somebody runs."""
    try:
        return _NOBODYS_FILES[filename]
    except KeyError:
        is_ours = filename.startswith((_OURS, _CORE))
        is_one = not filename.startswith("<") and origin_of_file(filename) is not Origin.USER
        _NOBODYS_FILES[filename] = answer = is_ours or (is_one and not is_looked_into(filename))
        return answer


# Never forgotten, as above.
_NOBODYS_FILES: dict[str, bool] = {}


def is_users(f: types.FunctionType) -> bool:
    """The same of a function; of text, it is the user's if its module is not ours."""
    return origin_of(f) is Origin.USER or (_PACKAGES["are looked into"] and is_of_package(f))


def is_users_class(cls: type) -> bool:
    """The same of a class."""
    return origin_of_class(cls) is Origin.USER or (_PACKAGES["are looked into"] and is_class_looked_into(cls))


def is_of_package(f: Any) -> bool:
    """Whether a callable is a function, a class or an object of an installed package that may be recorded."""
    cls = type(f)
    if cls is types.MethodType:
        return is_of_package(f.__func__)
    if cls is functools.partial:
        return is_of_package(f.func)
    if cls is types.FunctionType:
        return origin_of(f) is Origin.LIBRARY and is_looked_into(f.__code__.co_filename)
    return is_class_looked_into(f if isinstance(f, type) else cls)


def is_taken_from_package(f: Any) -> bool:
    """Whether a callable is one of a package whose code counts as the user's now."""
    return _PACKAGES["are looked into"] and is_of_package(f)


_OURS = __file__.rpartition("/ad/")[0] + "/"
_CORE = str(chainrules_core.__file__).rpartition("/")[0] + "/"
