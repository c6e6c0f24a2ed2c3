"""Bridges to other frameworks: a function over NumPy becomes differentiable by them, by the same rules.

A bridge imports its framework when its name is first asked for, and nothing does before.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from chainrules.adapters.errors import AdapterError
from chainrules_core import missing_name as _missing_name

if TYPE_CHECKING:
    from chainrules.adapters.autograd import to_autograd
    from chainrules.adapters.jax import from_jax, to_jax
    from chainrules.adapters.mygrad import to_mygrad
    from chainrules.adapters.pytensor import to_pytensor
    from chainrules.adapters.torch import from_torch, to_torch

__all__ = [
    "AdapterError",
    "from_jax",
    "from_torch",
    "to_autograd",
    "to_jax",
    "to_mygrad",
    "to_pytensor",
    "to_torch",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise _missing_name(__name__, name)
    framework = name.partition("_")[2]
    try:
        bridge = import_module(f"chainrules.adapters.{framework}")
    except ImportError as error:
        if (error.name or "").partition(".")[0] != framework:
            raise
        raise ImportError(
            f"`{name}` needs {framework}, which is not installed: pip install {framework}",
            name=framework,
        ) from error
    return getattr(bridge, name)


def __dir__() -> list[str]:
    return __all__
