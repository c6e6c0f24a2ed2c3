"""The dotted names that users write, by which a framework's counterpart of a function is found."""

import importlib
from collections.abc import Mapping
from typing import Any

from chainrules_core import describe_callee, unwrap_primitive

# What is written in terms of the operators of its arguments: the counterpart is the function itself.
OF_ANY_ARRAY = frozenset(
    {
        *(f"builtins.{name}" for name in ("abs", "divmod", "pow", "sum", "max", "min", "sorted")),
        *(
            f"operator.{name}"
            for name in (
                *("abs", "add", "floordiv", "getitem", "matmul", "mod", "mul", "neg", "pos", "pow", "sub"),
                *("truediv",),
            )
        ),
    }
)


def public_name(f: Any) -> str:
    """The dotted name of a function as users write it: ``scipy.linalg.solve``, ``numpy.ndarray.sum``."""
    name = describe_callee(unwrap_primitive(f))
    parts = [part for part in name.split(".")[:-1] if not part.startswith("_")]
    if not parts:
        return f"builtins.{name}"
    if parts[0] == "ndarray":
        parts.insert(0, "numpy")
    return ".".join([*parts, name.rpartition(".")[2]])


def found_in(homes: Mapping[str, tuple[str, ...]], name: str) -> Any:
    """The function of a framework that has the name of one of NumPy's, SciPy's or Python's, or `None`.

    Parameters
    ----------
    homes
        Where the framework has the functions of a module, in the order in which it is asked.
    name
        The dotted name.
    """
    module = name.rpartition(".")[0]
    home = module if module in homes else name.partition(".")[0]
    below = name.removeprefix(f"{home}.")
    return next(filter(None, (resolved(f"{base}.{below}") for base in homes.get(home, ()))), None)


def resolved(name: str) -> Any:
    """What a dotted name stands for, its module imported if need be; `None` if there is no such thing."""
    module, *rest = name.split(".")
    try:
        found: Any = importlib.import_module(module)
    except ModuleNotFoundError:
        return None
    for depth, attribute in enumerate(rest, 1):
        if not hasattr(found, attribute):
            try:
                importlib.import_module(".".join([module, *rest[:depth]]))
            except ModuleNotFoundError:
                return None
        found = getattr(found, attribute, None)
        if found is None:
            return None
    return found
