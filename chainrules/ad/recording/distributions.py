"""Distributions of `scipy.stats`, whose methods return a result and do nothing else: they are recorded whole.

They are known by the names of their classes, since SciPy is not imported here.
"""

import types
from collections.abc import Callable
from typing import Any

_CLASSES = frozenset({"rv_generic", "rv_frozen", "multi_rv_generic"})
_METHODS = """
    pdf logpdf pmf logpmf cdf logcdf sf logsf ppf isf entropy mean var std median moment support interval
    freeze __call__ __init__
"""


def is_distribution(x: Any) -> bool:
    """Whether a value is a distribution of SciPy's own."""
    return makes_distributions(type(x))


def makes_distributions(cls: type) -> bool:
    """Whether a class is that of such distributions."""
    return cls.__module__.startswith("scipy.stats.") and not _CLASSES.isdisjoint(
        base.__name__ for base in cls.__mro__
    )


def computes(f: Callable[..., Any]) -> bool:
    """Whether a function is a method of such distributions that computes something, and draws nothing."""
    if not isinstance(f, types.FunctionType) or f.__name__ not in _METHODS.split():
        return False
    return str(f.__globals__.get("__name__")).startswith(_MODULES)


def is_made_by_scipy(frame: types.FrameType) -> bool:  # pragma: no cover - a profiler calls
    """Whether a frame is that of a method which SciPy makes of text for such a distribution."""
    is_named = frame.f_code.co_name.startswith("_parse_args") and "__name__" not in frame.f_globals
    return is_named and is_distribution(frame.f_locals.get("self"))


_MODULES = (
    "scipy.stats._distn_infrastructure",
    "scipy.stats._multivariate",
    "scipy.stats._continuous_distns",
)
