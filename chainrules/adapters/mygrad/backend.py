"""The backend of mygrad's tensors: a `primitive` that is called with them is differentiated by mygrad."""

from collections.abc import Mapping
from typing import Any

from chainrules.adapters.mygrad.adapting import called


def call(f: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """Call `f`, as `to_mygrad` of it does."""
    return called(f, args, dict(kwargs))


def primal(x: Any) -> Any:
    """The array in a tensor."""
    return x.data
