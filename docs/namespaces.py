"""The functions that the rules are for, namespace by namespace, and what is said of each.

Each public function and class of a covered namespace has rules in both modes, or is declared to have no
derivative, or stands among the gaps of ``docs/reference/gaps.toml`` with the reason.
"""

import fnmatch
import functools
import inspect
import itertools
import pkgutil
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.lib.stride_tricks
import numpy.polynomial

import chainrules
from chainrules_core import frule, place_of_rule, rrule
from chainrules_core.dispatch.callees import InstanceOf
from chainrules_core.dispatch.rule_method import RuleMethod

GAPS = Path(__file__).parent / "reference" / "gaps.toml"

MODULES = (
    *("builtins", "operator", "math", "cmath", "statistics", "functools", "itertools", "copy", "random"),
    *("numpy", "numpy.linalg", "numpy.fft", "numpy.emath", "numpy.lib.stride_tricks", "numpy.random"),
    *("numpy.polynomial", "numpy.polynomial.polynomial", "numpy.polynomial.chebyshev"),
    *("numpy.polynomial.hermite", "numpy.polynomial.hermite_e", "numpy.polynomial.laguerre"),
    "numpy.polynomial.legendre",
)
# Classes with rules for their methods.
CLASSES = (
    *("numpy.ndarray", "numpy.random.Generator", "numpy.random.RandomState", "random.Random"),
    *("numpy.polynomial.Polynomial", "statistics.NormalDist"),
)
# The folders of rules for values that only some programs have: structured and sparse arrays; and objects that
# rules for operators are about too.
ARRAYS = ("chainrules_core", "scipy")
OBJECTS = ("numpy/polynomial", "statistics")
# Not a module's, but of each of its binary ufuncs.
UFUNC_METHODS = "numpy.ufunc"
NAMESPACES = (*MODULES, *CLASSES, UFUNC_METHODS)


@dataclass(frozen=True)
class Entry:
    """What is said of one function.

    Attributes
    ----------
    name
        Its name in its namespace.
    frules, rrules
        The rules for calls of it; of a class, also those for calls of its instances.
    gap
        Why it has no rules, where the list of gaps says so.
    """

    name: str
    frules: tuple[RuleMethod, ...]
    rrules: tuple[RuleMethod, ...]
    gap: str | None

    @property
    def has_both_modes(self) -> bool:
        """Whether there are rules forward and in reverse."""
        return bool(self.frules and self.rrules)


@functools.cache
def entries(namespace: str) -> tuple[Entry, ...]:
    """What is said of each function of a namespace, in the order of their names."""
    gaps = read_gaps().get(namespace, {})
    return tuple(
        Entry(name, methods_for(frule, f), methods_for(rrule, f), gap_of(name, gaps))
        for name, f in sorted(functions_of(namespace).items())
    )


@functools.cache
def read_gaps() -> Mapping[str, Mapping[str, list[str]]]:
    """Of each namespace, the names or patterns of names below the reason that they share."""
    return tomllib.loads(GAPS.read_text(encoding="utf-8"))


def patterns(namespace: str) -> list[str]:
    """The names and patterns of names that stand among the gaps of a namespace."""
    return [pattern for patterns in read_gaps().get(namespace, {}).values() for pattern in patterns]


def gap_of(name: str, gaps: Mapping[str, list[str]]) -> str | None:
    """The reason below which a name stands among the gaps of a namespace."""
    for reason, patterns in gaps.items():
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns):
            return reason
    return None


def functions_of(namespace: str) -> dict[str, Any]:
    """The public functions and classes of a namespace by name, without exceptions."""
    if namespace == UFUNC_METHODS:
        return dict(ufunc_methods())
    owner = pkgutil.resolve_name(namespace)
    names = getattr(owner, "__all__", dir(owner))
    values = {name: getattr(owner, name) for name in names if not name.startswith("_")}
    return {name: value for name, value in values.items() if callable(value) and not is_exception(value)}


def is_exception(value: Any) -> bool:
    """Whether a value is a class of errors or warnings."""
    return isinstance(value, type) and issubclass(value, BaseException)


def ufunc_methods() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The methods of NumPy's ufuncs that NumPy answers: of those that make one number of two."""
    methods = ("reduce", "accumulate", "outer", "reduceat", "at")
    for ufunc, method in itertools.product(ufuncs_of_two(), methods):
        yield f"{ufunc.__name__}.{method}", getattr(ufunc, method)


def ufuncs_of_two() -> list[np.ufunc]:
    """NumPy's ufuncs of two numbers, each once."""
    found = {value for value in vars(np).values() if isinstance(value, np.ufunc)}
    pairs = (u for u in found if (u.nin, u.nout, u.signature) == (2, 1, None))
    return sorted(pairs, key=lambda u: u.__name__)


def methods_for(rules: Any, f: Any) -> tuple[RuleMethod, ...]:
    """The rules for calls of a function; of a class, also those for calls of its instances.

    A bound method is taken for the method that it binds, for there are rules for bound methods of any kind.
    """
    found = list(rules.methods(f.__func__ if inspect.ismethod(f) else f))
    if isinstance(f, type):
        found += [method for method in rules_of_instances(rules) if is_for_instances(method, f)]
    is_operator = getattr(f, "__module__", None) in {"builtins", "_operator"}
    others = (*ARRAYS, *OBJECTS) if is_operator else ARRAYS
    return tuple(method for method in found if is_shipped(method, others))


def is_shipped(method: RuleMethod, others: tuple[str, ...]) -> bool:
    """Whether a rule is one of `chainrules` for ordinary values, and not of whoever asks."""
    place = place_of_rule(method.function)
    if place is None:
        return False
    package, file = Path(chainrules.__file__).parent, Path(place[0])
    return file.is_relative_to(package) and not any(
        file.is_relative_to(package / "rulesets" / owner) for owner in others
    )


@functools.cache
def rules_of_instances(rules: Any) -> list[RuleMethod]:
    """The rules for instances of classes, which are called."""
    return [method for method in rules.methods() if any(issubclass(m, InstanceOf) for m in method.members)]


def is_for_instances(method: RuleMethod, cls: type) -> bool:
    """Whether a rule is for the instances of a class, and of no class above it."""
    return any(issubclass(m, InstanceOf) and m.type_parameter is cls for m in method.members)


def answer_of(methods: tuple[RuleMethod, ...]) -> str:
    """What rules say: a derivative, zero because there is none, an error, or nothing."""
    if not methods:
        return "none"
    answers = {_answer_of_one(method) for method in methods}
    return next(answer for answer in ("rule", "refused", "zero") if answer in answers)


def _answer_of_one(method: RuleMethod) -> str:
    if method.name.startswith("refusing"):
        return "refused"
    return "zero" if method.name.startswith("_non_differentiable") else "rule"
