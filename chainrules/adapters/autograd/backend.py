"""The backend of autograd's boxes: a `primitive` that is called with them is differentiated by autograd."""

from collections.abc import Mapping
from typing import Any

from chainrules.adapters.autograd.adapting import called


def call(f: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """Call `f`, as `to_autograd` of it does."""
    return called(f, args, dict(kwargs))


def primal(x: Any) -> Any:
    """The value in a box: another box, where derivatives are nested."""
    return x._value  # noqa: SLF001 - autograd's `getval` goes through all boxes
