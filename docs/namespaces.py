"""The functions that the rules are for, namespace by namespace, and their rules.

Each public function and class of a covered namespace has rules in both modes, or is declared to have no
derivative, or stands among the gaps of ``chainrules/rulesets/gaps.toml`` with the reason.
"""

import functools
from pathlib import Path
from typing import Any

import chainrules
from chainrules.command_line.namespaces import UFUNC_METHODS, Entry, entries_of
from chainrules_core import RuleMethod, place_of_rule

MODULES = (
    *("builtins", "operator", "math", "cmath", "statistics", "functools", "itertools", "copy", "random"),
    *("numpy", "numpy.linalg", "numpy.fft", "numpy.emath", "numpy.lib.stride_tricks", "numpy.random"),
    *("numpy.polynomial", "numpy.polynomial.polynomial", "numpy.polynomial.chebyshev"),
    *("numpy.polynomial.hermite", "numpy.polynomial.hermite_e", "numpy.polynomial.laguerre"),
    *("numpy.polynomial.legendre", "scipy.special", "scipy.linalg"),
    *("scipy.sparse", "scipy.sparse.linalg", "scipy.fft", "scipy.ndimage", "scipy.signal"),
    *("scipy.spatial", "scipy.spatial.distance", "scipy.spatial.transform", "scipy.sparse.csgraph"),
    *("scipy.cluster.vq", "scipy.cluster.hierarchy"),
)
# Classes with rules for their methods.
CLASSES = (
    *("numpy.ndarray", "numpy.random.Generator", "numpy.random.RandomState", "random.Random"),
    *("numpy.polynomial.Polynomial", "statistics.NormalDist"),
)
# The folders of rules for values that only some programs have: structured and sparse arrays; and objects that
# rules for operators are for, too.
ARRAYS = ("chainrules_core", "scipy")
OBJECTS = ("numpy/polynomial", "statistics")
NAMESPACES = (*MODULES, *CLASSES, UFUNC_METHODS)


@functools.cache
def entries(namespace: str) -> tuple[Entry, ...]:
    """An entry for each function of a namespace, with the rules for ordinary values."""
    return entries_of(namespace, _of_scipy if namespace.startswith("scipy") else _counts)


def _counts(f: Any, method: RuleMethod) -> bool:
    is_operator = getattr(f, "__module__", None) in {"builtins", "_operator"}
    return is_shipped(method, (*ARRAYS, *OBJECTS) if is_operator else ARRAYS)


def _of_scipy(f: Any, method: RuleMethod) -> bool:
    return is_shipped(method, ())


def is_shipped(method: RuleMethod, others: tuple[str, ...]) -> bool:
    """Whether a rule is one of `chainrules` for ordinary values, and not of whoever asks."""
    place = place_of_rule(method.function)
    if place is None:
        return False
    package, file = Path(chainrules.__file__).parent, Path(place[0])
    return file.is_relative_to(package) and not any(
        file.is_relative_to(package / "rulesets" / owner) for owner in others
    )
