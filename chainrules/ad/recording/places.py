"""The line of the user's program that is being run, while it is recorded."""

import sys
import types
from typing import Any

import chainrules_core
from chainrules.ad.syntax.origins import Origin, origin_of_file

Place = tuple[str, int]
"""The file and the line of the user's program."""


def user_place() -> Place | None:
    """The line of the user's program that is being run; `None` in a pullback."""
    # Without calls, of which the profiler of older Pythons would tell.
    frame: types.FrameType | None = sys._getframe(1)
    start = RECORDING_STARTS["code"]
    while frame is not None:
        code = frame.f_code
        if code is start:
            return None
        filename = code.co_filename
        try:
            is_users = _USERS_FILES[filename]
        except KeyError:
            is_users = _USERS_FILES[filename] = is_users_file(filename)
        if is_users:
            return filename, frame.f_lineno
        frame = frame.f_back
    return None


# Never forgotten. The code of the function that runs a program to record it: what is beyond is not recorded.
RECORDING_STARTS: dict[str, Any] = {"code": None}


# Never forgotten. By the names of files of code, of which there are few: each frame of an operation asks.
_USERS_FILES: dict[str, bool] = {}


def is_users_file(filename: str) -> bool:
    """Whether the code of a file is neither a library's nor ours."""
    ours = filename.startswith((_OURS, _CORE, "<"))
    return not ours and origin_of_file(filename) is Origin.USER


_OURS = __file__.rpartition("/ad/")[0] + "/"
_CORE = str(chainrules_core.__file__).rpartition("/")[0] + "/"
