"""Whose function is entered, by its frame."""

import types

from chainrules.ad.recording.distributions import is_made_by_scipy
from chainrules.ad.recording.places import RECORDING_STARTS, forget_place, is_nobodys_file, is_users_file
from chainrules.ad.syntax.origins import is_looked_into


def is_beside_the_program(frame: types.FrameType | None) -> bool:  # pragma: no cover - a profiler calls
    """Whether a function that is entered is none of the program's, though it may be the user's.

    Python imports a module, for which packages have hooks. Or a rule is looked up, which imports rulesets,
    tells those who want to know of new rules, and asks abstract classes about the classes of arguments. Or
    something is forgotten, and an object that nobody else held is finalized. All of that is done once, and
    another call of the program finds it done.
    """
    is_of_package = frame is not None and is_looked_into(frame.f_code.co_filename)
    while frame is not None and frame.f_code is not RECORDING_STARTS["code"]:
        is_import = is_of_package and frame.f_code.co_filename.startswith("<frozen importlib")
        if is_import or frame.f_globals.get("__name__") in _BESIDE:
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
# Modules that find something out once for all, or forget it, and call none of the program's functions.
_BESIDE = {f"chainrules_core.dispatch.{name}" for name in ("method_tables", "new_rules", "rulesets")}
_BESIDE.add("chainrules.ad.values.memory")
