"""Modules that offer another module's functions, each marked by `primitive` when it is first asked for."""

import types
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from chainrules_core import primitive


def functions_of(
    target: str, offered: dict[str, Any]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The functions ``__getattr__`` and ``__dir__`` of a module that offers the functions of another.

    Classes and constants are offered as they are; a module inside the other, where there is one for it here.

    Parameters
    ----------
    target
        The other module, which is imported when it is needed.
    offered
        The variables of the module, where functions are kept once they have been asked for.
    """
    own_name = offered["__name__"]

    def module_getattr(name: str) -> Any:
        value: Any = None if name.startswith("_") else getattr(import_module(target), name, None)
        if isinstance(value, types.ModuleType):
            value = _module(f"{own_name}.{name}")
        if value is None:
            raise AttributeError(f"module {own_name!r} has no attribute {name!r}")
        is_function = callable(value) and not isinstance(value, type)
        offered[name] = primitive(value) if is_function else value
        return offered[name]

    def module_dir() -> list[str]:
        return [name for name in dir(import_module(target)) if not name.startswith("_")]

    return module_getattr, module_dir


def modules_of(offered: dict[str, Any]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The functions ``__getattr__`` and ``__dir__`` of a package whose modules are imported when asked for.

    Parameters
    ----------
    offered
        The variables of the package, whose ``__all__`` are the names of the modules.
    """
    own_name, names = offered["__name__"], offered["__all__"]

    def package_getattr(name: str) -> types.ModuleType:
        if name not in names:
            raise AttributeError(f"module {own_name!r} has no attribute {name!r}")
        return import_module(f"{own_name}.{name}")

    def package_dir() -> list[str]:
        return sorted({*names, *offered})

    return package_getattr, package_dir


def _module(name: str) -> types.ModuleType | None:
    return import_module(name) if find_spec(name) is not None else None
