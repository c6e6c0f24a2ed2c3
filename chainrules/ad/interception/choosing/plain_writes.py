"""Functions and methods that write into plain arrays, of which differentiations are told before."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.calls.rule_inputs import before_writing, written_array
from chainrules.ad.syntax.hooks import hook
from chainrules.ad.traced.trace import NOTED

# Those of arrays that write into the array itself.
_WRITING_NAMES = frozenset({"byteswap", "fill", "partition", "put", "resize", "setfield", "sort"})
_WRITING_NAMES |= {"__setitem__", "__iadd__", "__isub__", "__imul__", "__itruediv__", "__ifloordiv__"}
_WRITING_NAMES |= {"__imod__", "__ipow__", "__imatmul__", "__iand__", "__ior__", "__ixor__"}
_WRITING_NAMES |= {"__ilshift__", "__irshift__"}

# By name, for the methods of arrays that have one: the position of the array to write the result into.
_PLACES_IN_METHODS = {
    **dict.fromkeys(("all", "any", "argmax", "argmin", "choose", "dot", "max", "min", "round"), 1),
    **dict.fromkeys(("clip", "compress", "cumprod", "cumsum", "mean", "prod"), 2),
    **dict.fromkeys(("std", "sum", "take", "var"), 2),
    "trace": 4,
}

_Generator = np.random.Generator

WRITING_METHODS = frozenset(getattr(np.ndarray, name) for name in _WRITING_NAMES)

# The same by the method itself, with the object that it is called on as an argument.
PLACES_OF_OUT: dict[Any, int] = {
    **{getattr(np.ndarray, name): place + 1 for name, place in _PLACES_IN_METHODS.items()},
    _Generator.random: 3,
    _Generator.standard_normal: 3,
    _Generator.standard_exponential: 4,
    _Generator.standard_gamma: 4,
}

# Functions that are told whether to write into their first argument: by the name and position of a flag, and
# the value of it that says so.
_OVERWRITING: dict[Any, tuple[str, int, bool]] = {
    **dict.fromkeys((np.median, np.nanmedian), ("overwrite_input", 3, True)),
    **dict.fromkeys((np.percentile, np.quantile), ("overwrite_input", 4, True)),
    **dict.fromkeys((np.nanpercentile, np.nanquantile), ("overwrite_input", 4, True)),
    np.nan_to_num: ("copy", 1, False),
}

# The names of first arguments, which may be given by keyword.
_FIRST = ("a", "arr", "dst")


def writing(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of NumPy that writes into its first argument."""

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        for x in args[:1] or [kwargs[name] for name in _FIRST if name in kwargs]:
            written_into(x)
        return f(*args, **kwargs)

    return call


def writing_out(f: Callable[..., Any], place: int) -> Callable[..., Any]:
    """`f`, which writes its result into the argument at a position, if there are so many."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if len(args) > place:
            written_into(args[place])
        return f(*args, **kwargs)

    return call


def overwrites(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a function of NumPy is told to write into its first argument."""
    if f not in _OVERWRITING:
        return False
    name, place, says_so = _OVERWRITING[f]
    flag = args[place] if len(args) > place else kwargs.get(name, not says_so)
    return bool(flag) is says_so


@hook("out")
def written_into(x: Any) -> Any:
    """What is given as ``out``: an array, or a tuple of arrays."""
    if x.__class__ is np.ndarray:
        if id(x) not in NOTED:
            before_writing(x)
    elif x.__class__ is tuple:
        for part in x:
            written_into(part)
    else:
        elements = written_array(x)
        if elements is not None:
            before_writing(elements)
    return x
