"""Names that a package does not have: the error says which name to write, or which package has it."""

import ast
import difflib
import importlib.util
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

_PACKAGES = (
    "chainrules_core",
    "chainrules_core.structured",
    "chainrules.ad",
    "chainrules.adapters",
    "chainrules_testutils",
)

_NOTHING: Mapping[str, str] = MappingProxyType({})


def missing_name(package: str, name: str, instead: Mapping[str, str] = _NOTHING) -> Exception:
    """The error that a package's `__getattr__` raises for a name that it does not have.

    For the statement ``from package import name`` it is an `ImportError`, since Python would drop the message
    of an `AttributeError`; for anything else, such as `hasattr`, it is an `AttributeError`.

    Parameters
    ----------
    package, name
        The package, and the name that was asked for.
    instead
        The replacements of names that other libraries have, and that people look for here.
    """
    asking = sys._getframe(2).f_globals.get("__name__")  # noqa: SLF001 - whoever asks the package
    is_import = asking == "importlib._bootstrap"
    if name.startswith("_") or (is_import and importlib.util.find_spec(f"{package}.{name}") is not None):
        return AttributeError(f"module {package!r} has no attribute {name!r}")  # a module is imported then
    if name in instead:
        text = f"`{package}` has no `{name}`: write {instead[name]}."
    elif other := next((other for other in _PACKAGES if name in _public_names(other)), None):
        text = f"`{name}` is in `{other}`: write `from {other} import {name}`."
    elif is_import:
        text = f"`{package}` has no `{name}`.{_did_you_mean(name, _public_names(package))}"
    else:
        return AttributeError(f"module {package!r} has no attribute {name!r}")
    return ImportError(text, name=package) if is_import else AttributeError(text)


class Elsewhere:
    """An attribute that people look for in `rrule` and `frule`: asking for it says what to write instead.

    Parameters
    ----------
    instead
        What to write, with ``{}`` for `rrule` or `frule`.
    """

    def __init__(self, instead: str) -> None:
        self._instead = instead

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, rules: Any, owner: type | None = None) -> NoReturn:
        name = "rrule" if rules is None else rules.mode.name
        raise AttributeError(f"`{name}.{self._name}`: write {self._instead.format(name)}.")


def _public_names(package: str) -> list[str]:
    """What a package says it holds, in its `__all__`; nothing if it is not installed. It is not imported."""
    try:
        spec = importlib.util.find_spec(package)
    except ModuleNotFoundError:
        return []
    if spec is None or spec.origin is None:
        return []
    for statement in ast.parse(Path(spec.origin).read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__all__":
            return list(ast.literal_eval(statement.value))
    return []


def _did_you_mean(name: str, names: list[str]) -> str:
    plain = {known.lower().replace("_", ""): known for known in names}
    near = difflib.get_close_matches(name.lower().replace("_", ""), plain, n=1, cutoff=0.8)
    return f" Did you mean `{plain[near[0]]}`?" if near else ""
