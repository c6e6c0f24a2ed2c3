"""Dotted names of functions and classes: from a name to its object, and from an object to its name."""

import itertools
import pkgutil
import sys
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from chainrules.command_line.lookup_errors import nothing_found

# Where a name without a module is looked for, in this order.
_BARE_NAMES = ("builtins", "numpy", "numpy.random", "scipy.sparse", "chainrules_core.structured")


def object_named(name: str, known: tuple[str, ...] = ()) -> Any:
    """The object that a dotted name stands for; modules on the way are imported.

    A name such as ``sum``, ``ndarray.sum`` or ``Diagonal`` is looked for in `builtins`, NumPy,
    `numpy.random`, `scipy.sparse` and `chainrules_core.structured`, and as `as_imported` spells it.

    Raises
    ------
    NothingFoundError
        If nothing has that name. Names that are like it are suggested: `known` ones, and names in the module
        in which it would be.
    """
    name = as_imported(name)
    for candidate in (name, *(f"{owner}.{name}" for owner in _BARE_NAMES)):
        try:
            return pkgutil.resolve_name(candidate)
        except (ImportError, AttributeError, ValueError):
            continue
    raise nothing_found(f"nothing is named {name!r}.", name, [*known, *names_beside(name)])


def as_imported(name: str) -> str:
    """A name as it is imported: ``numpy.sin``, where somebody types ``np.sin`` or ``np.sin()``."""
    name = name.removesuffix("()")
    return f"numpy{name.removeprefix('np')}" if name == "np" or name.startswith("np.") else name


def names_beside(name: str) -> Iterator[str]:
    """The public names of the module or class that is to hold `name`; of several, for a name by itself."""
    owner = name.rpartition(".")[0]
    for place in [owner] if owner else _BARE_NAMES:
        try:
            names = dir(pkgutil.resolve_name(place))
        except (ImportError, AttributeError, ValueError):
            continue
        yield from (f"{place}.{other}" if owner else other for other in names if not other.startswith("_"))


def dotted_name(f: Any) -> str:
    """The name by which a callee is imported: ``numpy.random.Generator.gamma``, ``operator.matmul``."""
    owner = getattr(f, "__self__", None)
    if isinstance(owner, np.ufunc):
        return f"{dotted_name(owner)}.{f.__name__}"
    names = list(_names_it_may_have(f))
    return next((name for name in names if _is_named(f, name)), names[-1] if names else repr(f))


def _names_it_may_have(f: Any) -> Iterator[str]:
    """The names that follow from a callee's own attributes; the best first, the callee's own name last."""
    name = getattr(f, "__qualname__", None) or getattr(f, "__name__", None)
    if not isinstance(name, str):
        return
    if isinstance(f, np.ufunc):  # it does not say where it lives
        yield f"numpy.{name}"
        yield f"scipy.special.{name}"
    stated = getattr(f, "__module__", None) or getattr(getattr(f, "__objclass__", None), "__module__", None)
    if isinstance(stated, str):
        module = _public_module(stated)
        if isinstance(f, types.MethodType):  # offered as a function, as `random.gauss` is
            yield f"{module}.{f.__name__}"
        if "." in module:
            yield f"{module.rpartition('.')[0]}.{name}"
        yield f"{module}.{name}"
        yield f"{stated}.{name}"


def _public_module(module: str) -> str:
    """The module above those whose names begin with an underscore; `operator` for `_operator`."""
    first, *others = module.split(".")
    public = itertools.takewhile(lambda part: not part.startswith("_"), others)
    return ".".join([first.removeprefix("_"), *public])


def _is_named(f: Any, name: str) -> bool:
    """Whether that name leads to the callee, by modules that are imported."""
    first, *parts = name.split(".")
    found: Any = sys.modules.get(first)
    for part in parts:
        found = getattr(found, part, None)
    return found is f or (type(found) is type(f) and bool(found == f))
