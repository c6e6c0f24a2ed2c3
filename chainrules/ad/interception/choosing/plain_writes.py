"""Functions and methods that write into plain arrays, of which differentiations are told before."""

import functools
from collections.abc import Callable
from typing import Any

from chainrules.ad.calls.rule_inputs import before_writing, written_array
from chainrules.ad.syntax.hooks import hook
from chainrules.ad.traced.trace import UNUSED_BY_RULES
from chainrules.ad.values.facts import FACTS, NOTHING
from chainrules.ad.values.plain_values import ARRAYS

# The names of arguments that are written into, which may be given by keyword.
_WRITTEN = ("a", "arr", "dst")


def writing(f: Callable[..., Any], place: int) -> Callable[..., Any]:
    """A function of NumPy that writes into the argument at a position."""

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        for x in args[place : place + 1] or [kwargs[name] for name in _WRITTEN if name in kwargs]:
            written_into(x)
        return f(*args, **kwargs)

    return call


def overwrites(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a function of NumPy is told to write into its first argument."""
    flagged = FACTS.get(f, NOTHING).overwrites
    if flagged is None:
        return False
    name, place, says_so = flagged
    flag = args[place] if len(args) > place else kwargs.get(name, not says_so)
    return bool(flag) is says_so


@hook("out")
def written_into(x: Any) -> Any:
    """What is given as ``out``: an array, or a tuple of arrays."""
    if x.__class__ in ARRAYS:
        if id(x) not in UNUSED_BY_RULES:
            before_writing(x)
    elif x.__class__ is tuple:
        for part in x:
            written_into(part)
    else:
        elements = written_array(x)
        if elements is not None:
            before_writing(elements)
    return x
