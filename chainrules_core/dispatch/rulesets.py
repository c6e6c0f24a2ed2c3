"""Rulesets that load by themselves: the rules for a package, imported once that package is in use.

A ruleset is a module whose import registers rules. It is named together with the module that it is for, its
target, and imported by the first lookup that needs an answer while the target is in `sys.modules`. So
naming costs nothing, and a package is covered as soon as it and its ruleset are both installed: the entry
points of the group ``chainrules.rulesets`` are named too, an entry point's name being the target and its
value the ruleset.
"""

import contextlib
import gc
import importlib
import sys
import threading
import warnings
from collections.abc import Callable, Iterator

ENTRY_POINT_GROUP = "chainrules.rulesets"

# Target and ruleset, in the order in which they were named. The tuple is replaced, under the lock, and
# never changed, so that lookups read it without. No lock is held while a ruleset is imported: the import
# system sees to it that a module is executed once, that threads wait for it, and that they do not wait for
# each other.
_pending: tuple[tuple[str, str], ...] = ()
_entry_points_are_read = False
_lock = threading.RLock()
_here = threading.local()
_on_new_ruleset: list[Callable[[], None]] = []


# Not an `ImportWarning`: Python ignores those unless told otherwise, and missing rules must not go unnoticed.
class RulesetImportWarning(UserWarning):
    """A ruleset could not be imported, so the rules that it holds are missing."""


def register_ruleset(target: str, ruleset: str) -> None:
    """Name the module `ruleset` as holding the rules for the module `target`.

    Parameters
    ----------
    target
        The module whose functions the rules are for, such as ``"scipy.linalg"``. It is not imported.
    ruleset
        The module whose import registers the rules. It is imported when a rule is first looked up after
        `target` was imported; if that fails, a `RulesetImportWarning` says so, once.

    Raises
    ------
    TypeError
        If one of the two is not a string.
    """
    global _pending  # noqa: PLW0603 - replaced as a whole, see above
    if not (isinstance(target, str) and isinstance(ruleset, str)):
        raise TypeError(
            f"register_ruleset({target!r}, {ruleset!r}): both are the dotted names of modules, as strings, "
            "so that nothing is imported before it is needed."
        )
    with _lock:
        if (target, ruleset) in _pending or ruleset in sys.modules:
            return
        _pending = (*_pending, (target, ruleset))
    for forget in _on_new_ruleset:
        forget()


def on_new_ruleset(forget: Callable[[], None]) -> None:
    """Call `forget` whenever a ruleset is named: answers remembered so far may not be the best any more."""
    _on_new_ruleset.append(forget)


def load_rulesets() -> None:
    """Import every pending ruleset whose target has been imported."""
    _read_entry_points()
    failures = []
    while ready := [named for named in _pending if _is_ready(*named)]:
        for target, ruleset in ready:
            error = _import(ruleset)
            # Struck out only now: a thread that comes meanwhile must find it pending, and wait for it.
            if _strike_out(target, ruleset) and error is not None:
                failures.append((target, ruleset, error))
    # Reported after all have been loaded, since a warning may be turned into an exception.
    for target, ruleset, error in failures:
        warnings.warn(
            f"The ruleset {ruleset!r} for {target!r} could not be imported, so its rules are missing: "
            f"{type(error).__name__}: {error}",
            RulesetImportWarning,
            stacklevel=2,
        )


def _is_ready(target: str, ruleset: str) -> bool:
    module = sys.modules.get(target)
    if module is None or ruleset in _importing_here():
        return False
    # While a module is being imported its functions may not be there yet, and its ruleset would fail.
    return not getattr(getattr(module, "__spec__", None), "_initializing", False)


def _import(ruleset: str) -> Exception | None:
    _importing_here().add(ruleset)
    try:
        with _without_collections():
            importlib.import_module(ruleset)
    except Exception as error:  # noqa: BLE001 - whatever it raises, other rules must still be found
        return error
    finally:
        _importing_here().discard(ruleset)
    return None


@contextlib.contextmanager
def _without_collections() -> Iterator[None]:
    """Hold the garbage collector off: a ruleset makes thousands of objects, and all of them stay."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _importing_here() -> set[str]:
    """The rulesets that this thread is importing: their own lookups must not take them for loaded."""
    here: set[str] = vars(_here).setdefault("importing", set())
    return here


def _strike_out(target: str, ruleset: str) -> bool:
    """Remove a ruleset from those pending; returns whether no other thread had done so before."""
    global _pending  # noqa: PLW0603 - replaced as a whole, see above
    with _lock:
        remaining = tuple(named for named in _pending if named != (target, ruleset))
        was_pending = len(remaining) < len(_pending)
        _pending = remaining
    return was_pending


def _read_entry_points() -> None:
    global _entry_points_are_read  # noqa: PLW0603 - reading them costs milliseconds, so it is done once
    if _entry_points_are_read:
        return
    from importlib.metadata import entry_points  # noqa: PLC0415 - takes as long to import as half of this package

    with _lock:
        if not _entry_points_are_read:  # pragma: no branch - another thread may have come first
            for entry_point in entry_points(group=ENTRY_POINT_GROUP):
                register_ruleset(entry_point.name, entry_point.value)
            _entry_points_are_read = True
