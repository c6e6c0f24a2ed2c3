"""What the bridges are given: something that is called."""

import types
from collections.abc import Callable
from typing import Any

from chainrules.adapters.errors import AdapterError
from chainrules_core import describe_callee, unwrap_primitive


def checked_callee(f: Any, bridge: str) -> Callable[..., Any]:
    """The function that is bridged: of a primitive, the function that is marked.

    Parameters
    ----------
    f
        What a bridge was given.
    bridge
        The name of the bridge, such as ``"to_torch"``.

    Raises
    ------
    AdapterError
        If it cannot be called; or is a function of the framework that it would be bridged to.
    """
    f = unwrap_primitive(f)
    if not callable(f):
        raise AdapterError(
            f"{bridge}({f!r}): it takes a function, not a {type(f).__name__}. Write `{bridge}(f)(x)` to call "
            "one."
        )
    direction, _, framework = bridge.partition("_")
    if direction == "to" and _package(f) == framework:
        raise AdapterError(
            f"{bridge}({describe_callee(f)}): this is a function of {framework} already, and takes its "
            f"tensors. `{bridge}` takes functions over NumPy."
        )
    return f


def _package(f: Any) -> str:
    """The package of a function, in C too, or of the class of another callable object."""
    if isinstance(f, types.FunctionType | types.BuiltinFunctionType):
        module = f.__module__ or getattr(getattr(f, "__self__", None), "__module__", "")
    else:
        module = type(f).__module__
    return module.partition(".")[0].removesuffix("lib")  # as of jaxlib
