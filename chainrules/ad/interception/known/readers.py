"""The readers of Python's `operator`: they read items and attributes, and call methods, as intercepted code.

What they read is the object itself, not a copy as from a rule: a program may write into it.
"""

import functools
import operator
from collections.abc import Callable
from typing import Any

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.replacements import REPLACEMENTS, REPLACEMENTS_OF_INSTANCES
from chainrules.ad.interception.meanings.properties import attribute
from chainrules.ad.interception.meanings.special_methods import getitem

REPLACEMENTS[operator.getitem] = getitem


def _reading(read: Callable[[Any, Any], Any]) -> Callable[[Any], Callable[[Any], Any]]:
    """What makes a function like a reader with one key or several, of which it reads each by `read`."""

    def reader(f: Any) -> Callable[[Any], Any]:
        _, keys = f.__reduce__()
        if len(keys) == 1:
            return lambda x: read(x, keys[0])
        return lambda x: tuple([read(x, key) for key in keys])

    return reader


def _dotted(x: Any, name: str) -> Any:
    return functools.reduce(attribute, name.split("."), x)


def _method_caller(f: Any) -> Callable[[Any], Any]:
    maker, given = f.__reduce__()
    kwargs = {}
    if isinstance(maker, functools.partial):  # so Python says that there are keywords
        given, kwargs = (*maker.args, *given), maker.keywords
    name, *args = given
    return lambda x: choose(attribute(x, name))(*args, **kwargs)


REPLACEMENTS_OF_INSTANCES[operator.itemgetter] = _reading(getitem)
REPLACEMENTS_OF_INSTANCES[operator.attrgetter] = _reading(_dotted)
REPLACEMENTS_OF_INSTANCES[operator.methodcaller] = _method_caller
