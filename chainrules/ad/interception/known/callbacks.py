"""Functions in C that call a Python function back: they are given its twin, or what uses its rule."""

import collections
import contextvars
import functools
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.replacements import REPLACEMENTS, replaces
from chainrules.ad.interception.choosing.ruled_calls import ruled
from chainrules.ad.interception.meanings.special_methods import iterable
from chainrules.ad.traced.tracing import is_traced


def calls_first_back(f: Callable[..., Any]) -> None:
    """Note that `f` calls its first argument back."""

    @replaces(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        if args:
            args = choose(args[0]), *args[1:]
        return f(*args, **kwargs)


def _with_second_followed(f: Callable[..., Any], keyword: str) -> Callable[..., Any]:
    """`f`, which calls its second argument back, also given by keyword."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if len(args) > 1:
            args = args[0], choose(args[1]), *args[2:]
        elif keyword in kwargs:
            kwargs[keyword] = choose(kwargs[keyword])
        return f(*args, **kwargs)

    return call


_CALLING_FIRST: tuple[Any, ...] = (
    map,
    filter,
    functools.reduce,
    itertools.starmap,
    itertools.takewhile,
    itertools.dropwhile,
    itertools.filterfalse,
)
for _f in _CALLING_FIRST:
    calls_first_back(_f)
replaces(contextvars.Context.run)(_with_second_followed(contextvars.Context.run, ""))
replaces(itertools.accumulate)(_with_second_followed(itertools.accumulate, "func"))
replaces(itertools.groupby)(_with_second_followed(itertools.groupby, "key"))


# NumPy asks the array alone, and not the function, which may hold what is traced.
replaces(np.apply_along_axis)(ruled(np.apply_along_axis, np.apply_along_axis))


def with_key_followed(f: Callable[..., Any], otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """`f`, which calls the argument named ``key`` back; where there is none, what is called otherwise."""

    def call(*args: Any, **kwargs: Any) -> Any:
        key = kwargs.get("key")
        if key is None:
            return otherwise(*args, **kwargs)
        return f(*args, **{**kwargs, "key": choose(key)})

    return call


replaces(sorted)(with_key_followed(sorted, sorted))


@replaces(iter)
def _iter(*args: Any) -> Any:
    return iter(choose(args[0]), args[1]) if len(args) == 2 else iter(*map(iterable, args))


# The Python function of a ufunc cannot be had back from it. The last ones that were made are remembered, and
# not weakly, since ufuncs bear no weak references.
_made: collections.deque[np.ufunc] = collections.deque()
_MOST = 1_000


@replaces(np.frompyfunc)
def _frompyfunc(f: Any, *args: Any, **kwargs: Any) -> np.ufunc:
    made: np.ufunc = np.frompyfunc(choose(f), *args, **kwargs)
    each = choose(np.vectorize(f))

    @replaces(made)
    def call(*args: Any, **kwargs: Any) -> Any:
        return (each if any(map(is_traced, args)) else made)(*args, **kwargs)

    _made.append(made)
    if len(_made) > _MOST:
        del REPLACEMENTS[_made.popleft()]
    return made


# For those who replace them once more.
REPLACED = frozenset({*_CALLING_FIRST, itertools.accumulate, itertools.groupby, sorted, iter})
