"""The public functions of a module or class, and the rules of each."""

import itertools
import pkgutil
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from chainrules.command_line.filed_rules import rules_by_callee
from chainrules.command_line.followed import Followed, followed_of
from chainrules.command_line.gaps import gap_of
from chainrules_core import RuleMethod, frule, rrule

# Not the name of a module or class: it stands for the methods of each binary ufunc of NumPy.
UFUNC_METHODS = "numpy.ufunc"


class Entry(NamedTuple):
    """One function, and its rules.

    Attributes
    ----------
    name
        Its name in its namespace.
    frules, rrules
        The rules for calls of it; of a class, also those for calls of its instances; of a distribution such
        as `scipy.stats.norm`, those for calls of its methods.
    gap
        Why it has no rules, where the list of gaps says so.
    followed
        What becomes of calls of it where it has no rules, if that is known.
    """

    name: str
    frules: tuple[RuleMethod, ...]
    rrules: tuple[RuleMethod, ...]
    gap: str | None
    followed: Followed | None = None

    @property
    def has_both_modes(self) -> bool:
        """Whether there are rules forward and in reverse."""
        return bool(self.frules and self.rrules)


def entries_of(namespace: str, counts: Callable[[Any, RuleMethod], bool]) -> tuple[Entry, ...]:
    """An entry for each function of a namespace, in the order of their names.

    Parameters
    ----------
    namespace
        The dotted name of a module or class; `UFUNC_METHODS` for the methods of NumPy's ufuncs.
    counts
        Whether a rule is to be counted: called with the function and the rule.
    """
    return _entries({"": namespace}, counts)


def entries_of_package(package: str, counts: Callable[[Any, RuleMethod], bool]) -> tuple[Entry, ...]:
    """An entry for each function of a package and its public modules, by names such as ``fft.dct``.

    What several modules offer is listed once.

    Parameters
    ----------
    package, counts
        As for `entries_of`.
    """
    names = modules_of(package)
    return _entries({name[len(package) + 1 :] + "." * (name != package): name for name in names}, counts)


def modules_of(package: str) -> list[str]:
    """A package and the public modules in it, without those that only warn that they have moved."""
    found = [package]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a module that is old, such as `scipy.odr`
        owner = pkgutil.resolve_name(package)
        inner = [(name, getattr(owner, name, None)) for name in getattr(owner, "__all__", ())]
    for name, module in inner:
        is_inner = isinstance(module, types.ModuleType) and module.__name__ == f"{package}.{name}"
        if is_inner and not hasattr(module, "_sub_module_deprecation"):
            found += modules_of(f"{package}.{name}")
    return list(dict.fromkeys(found))


def _entries(namespaces: dict[str, str], counts: Callable[[Any, RuleMethod], bool]) -> tuple[Entry, ...]:
    """The entries of namespaces, whose names begin with the keys."""
    # First the functions: that imports the modules, whose rules load then.
    functions = {start: sorted(functions_of(namespace).items()) for start, namespace in namespaces.items()}
    filed = {rules: rules_by_callee(rules) for rules in (frule, rrule)}
    first: dict[int, str] = {}  # where each function is offered first

    def rules_of(rules: Any, f: Any) -> tuple[RuleMethod, ...]:
        # A bound method has the rules of its function, for there are rules for bound methods of any kind.
        found = _rules_of(rules, filed[rules], getattr(f, "__func__", f))
        return tuple(method for method in found if counts(f, method))

    def entry(start: str, name: str, f: Any) -> Entry:
        found, namespace = (rules_of(frule, f), rules_of(rrule, f)), namespaces[start]
        followed = None if any(found) else followed_of(namespace, name, f)
        return Entry(start + name, *found, gap_of(namespace, name), followed)

    return tuple(
        entry(start, name, f)
        for start in functions
        for name, f in functions[start]
        if first.setdefault(id(f), start) == start
    )


def _rules_of(rules: Any, by_callee: Any, f: Any) -> list[RuleMethod]:
    """The rules that name a function; for a class, also the rules for classes above it and for instances."""
    own = by_callee.get(f, []) if f.__hash__ is not None else []
    inherited = rules.methods(f) if isinstance(f, type) else []
    methods = (method for called in _methods_of_distribution(f) for method in by_callee.get(called, ()))
    return list(dict.fromkeys([*own, *inherited, *methods]))


def _methods_of_distribution(f: Any) -> Iterator[Any]:
    """The methods of an object such as `scipy.stats.norm`, which stands for them: it is no function."""
    if hasattr(f, "rvs") and not isinstance(f, type):
        yield from (getattr(type(f), name) for name in dir(type(f)) if not name.startswith("_"))


def functions_of(namespace: str) -> dict[str, Any]:
    """The public functions and classes of a namespace by name, without exceptions.

    Raises
    ------
    ImportError, AttributeError
        If there is no module or class of that name.
    """
    if namespace == UFUNC_METHODS:
        return dict(_ufunc_methods())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a module that is old, such as `scipy.odr`
        owner = pkgutil.resolve_name(namespace)
        names = getattr(owner, "__all__", None)
        if names is None:
            names = [name for name in dir(owner) if not _is_imported(getattr(owner, name), owner)]
        values = {name: getattr(owner, name) for name in names if not name.startswith("_")}
    return {name: value for name, value in values.items() if callable(value) and not _is_exception(value)}


def _is_imported(value: Any, owner: Any) -> bool:
    """Whether a module written in Python that does not list its public names has a value from elsewhere."""
    if not str(getattr(owner, "__file__", "")).endswith(".py"):
        return False
    module = getattr(value, "__module__", None)
    return isinstance(module, str) and f"{module}.".partition(".")[0] != owner.__name__.partition(".")[0]


def _is_exception(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, BaseException)


def _ufunc_methods() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The methods of NumPy's ufuncs of two numbers, by the names that they have in the list of gaps."""
    methods = ("reduce", "accumulate", "outer", "reduceat", "at")
    for ufunc, method in itertools.product(ufuncs_of_two(), methods):
        yield f"{ufunc.__name__}.{method}", getattr(ufunc, method)


def ufuncs_of_two() -> list[np.ufunc]:
    """NumPy's ufuncs of two numbers, each once."""
    found = {value for value in vars(np).values() if isinstance(value, np.ufunc)}
    pairs = (u for u in found if (u.nin, u.nout, u.signature) == (2, 1, None))
    return sorted(pairs, key=lambda u: u.__name__)
