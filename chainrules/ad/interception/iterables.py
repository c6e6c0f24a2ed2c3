"""Functions in C that go through what they are given: an object of the user's is gone through by its twin."""

import functools
import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception import callbacks
from chainrules.ad.interception.looking_up import once_each
from chainrules.ad.interception.replacements import PLAIN, REPLACEMENTS, replaces
from chainrules.ad.interception.ruled_calls import ruled
from chainrules.ad.interception.special_methods import is_ordinary, iterable
from chainrules_core import is_bare_iterator


def with_iterables_followed(f: Callable[..., Any], otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """`f`, which goes through its arguments; what is called otherwise is given them, or their iterators."""

    def call(*args: Any, **kwargs: Any) -> Any:
        for x in args:
            if not is_ordinary(type(x)):
                return otherwise(*map(iterable, args), **kwargs)
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

for _f in (set, frozenset):
    replaces(_f)(with_iterables_followed(_f, functools.partial(once_each, _f)))

_GOING_THROUGH: tuple[Any, ...] = (
    *(list, tuple, enumerate, zip, any, all, sorted, map, filter),
    functools.reduce,
    *(itertools.chain, itertools.islice, itertools.accumulate, itertools.starmap, itertools.zip_longest),
)
for _f in _GOING_THROUGH:
    _otherwise = REPLACEMENTS[_f] if _f in _CALLING_BACK else _f if _f in PLAIN else ruled(_f, _f)
    replaces(_f)(with_iterables_followed(_f, _otherwise))
