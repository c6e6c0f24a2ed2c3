"""Functions and methods that write into plain arrays, of which differentiations are told before."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.placeholders import hook
from chainrules.ad.writing.kept_arrays import before_writing

# Those of arrays that write into the array itself.
WRITING_METHODS = frozenset({"byteswap", "fill", "partition", "put", "resize", "setfield", "sort"})


def writing(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of NumPy that writes into its first argument."""

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        for x in args[:1] or list(kwargs.values())[:1]:
            written_into(x)
        return f(*args, **kwargs)

    return call


@hook("out")
def written_into(x: Any) -> Any:
    """What is given as ``out``: an array, or a tuple of arrays."""
    if x.__class__ is np.ndarray:
        before_writing(x)
    elif x.__class__ is tuple:
        for part in x:
            written_into(part)
    return x
