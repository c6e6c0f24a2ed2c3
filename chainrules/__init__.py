"""Derivative rules for Python, NumPy and SciPy; `chainrules.ad` differentiates NumPy programs with them.

Importing this package imports no rule: a file of rules is imported when one of the functions that it has
rules for is first looked up. The engine, `chainrules.ad`, is imported when it is first used.
"""

from typing import TYPE_CHECKING, Any

from chainrules_core import missing_name as _missing_name
from chainrules_core import register_ruleset as _register_ruleset

if TYPE_CHECKING:
    from chainrules import ad

__all__ = ["ad"]

__version__ = "0.1.0"

_register_ruleset("builtins", "chainrules.rulesets")


def __getattr__(name: str) -> Any:
    # So that `import chainrules` is enough, and the engine is imported when it is first used.
    if name != "ad":
        raise _missing_name(__name__, name)
    from importlib import import_module  # noqa: PLC0415 - this name would be one of the package's

    return import_module("chainrules.ad")


def __dir__() -> list[str]:
    return __all__
