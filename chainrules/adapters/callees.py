"""What the bridges are given: something that is called."""

from collections.abc import Callable
from typing import Any

from chainrules.adapters.errors import AdapterError
from chainrules_core import unwrap_primitive


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
        If it cannot be called.
    """
    f = unwrap_primitive(f)
    if not callable(f):
        raise AdapterError(
            f"{bridge}({f!r}): it takes a function, not a {type(f).__name__}. Write `{bridge}(f)(x)` to call "
            "one."
        )
    return f
