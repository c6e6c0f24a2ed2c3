"""The lines of the program that is differentiated, found among the frames of those that it called.

The call that a frame is at is found as tracebacks find it: by the position of the instruction that runs,
https://peps.python.org/pep-0657/.
"""

import linecache
import textwrap
import types

from chainrules.ad.syntax.origins import Origin, origin_of_file
from chainrules.ad.syntax.program_text import Expression, expression_in, position_of

# Frames of these packages are no part of the program.
_ENGINE = ("chainrules", "chainrules_core")
_LIBRARIES = ("numpy", "scipy", *_ENGINE)


def place_in_program(frame: types.FrameType | None) -> str:
    """Where a program, in the frame or one that called it, is: `` at file:line, in `the call```.

    Parameters
    ----------
    frame
        A frame, perhaps of a library.
    """
    return call_of(program_frame(frame))[0]


def program_frame(frame: types.FrameType | None) -> types.FrameType | None:
    """The nearest frame of the program, behind those of the engine, of NumPy and of SciPy."""
    while frame is not None and is_passed_over(frame):
        frame = frame.f_back
    return frame_of_user(frame)


def frame_of_program(frame: types.FrameType | None) -> types.FrameType | None:
    """The nearest frame of the program; where there is none, of a library."""
    return frame_of_user(caller_of_engine(frame))


def line_in_program(frame: types.FrameType | None) -> str:
    """``file:line`` of that frame: found more quickly than by `place_in_program`."""
    frame = caller_of_engine(frame)
    if frame is not None and origin_of_file(frame.f_code.co_filename) is not Origin.USER:
        frame = frame_of_user(frame)
    return "an unknown line" if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}"


def caller_of_engine(frame: types.FrameType | None) -> types.FrameType | None:
    """The nearest frame that is none of the engine's: of the program, or of a library that it called."""
    while frame is not None and _package_of(frame) in _ENGINE:
        frame = frame.f_back
    return frame


def is_of_library(frame: types.FrameType | None) -> bool:
    """Whether the code of a frame is a library's, Python's own among them."""
    if frame is None:
        return False
    return is_passed_over(frame) or origin_of_file(frame.f_code.co_filename) is not Origin.USER


def frame_of_user(frame: types.FrameType | None) -> types.FrameType | None:
    """The nearest frame whose file is no library's; the given one if there is none."""
    of_user = frame
    while of_user is not None and is_of_library(of_user):
        of_user = of_user.f_back
    return frame if of_user is None else of_user


def is_passed_over(frame: types.FrameType) -> bool:
    """Whether the code of a frame is the engine's, NumPy's or SciPy's, which no user thinks of."""
    return _package_of(frame) in _LIBRARIES


def _package_of(frame: types.FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def call_of(frame: types.FrameType | None) -> tuple[str, Expression | None]:
    """The text and place of the call that a frame is at, and what stands there; `None` without a source."""
    if frame is None:
        return "", None
    place = f"{frame.f_code.co_filename}:{frame.f_lineno}"
    positions = position_of(frame.f_code, frame.f_lasti)
    text = "" if None in positions else _source_at(frame, *positions)
    expression = expression_in(text)
    return (f" at {place}, in `{textwrap.shorten(text, 60)}`" if text else f" at {place}"), expression


def _source_at(frame: types.FrameType, start: int, end: int, left: int, right: int) -> str:
    linecache.checkcache(frame.f_code.co_filename)
    lines = [
        linecache.getline(frame.f_code.co_filename, number, frame.f_globals).encode()
        for number in range(start, end + 1)
    ]
    lines[-1] = lines[-1][:right]
    lines[0] = lines[0][left:]
    return b"".join(lines).decode(errors="replace").strip()
