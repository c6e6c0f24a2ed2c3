"""The rulesets that are installed: which module each covers, and whether it can be loaded."""

import contextlib
import importlib
import importlib.util
import sys
import warnings
from collections.abc import Iterator
from importlib.metadata import entry_points
from typing import Any, NamedTuple

from chainrules_core import RulesetImportWarning, rrule

_GROUP = "chainrules.rulesets"
_OURS = "chainrules.rulesets"

# Packages that take seconds to import. They are imported only if the question names them.
FRAMEWORKS = ("torch", "jax", "autograd", "pytensor", "mygrad", "dask")


class InstalledRuleset(NamedTuple):
    """A module with rules, and the module that it covers: an entry point, or a part of `chainrules.rulesets`.

    Attributes
    ----------
    target
        The module whose functions it has rules for.
    module
        The module that holds them, or the folder of the files that do; with the function that registers them
        after a colon, if it is one.
    """

    target: str
    module: str

    def state(self) -> tuple[str, str]:
        """``loaded``, ``pending`` or ``broken``, and why it is not loaded."""
        if self.is_of_framework():
            return "pending", f"loads when a program has imported {self.target}"
        if not is_installed(self.target):
            return "pending", f"{self.target} is not installed"
        try:
            importlib.import_module(self.target)
            importlib.import_module(self.module.partition(":")[0])
            for file in self._files():
                importlib.import_module(file)
        except Exception as error:  # noqa: BLE001 - whatever it raises is what was asked for
            return "broken", f"{type(error).__name__}: {error}"
        return "loaded", ""

    def is_of_framework(self) -> bool:
        """Whether its module takes seconds to import, and has not been."""
        return self.target.partition(".")[0] in FRAMEWORKS and self.target not in sys.modules

    def _files(self) -> list[str]:
        files = _table_of_files().get(self.target, ()) if self.module == f"{_OURS}.{self.target}" else ()
        return [f"{_OURS}.{file}" for file in files]


def installed_rulesets() -> Iterator[InstalledRuleset]:
    """All of them, in the order of the modules that they cover."""
    named = {(entry.name, entry.value) for entry in entry_points(group=_GROUP)}
    if ("builtins", _OURS) in named:  # it names these
        named = named - {("builtins", _OURS)} | {
            (target, f"{_OURS}.{target}") for target in _table_of_files()
        }
    return (InstalledRuleset(*names) for names in sorted(named))


def _table_of_files() -> dict[str, dict[str, str]]:
    """The table of our files of rules; imported by name, since commands must not import the rulesets."""
    contents: Any = importlib.import_module(f"{_OURS}.contents")
    return contents.CONTENTS  # type: ignore[no-any-return]  # of a module that is found by its name


def load_all_rulesets() -> None:
    """Import the modules that the installed rulesets cover, except frameworks, and with them the rulesets."""
    for ruleset in installed_rulesets():
        if not ruleset.is_of_framework() and is_installed(ruleset.target):
            with contextlib.suppress(Exception):  # `doctor` says what it raises
                importlib.import_module(ruleset.target)
    with warnings.catch_warnings():
        # `doctor` says which are broken, and every program that looks a rule up.
        warnings.simplefilter("ignore", RulesetImportWarning)
        rrule.callees()


def is_installed(module: str) -> bool:
    """Whether a module can be found, which is not imported; packages above it are."""
    try:
        return module in sys.modules or importlib.util.find_spec(module) is not None
    except Exception:  # noqa: BLE001 - a package above it fails to be imported, or is none
        return False
