"""The rulesets that are named and not loaded: for which callees each may have rules.

A ruleset is a module whose import registers rules. It is named together with the module that it is for, its
target, and perhaps together with the callees of its rules, so that it can be left alone until one of them is
looked up.
"""

import sys
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, NamedTuple

from chainrules_core.backends import value_for_dispatch
from chainrules_core.dispatch.callee_names import class_names, name_and_module, package_of


class Ruleset(NamedTuple):
    """A module of rules, as it was named: see `register_ruleset`."""

    target: str
    module: str
    callees: tuple[str, ...] | None = None  # `None`: its rules may be for anything
    foreign_callees: tuple[str, ...] = ()


# What is pending: the targets of each module. No lock is held while a ruleset is imported: the import
# system sees to it that a module is executed once, that threads wait for it, and that they do not wait for
# each other.
_pending: dict[str, set[str]] = {}
# The pending rulesets, in the order in which they were named. Tuples are replaced, under the lock, and never
# changed, so that lookups read them without. First those that may have rules for anything; then those that
# name their callees: by target, by the name of a callee and its package (`None` for callees that do not say
# theirs), and by that of a foreign callee. A ruleset that was loaded leaves an empty tuple behind: its
# callees are not among those that no ruleset named.
_general: tuple[Ruleset, ...] = ()
_of_target: dict[str, tuple[Ruleset, ...]] = {}
_of_callee: dict[tuple[str | None, str], tuple[Ruleset, ...]] = {}
_of_foreign_callee: dict[str, tuple[Ruleset, ...]] = {}
# The modules of callees that no ruleset is for, as far as they were met.
_uncovered: set[str] = set()
_lock = threading.RLock()
_on_new_ruleset: list[Callable[[], None]] = []

# The modules of the classes that no rule for a foreign callee asks for.
COMMON_MODULES = {"builtins", "numpy"}


def register_ruleset(
    target: str, ruleset: str, callees: Iterable[str] | None = None, foreign_callees: Iterable[str] = ()
) -> None:
    """Name the module `ruleset` as holding the rules for the module `target`.

    Parameters
    ----------
    target
        The module whose functions the rules are for, such as ``"scipy.linalg"``. It is not imported.
    ruleset
        The module whose import registers the rules. It is imported when a rule is first looked up after
        `target` was imported; if that fails, a `RulesetImportWarning` says so, once. ``"module:function"`` is
        a function of it that registers them when it is called with `target`, for rules that are alike for
        several modules.
    callees
        The names of all callees that the rules are for, such as ``"norm"``, ``"ndarray.sum"``;
        ``"type[Foo]"`` and ``"Foo()"`` for rules whose callee is annotated ``type[Foo]`` and ``Foo``;
        ``"io:open"`` if the callee says, by ``__module__``, that it is of another package than the target.
        If they are given, `ruleset` holds nothing but rules, and is imported when one of these callees is
        first looked up.
    foreign_callees
        Likewise the names of callees of other packages. All its rules for these ask for an argument of a
        class that is neither Python's nor NumPy's.

    Raises
    ------
    TypeError
        If one of the first two is not a string, or the names of callees are one.
    """
    global _general, _uncovered  # noqa: PLW0603 - replaced as a whole, see above
    if not (isinstance(target, str) and isinstance(ruleset, str)):
        raise TypeError(
            f"register_ruleset({target!r}, {ruleset!r}): both are the dotted names of modules, as strings, "
            "so that nothing is imported before it is needed."
        )
    if isinstance(callees, str) or isinstance(foreign_callees, str):
        raise TypeError(
            f"register_ruleset({target!r}, {ruleset!r}, ...): callees are a list of names, not one."
        )
    named = Ruleset(target, ruleset, None if callees is None else tuple(callees), tuple(foreign_callees))
    with _lock:
        if ruleset in sys.modules or target in _pending.get(ruleset, ()):
            return
        _pending.setdefault(ruleset, set()).add(target)
        if callees is None:
            _general = (*_general, named)
        for places, key in _places_of(named):
            places[key] = (*places.get(key, ()), named)
        _uncovered = set()
    for forget in _on_new_ruleset:
        forget()


def _places_of(ruleset: Ruleset) -> Iterator[tuple[dict[Any, tuple[Ruleset, ...]], Any]]:
    """Where a ruleset that names its callees is kept until it is loaded."""
    if ruleset.callees is None:
        return
    yield _of_target, ruleset.target
    package_of_target = package_of(ruleset.target)
    for callee in ruleset.callees:
        package, _, name = callee.rpartition(":")
        yield _of_callee, (package or package_of_target, name)
        yield _of_callee, (None, name)
    for name in ruleset.foreign_callees:
        yield _of_foreign_callee, name


def is_pending(module: str | None) -> bool:
    """Whether a module is a ruleset that is pending."""
    return bool(_pending.get(module or ""))


def on_new_ruleset(forget: Callable[[], None]) -> None:
    """Call `forget` whenever a ruleset is named: answers remembered so far may not be the best any more."""
    _on_new_ruleset.append(forget)


def all_pending() -> list[Ruleset]:
    """Every ruleset that is pending."""
    return [*_general, *(ruleset for rulesets in _of_target.values() for ruleset in rulesets)]


def pending_for_anything() -> tuple[Ruleset, ...]:
    """The pending rulesets that do not name their callees."""
    return _general


def pending_for(f: Any, args: Collection[Any] | None = None) -> tuple[Ruleset, ...]:
    """The pending rulesets that name a callee; if `args` are given, those that are for such arguments."""
    found: tuple[Ruleset, ...] = ()
    for name_of_class in class_names(f):
        found += pending_for_name(name_of_class, args)
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


def pending_for_name(name: str, args: Collection[Any] | None = None) -> tuple[Ruleset, ...]:
    """The pending rulesets for callees of a name, of whatever package."""
    return _of_callee.get((None, name), ()) + _pending_for_foreign(name, args)


def _pending_for_foreign(name: str, args: Collection[Any] | None) -> tuple[Ruleset, ...]:
    rulesets = _of_foreign_callee.get(name, ())
    if not rulesets or args is None:
        return rulesets
    are_common = all(type(value_for_dispatch(x)).__module__ in COMMON_MODULES for x in args)
    return () if are_common else rulesets


def _pending_for_owner(module: str) -> tuple[Ruleset, ...]:
    """The rulesets for the module that defines a callee which no ruleset named.

    The names may come from another version of a package: a new callee is looked for everywhere.
    """
    uncovered = _uncovered  # a ruleset that is named meanwhile begins another set
    owner = module.removeprefix("_")
    while owner and owner not in _of_target:
        owner = owner.rpartition(".")[0]
    if not owner:
        uncovered.add(module)
    return _of_target.get(owner, ())


def strike_out(ruleset: Ruleset) -> bool:
    """Remove a ruleset from those pending; returns whether no other thread had done so before."""
    global _general  # noqa: PLW0603 - replaced as a whole, see above
    with _lock:
        targets = _pending.get(ruleset.module, set())
        was_pending = ruleset.target in targets
        targets.discard(ruleset.target)
        _general = _without(_general, ruleset)
        for places, key in _places_of(ruleset):
            places[key] = _without(places[key], ruleset)
    return was_pending


def _without(rulesets: tuple[Ruleset, ...], struck_out: Ruleset) -> tuple[Ruleset, ...]:
    return tuple(ruleset for ruleset in rulesets if ruleset is not struck_out)
