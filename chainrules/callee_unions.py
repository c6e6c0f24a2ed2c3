"""One rule for several functions, which are one family and have one derivation."""

import typing
from collections.abc import Callable, Iterable
from typing import Any

from chainrules_core import typeof_


def typeof_any(functions: Iterable[Callable[..., Any]]) -> Any:
    """The type of any of several callees, to annotate the first parameter of a rule with.

    Parameters
    ----------
    functions
        As `chainrules_core.typeof_` takes each of them.
    """
    # At once: by the operator `|` the time would grow with the square of the number.
    return typing.Union[tuple(map(typeof_, functions))]  # noqa: UP007 - made at run time
