"""Functions in C that go through what they are given: an object of the user's is gone through by its twin."""

import functools
import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.looking_up import once_each
from chainrules.ad.interception.choosing.replacements import PLAIN, REPLACEMENTS, replaces
from chainrules.ad.interception.choosing.ruled_calls import ruled
from chainrules.ad.interception.known import callbacks
from chainrules.ad.interception.meanings.special_methods import is_ordinary, iterable
from chainrules_core import is_bare_iterator


def with_iterables_followed(
    f: Callable[..., Any], otherwise: Callable[..., Any], places: slice
) -> Callable[..., Any]:
    """`f`, which goes through some of its arguments; what is called otherwise is given their iterators.

    Parameters
    ----------
    f
        The function.
    otherwise
        What is called in its place.
    places
        The arguments that it goes through: a function or a start may be an object of the user's, too.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        for x in args:
            if not is_ordinary(type(x)):
                followed = list(args)
                followed[places] = map(iterable, args[places])
                return otherwise(*followed, **kwargs)
        return otherwise(*args, **kwargs)

    return call


def _with_iterators_listed(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f`, which makes one number or array of all items: its rules are for lists."""
    computed = ruled(f, f)

    def call(*args: Any, **kwargs: Any) -> Any:
        items = [list(iterable(x)) if is_bare_iterator(x) or not is_ordinary(type(x)) else x for x in args]
        return computed(*items, **kwargs)

    return call


for _making_one in (math.fsum, math.prod, np.fromiter):
    replaces(_making_one)(_with_iterators_listed(_making_one))

_CALLING_BACK = callbacks.REPLACED

_FIRST, _SECOND = slice(0, 1), slice(1, 2)

for _f in (set, frozenset):
    replaces(_f)(with_iterables_followed(_f, functools.partial(once_each, _f), _FIRST))

_GOING_THROUGH: dict[Any, slice] = {
    **dict.fromkeys(
        (list, tuple, enumerate, any, all, sorted, itertools.islice, itertools.accumulate), _FIRST
    ),
    **dict.fromkeys((zip, itertools.chain, itertools.zip_longest), slice(None)),
    **dict.fromkeys((filter, functools.reduce, itertools.starmap), _SECOND),
    map: slice(1, None),
}
for _f, _places in _GOING_THROUGH.items():
    _otherwise = REPLACEMENTS[_f] if _f in _CALLING_BACK else _f if _f in PLAIN else ruled(_f, _f)
    replaces(_f)(with_iterables_followed(_f, _otherwise, _places))
