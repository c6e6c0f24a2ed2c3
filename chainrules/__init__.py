"""Derivative rules for Python, NumPy and SciPy; `chainrules.ad` differentiates NumPy programs with them.

Importing this package imports no rule: a file of rules is imported when one of the functions that it has
rules for is first looked up. The engine, `chainrules.ad`, is imported when it is first used.
"""

from typing import TYPE_CHECKING, Any

from chainrules_core import register_ruleset as _register_ruleset

if TYPE_CHECKING:
    from chainrules import ad

__all__ = ["ad"]

__version__ = "0.1.0"

_register_ruleset("builtins", "chainrules.rulesets")


# What people look for here; the engine is not imported to know.
_OF_THE_ENGINE = {
    *("grad", "hessian", "hvp", "jacobian", "jvp", "ravel", "tree_map", "value_and_grad", "vjp", "wirtinger"),
}


def __getattr__(name: str) -> Any:
    # So that `import chainrules` is enough, and the engine is imported when it is first used.
    if name in _OF_THE_ENGINE:
        # The statement `from ... import` drops the words of an `AttributeError`.
        raise ImportError(f"`{name}` is in `chainrules.ad`: write `from chainrules.ad import {name}`.")
    if name != "ad":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - this name would be one of the package's

    return import_module("chainrules.ad")


def __dir__() -> list[str]:
    return __all__
