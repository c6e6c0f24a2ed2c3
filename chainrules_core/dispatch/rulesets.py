"""Rulesets that load by themselves: the rules for a package, imported once that package is in use.

A ruleset is a module whose import registers rules. It is named together with the module that it is for, its
target, and imported by the first lookup that needs an answer while the target is in `sys.modules`; if it was
named together with its callees, by the first lookup of one of them. So naming costs nothing, a program pays
for the rules of what it calls, and a package is covered as soon as it and its ruleset are both installed: the
entry points of the group ``chainrules.rulesets`` are named too, an entry point's name being the target and
its value the ruleset. A ruleset may be a function of a module, which is called with the target.
"""

import contextlib
import gc
import importlib
import sys
import threading
import types
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from chainrules_core.dispatch.callee_names import package_of
from chainrules_core.dispatch.pending_rulesets import (
    Ruleset,
    all_pending,
    is_pending,
    pending_for,
    pending_for_anything,
    register_ruleset,
    strike_out,
)
from chainrules_core.dispatch.redefinitions import warned_of_once
from chainrules_core.entry_points import entry_points
from chainrules_core.failed_imports import warn_of_failed_import

ENTRY_POINT_GROUP = "chainrules.rulesets"

# No lock is held while a ruleset is imported: the import system sees to it that a module is executed once,
# that threads wait for it, and that they do not wait for each other.
_entry_points_are_read = False
# The rulesets that are functions, and were called.
_called: set[Ruleset] = set()
_lock = threading.RLock()
_here = threading.local()


# Not an `ImportWarning`: Python ignores those unless told otherwise, and missing rules must not go unnoticed.
class RulesetImportWarning(UserWarning):
    """A ruleset could not be imported, so the rules that it holds are missing."""


def load_rulesets() -> None:
    """Import every pending ruleset whose target has been imported."""
    _load(all_pending)


def load_general_rulesets() -> None:
    """Import the pending rulesets that do not name their callees, and whose target has been imported."""
    _load(pending_for_anything)


def load_rulesets_for(f: Any, args: Collection[Any] | None = None) -> None:
    """Import the pending rulesets that may have rules for a callee, and whose target has been imported.

    If `args` are given, only the rulesets that may have rules for these arguments.
    """
    # Most lookups that come here are of functions that nobody wrote a rule for, or wait for other packages.
    if not _entry_points_are_read or any(map(_is_ready, (*pending_for_anything(), *pending_for(f, args)))):
        _load(lambda: [*pending_for_anything(), *pending_for(f, args)])


def load_rulesets_of_others(f: Any, package: str) -> None:
    """The same, but for the rulesets of a package that name their callees."""
    if not _entry_points_are_read or pending_for_anything() or _pending_of_others(f, package):
        _load(lambda: [*pending_for_anything(), *_pending_of_others(f, package)])


def _pending_of_others(f: Any, package: str) -> list[Ruleset]:
    return [ruleset for ruleset in pending_for(f) if package_of(ruleset.module.partition(":")[0]) != package]


def _load(pending: Callable[[], Iterable[Ruleset]]) -> None:
    _read_entry_points()
    failures = []
    # Warnings are given after all have been loaded, since one may be turned into an exception.
    with warned_of_once, _without_collections():
        while ready := [ruleset for ruleset in pending() if _is_ready(ruleset)]:
            for ruleset in ready:
                error = _import(ruleset)
                # Struck out only now: a thread that comes meanwhile must find it pending, and wait for it.
                if strike_out(ruleset) and error is not None:
                    failures.append((ruleset, error))
        for ruleset, error in failures:
            warn_of_failed_import(
                f"The ruleset {ruleset.module!r} for {ruleset.target!r} could not be imported, so its rules "
                "are missing",
                ruleset.module,
                error,
                RulesetImportWarning,
            )


def _is_ready(ruleset: Ruleset) -> bool:
    module = sys.modules.get(ruleset.target)
    if module is None or ruleset in _importing_here():
        return False
    # While a module is being imported its functions may not be there yet, and its ruleset would fail.
    return not getattr(getattr(module, "__spec__", None), "_initializing", False)


def _import(ruleset: Ruleset) -> Exception | None:
    _importing_here()[ruleset] = None
    try:
        module, _, function = ruleset.module.partition(":")
        imported = importlib.import_module(module)
        if function:
            _call_once(getattr(imported, function), ruleset)
    except (RecursionError, MemoryError):
        raise  # of the program that asks, and not of the ruleset: the next lookup imports it
    except Exception as error:  # noqa: BLE001 - whatever it raises, other rules must still be found
        return error
    finally:
        del _importing_here()[ruleset]
    return None


def _call_once(function: Callable[[str], None], ruleset: Ruleset) -> None:
    with _lock:  # it registers rules, and imports nothing that another thread may be importing
        if ruleset not in _called:
            function(ruleset.target)
            _called.add(ruleset)


@contextlib.contextmanager
def _without_collections() -> Iterator[None]:
    """Hold the garbage collector off: rulesets make thousands of objects, and all of them stay."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _importing_here() -> dict[Ruleset, None]:
    """The rulesets that this thread is importing: their own lookups must not take them for loaded."""
    here: dict[Ruleset, None] = vars(_here).setdefault("importing", {})
    return here


def ruleset_being_imported() -> str | None:
    """The ruleset that this thread is importing, so that rules which are registered now belong to it.

    It may also be one that is pending, and that somebody imports before a lookup does.
    """
    ruleset = next(reversed(_importing_here()), None)
    return _pending_ruleset_in_frames() if ruleset is None else ruleset.module.partition(":")[0]


def _pending_ruleset_in_frames() -> str | None:
    frame: types.FrameType | None = sys._getframe(1)  # noqa: SLF001 - the inspection of frames is documented
    while frame is not None:
        if frame.f_code.co_name == "<module>" and is_pending(frame.f_globals.get("__name__")):
            return str(frame.f_globals["__name__"])
        frame = frame.f_back
    return None


def _read_entry_points() -> None:
    global _entry_points_are_read  # noqa: PLW0603 - reading them costs milliseconds, so it is done once
    if _entry_points_are_read:
        return
    with _lock:
        if not _entry_points_are_read:  # pragma: no branch - another thread may have come first
            for target, ruleset in entry_points(ENTRY_POINT_GROUP):
                register_ruleset(target, ruleset)
            _entry_points_are_read = True
