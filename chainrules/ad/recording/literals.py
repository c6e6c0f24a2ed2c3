"""Text that Python reads as a constant or as a function: what a saved program calls and computes with."""

import builtins
import sys
import types
from typing import Any

import numpy as np

from chainrules.ad.recording.again import Again
from chainrules_core import unwrap_primitive


class NotWritableError(ValueError):
    """A constant or a function has no text that Python would read as the same."""


def literal(x: Any) -> str:  # noqa: C901, PLR0911 - one for each kind of constant
    """The text of a constant, which means the same in every process that has NumPy as ``np``.

    Raises
    ------
    NotWritableError
        If there is none.
    """
    cls = type(x)
    if cls in (bool, int, str, bytes, type(None), type(Ellipsis)):
        return repr(x)
    if isinstance(x, float | complex | np.number | np.bool_):
        return _number(x)
    if isinstance(x, type):
        return class_name(x)
    if isinstance(x, np.dtype) and x.isbuiltin == 1:
        return f"np.dtype({x.str!r})"
    if cls is tuple:
        return f"({', '.join(map(literal, x))}{',' if len(x) == 1 else ''})"
    if cls is list:
        return f"[{', '.join(map(literal, x))}]"
    if cls is dict:
        return "{" + ", ".join(f"{literal(key)}: {literal(part)}" for key, part in x.items()) + "}"
    if cls is slice:
        return f"slice({literal(x.start)}, {literal(x.stop)}, {literal(x.step)})"
    if cls is np.ndarray:
        return f"np.array({literal(x.tolist())}, dtype={x.dtype.str!r})"
    owner: Any = getattr(x, "__objclass__", None)  # of a method
    name = getattr(x, "__name__", "")
    if isinstance(owner, type) and getattr(owner, name, None) is x:
        return f"{class_name(owner)}.{name}"
    raise NotWritableError(f"an instance of {cls.__qualname__}")


def _number(x: Any) -> str:
    cls = type(x)
    name = f"np.{cls.__name__}"
    if isinstance(x, np.clongdouble):
        raise NotWritableError(f"an instance of {cls.__qualname__}")
    if isinstance(x, complex):  # `-0-1j` is another number than its text says
        written = f"complex({_number(float(x.real))}, {_number(float(x.imag))})"
    elif isinstance(x, np.complex64):
        written = _number(complex(x))
    elif isinstance(x, np.longdouble):
        written = repr(np.format_float_scientific(x))
    elif isinstance(x, float | np.floating):
        written = repr(float(x)) if np.isfinite(x) else f"float({str(float(x))!r})"
    else:
        written = repr(x.item())
    return written if cls in (float, complex) else f"{name}({written})"


def class_name(cls: type) -> str:
    """The name of a class of Python's or NumPy's, as programs write it."""
    name = cls.__name__
    if cls.__module__ == "builtins" and hasattr(builtins, name):
        return name
    for module, path in ((np, "np"), (np.linalg, "np.linalg")):
        if getattr(module, name, None) is cls:
            return f"{path}.{name}"
    raise NotWritableError(f"the class {cls.__qualname__}")


def public_module(f: Any) -> str:
    """The module that has `f` under its own name: the one that is the highest up.

    Raises
    ------
    NotWritableError
        If no public module of a library has it.
    """
    if isinstance(f, Again):
        raise NotWritableError(f"a search, `{f.search}`, which calls functions that it has no text of")
    name, home = str(getattr(f, "__name__", type(f).__name__)), getattr(f, "__module__", None)
    parts = str(home).removeprefix("_").split(".")  # `operator` has what `_operator` defines
    above = [".".join(parts[: n + 1]) for n in range(len(parts))] if home else _WITH_UFUNCS
    for path in above:
        module = sys.modules.get(path)
        is_private = any(part.startswith("_") for part in path.split("."))
        if isinstance(module, types.ModuleType) and not is_private:
            found = vars(module).get(name)
            if found is f or unwrap_primitive(found) is f:  # a tape holds the function of a primitive
                return path
    raise NotWritableError(f"`{name}`")


_WITH_UFUNCS = ["numpy", "scipy.special"]  # which do not know their module
