"""One rule for several functions, which are one family and have one derivation."""

import functools
import operator
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
    return functools.reduce(operator.or_, map(typeof_, functions))
