"""Rulesets that load by themselves: the rules for a package, imported once that package is in use.

A ruleset is a module whose import registers rules. It is named together with the module that it is for, its
target, and imported by the first lookup that needs an answer while the target is in `sys.modules`; if it was
named together with its callees, by the first lookup of one of them. So naming costs nothing, a program pays
for the rules of what it calls, and a package is covered as soon as it and its ruleset are both installed: the
entry points of the group ``chainrules.rulesets`` are named too, an entry point's name being the target and
its value the ruleset.
"""

import contextlib
import gc
import importlib
import sys
import threading
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, NamedTuple

from chainrules_core.backends import primal_of
from chainrules_core.dispatch.callee_names import class_names, name_and_module, package_of
from chainrules_core.dispatch.entry_points import entry_points

ENTRY_POINT_GROUP = "chainrules.rulesets"


class _Ruleset(NamedTuple):
    target: str
    module: str
    callees: tuple[str, ...] | None = None  # `None`: its rules may be for anything
    foreign_callees: tuple[str, ...] = ()


# What is pending, as pairs of target and module. No lock is held while a ruleset is imported: the import
# system sees to it that a module is executed once, that threads wait for it, and that they do not wait for
# each other.
_pending: set[tuple[str, str]] = set()
# The pending rulesets, in the order in which they were named. Tuples are replaced, under the lock, and never
# changed, so that lookups read them without. First those that may have rules for anything; then those that
# name their callees: by target, by the name of a callee and its package (`None` for callees that do not say
# theirs), and by that of a foreign callee. What was loaded leaves an empty tuple behind: that no ruleset ever
# named a callee is another matter.
_general: tuple[_Ruleset, ...] = ()
_of_target: dict[str, tuple[_Ruleset, ...]] = {}
_of_callee: dict[tuple[str | None, str], tuple[_Ruleset, ...]] = {}
_of_foreign_callee: dict[str, tuple[_Ruleset, ...]] = {}
# The modules of callees that no ruleset is for, as far as they were met.
_uncovered: set[str] = set()
_entry_points_are_read = False
_lock = threading.RLock()
_here = threading.local()
_on_new_ruleset: list[Callable[[], None]] = []

# Where the classes are defined that no rule for a foreign callee is specific to.
COMMON_MODULES = {"builtins", "numpy"}


# Not an `ImportWarning`: Python ignores those unless told otherwise, and missing rules must not go unnoticed.
class RulesetImportWarning(UserWarning):
    """A ruleset could not be imported, so the rules that it holds are missing."""


def register_ruleset(
    target: str,
    ruleset: str,
    callees: Iterable[str] | None = None,
    foreign_callees: Iterable[str] = (),
) -> None:
    """Name the module `ruleset` as holding the rules for the module `target`.

    Parameters
    ----------
    target
        The module whose functions the rules are for, such as ``"scipy.linalg"``. It is not imported.
    ruleset
        The module whose import registers the rules. It is imported when a rule is first looked up after
        `target` was imported; if that fails, a `RulesetImportWarning` says so, once.
    callees
        The names of all callees that the rules are for, such as ``"norm"``, ``"ndarray.sum"``;
        ``"type[Foo]"`` and ``"Foo()"`` for rules whose callee is annotated ``type[Foo]`` and ``Foo``;
        ``"io:open"`` if the callee says, by ``__module__``, that it is of another package than the target.
        If they are given, `ruleset` holds nothing but rules, and is imported when one of these callees is
        first looked up.
    foreign_callees
        Likewise the callees of other packages, for which it has only rules that ask for an argument of a
        class of its own: neither of Python's builtin classes nor of those of `numpy`.

    Raises
    ------
    TypeError
        If one of the first two is not a string.
    """
    global _general, _uncovered  # noqa: PLW0603 - replaced as a whole, see above
    if not (isinstance(target, str) and isinstance(ruleset, str)):
        raise TypeError(
            f"register_ruleset({target!r}, {ruleset!r}): both are the dotted names of modules, as strings, "
            "so that nothing is imported before it is needed."
        )
    named = _Ruleset(target, ruleset, None if callees is None else tuple(callees), tuple(foreign_callees))
    with _lock:
        if ruleset in sys.modules or (target, ruleset) in _pending:
            return
        _pending.add((target, ruleset))
        if callees is None:
            _general = (*_general, named)
        for places, key in _places_of(named):
            places[key] = (*places.get(key, ()), named)
        _uncovered = set()
    for forget in _on_new_ruleset:
        forget()


def _places_of(ruleset: _Ruleset) -> Iterator[tuple[dict[Any, tuple[_Ruleset, ...]], Any]]:
    """Where a ruleset that names its callees is kept until it is loaded."""
    if ruleset.callees is None:
        return
    yield _of_target, ruleset.target
    for callee in ruleset.callees:
        package, _, name = callee.rpartition(":")
        yield _of_callee, (package or package_of(ruleset.target), name)
        yield _of_callee, (None, name)
    for name in ruleset.foreign_callees:
        yield _of_foreign_callee, name


def on_new_ruleset(forget: Callable[[], None]) -> None:
    """Call `forget` whenever a ruleset is named: answers remembered so far may not be the best any more."""
    _on_new_ruleset.append(forget)


def load_rulesets() -> None:
    """Import every pending ruleset whose target has been imported."""
    _load(lambda: [*_general, *(ruleset for rulesets in _of_target.values() for ruleset in rulesets)])


def load_general_rulesets() -> None:
    """Import the pending rulesets that do not name their callees, and whose target has been imported."""
    _load(lambda: _general)


def load_rulesets_for(f: Any, args: Collection[Any] | None = None) -> None:
    """Import the pending rulesets that may have rules for a callee, and whose target has been imported.

    If `args` are given, those are enough that may have rules for such arguments.
    """
    # Most lookups that come here are of functions that nobody wrote a rule for.
    if _general or not _entry_points_are_read or _pending_for(f, args):
        _load(lambda: [*_general, *_pending_for(f, args)])


def load_rulesets_named_for(names: Iterable[str]) -> None:
    """Import the rulesets that would have been imported by now if they did not name their callees."""
    if _entry_points_are_read and not _importing_here():
        names = list(names)
        _load(lambda: [ruleset for name in names for ruleset in _pending_for_name(name, None)])


def _pending_for(f: Any, args: Collection[Any] | None) -> tuple[_Ruleset, ...]:
    found: tuple[_Ruleset, ...] = ()
    for name in class_names(f):
        found += _pending_for_name(name, args)
    name, module = name_and_module(f)
    if name is None:
        return found
    if name in _of_foreign_callee:
        found += _pending_for_foreign(name, args)
    # Of callees that share their name, such as `numpy.exp` and `math.exp`, most say whose they are.
    package = module and package_of(module)
    if (package, name) in _of_callee:
        return found + _of_callee[package, name]
    return found if module is None or module in _uncovered else found + _pending_for_owner(module)


def _pending_for_name(name: str, args: Collection[Any] | None) -> tuple[_Ruleset, ...]:
    return _of_callee.get((None, name), ()) + _pending_for_foreign(name, args)


def _pending_for_foreign(name: str, args: Collection[Any] | None) -> tuple[_Ruleset, ...]:
    rulesets = _of_foreign_callee.get(name, ())
    if not rulesets or args is None:
        return rulesets
    are_common = all(type(primal_of(x)).__module__ in COMMON_MODULES for x in args)
    return () if are_common else rulesets


def _pending_for_owner(module: str) -> tuple[_Ruleset, ...]:
    """The rulesets for the module that defines a callee which no ruleset named.

    The names may be those of another version of a package: what is new is looked for everywhere.
    """
    uncovered = _uncovered  # a ruleset that is named meanwhile begins another set
    owner = module.removeprefix("_")
    while owner and owner not in _of_target:
        owner = owner.rpartition(".")[0]
    if not owner:
        uncovered.add(module)
    return _of_target.get(owner, ())


def _load(pending: Callable[[], Iterable[_Ruleset]]) -> None:
    _read_entry_points()
    failures = []
    while ready := [ruleset for ruleset in pending() if _is_ready(ruleset)]:
        for ruleset in ready:
            error = _import(ruleset.module)
            # Struck out only now: a thread that comes meanwhile must find it pending, and wait for it.
            if _strike_out(ruleset) and error is not None:
                failures.append((ruleset, error))
    # Reported after all have been loaded, since a warning may be turned into an exception.
    for ruleset, error in failures:
        warnings.warn(
            f"The ruleset {ruleset.module!r} for {ruleset.target!r} could not be imported, so its rules are "
            f"missing: {type(error).__name__}: {error}",
            RulesetImportWarning,
            stacklevel=3,
        )


def _is_ready(ruleset: _Ruleset) -> bool:
    module = sys.modules.get(ruleset.target)
    if module is None or ruleset.module in _importing_here():
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


def _strike_out(ruleset: _Ruleset) -> bool:
    """Remove a ruleset from those pending; returns whether no other thread had done so before."""
    global _general  # noqa: PLW0603 - replaced as a whole, see above
    with _lock:
        was_pending = ruleset[:2] in _pending
        _pending.discard(ruleset[:2])
        _general = _without(_general, ruleset)
        for places, key in _places_of(ruleset):
            places[key] = _without(places[key], ruleset)
    return was_pending


def _without(rulesets: tuple[_Ruleset, ...], struck_out: _Ruleset) -> tuple[_Ruleset, ...]:
    return tuple(ruleset for ruleset in rulesets if ruleset is not struck_out)


def _read_entry_points() -> None:
    global _entry_points_are_read  # noqa: PLW0603 - reading them costs milliseconds, so it is done once
    if _entry_points_are_read:
        return
    with _lock:
        if not _entry_points_are_read:  # pragma: no branch - another thread may have come first
            for target, ruleset in entry_points(ENTRY_POINT_GROUP):
                register_ruleset(target, ruleset)
            _entry_points_are_read = True
