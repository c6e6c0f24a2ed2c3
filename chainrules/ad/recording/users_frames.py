"""Whose function is entered, by its frame."""

import types

from chainrules.ad.recording.distributions import is_made_by_scipy
from chainrules.ad.recording.places import RECORDING_STARTS, forget_place, is_nobodys_file, is_users_file
from chainrules.ad.syntax.origins import is_looked_into


def is_import(frame: types.FrameType | None) -> bool:  # pragma: no cover - a profiler calls
    """Whether Python imports a module here, for which packages have hooks; it computes nothing."""
    while frame is not None and frame.f_code is not RECORDING_STARTS["code"]:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def is_users_frame(frame: types.FrameType) -> bool | None:  # pragma: no cover - a profiler calls
    """Whether a function that is entered is the user's; `None` if its code is not, whoever calls it."""
    filename = frame.f_code.co_filename
    if is_nobodys_file(filename):
        return None
    forget_place()
    module = str(frame.f_globals.get("__name__"))
    if module.partition(".")[0] in _OURS and "<doctest" not in filename:
        return False if is_users_file(filename) else None
    if not filename.startswith("<") or filename.startswith("<frozen "):
        return is_looked_into(filename) or is_users_file(filename) or None
    if module.startswith("namedtuple_") or is_made_by_scipy(frame):
        return None
    # Libraries and ours make code of text for themselves, too.
    caller = frame.f_back
    while caller is not None and caller.f_code.co_filename.startswith("<"):
        caller = caller.f_back
    if caller is None or str(caller.f_globals.get("__name__")).partition(".")[0] in _OURS - {"plum"}:
        return True
    return is_users_file(caller.f_code.co_filename)


_OURS = frozenset({"chainrules", "chainrules_core", "plum"})
