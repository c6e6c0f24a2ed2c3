"""Rulesets that load by themselves: the rules for a package, imported once that package is in use.

A ruleset is a module whose import registers rules. It is named together with the module that it is for, and
imported when a lookup meets a new callee while that module is in `sys.modules`. So naming costs nothing, and a package is
covered as soon as it and its ruleset are both installed: the entry points of the group ``chainrules.rulesets`` are named
too, the entry point's name being the target module and its value the ruleset.
"""

import importlib
import importlib.metadata
import sys
import warnings

ENTRY_POINT_GROUP = "chainrules.rulesets"

# Rulesets by target, in the order in which they were named. A list is replaced, never changed, so that it can be read
# without a lock; the import system sees to it that a module is executed once, and that threads wait for it.
_pending: list[tuple[str, str]] = []
_entry_points_are_read = False


class RulesetImportWarning(ImportWarning, UserWarning):
    """A ruleset could not be imported, so the rules that it holds are missing."""


def register_ruleset(target: str, ruleset: str) -> None:
    """Name the module `ruleset` as holding the rules for the module `target`.

    Parameters
    ----------
    target
        The module whose functions the rules are for, such as ``"scipy.linalg"``. It is not imported.
    ruleset
        The module whose import registers the rules. It is imported when a rule is first looked up after `target`
        was imported; if that fails, a `RulesetImportWarning` says so, once.

    Raises
    ------
    TypeError
        If one of the two is not a string.
    """
    global _pending  # noqa: PLW0603 - replaced as a whole, see above
    if not (isinstance(target, str) and isinstance(ruleset, str)):
        raise TypeError(
            f"register_ruleset({target!r}, {ruleset!r}): both are the dotted names of modules, as strings, so that nothing "
            "is imported before it is needed."
        )
    if (target, ruleset) not in _pending and ruleset not in sys.modules:
        _pending = [*_pending, (target, ruleset)]


def load_rulesets() -> bool:
    """Import every pending ruleset whose target has been imported; returns whether there was one."""
    _read_entry_points()
    if not _pending:
        return False
    loaded = False
    while ready := [named for named in _pending if named[0] in sys.modules]:
        for named in ready:
            _load(*named)
        loaded = True
    return loaded


def _load(target: str, ruleset: str) -> None:
    global _pending  # noqa: PLW0603 - replaced as a whole, see above
    try:
        importlib.import_module(ruleset)
    except Exception as error:  # noqa: BLE001 - whatever it raises, other rules must still be found
        warnings.warn(
            f"The ruleset {ruleset!r} for {target!r} could not be imported, so its rules are missing: "
            f"{type(error).__name__}: {error}",
            RulesetImportWarning,
            stacklevel=2,
        )
    finally:
        # Only now: a thread that comes meanwhile must find it pending, and wait for the import to end.
        _pending = [named for named in _pending if named != (target, ruleset)]


def _read_entry_points() -> None:
    global _entry_points_are_read  # noqa: PLW0603 - reading them costs milliseconds, so it is done once
    if _entry_points_are_read:
        return
    for entry_point in importlib.metadata.entry_points(group=ENTRY_POINT_GROUP):
        register_ruleset(entry_point.name, entry_point.value)
    _entry_points_are_read = True
