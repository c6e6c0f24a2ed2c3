"""What to call in the place of a function of which something is known: one function makes it of the fact."""

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.interception.choosing.numbers_from_text import reading
from chainrules.ad.interception.choosing.ordinary_classes import ORDINARY, is_ordinary, special_method
from chainrules.ad.interception.choosing.plain_writes import writing
from chainrules.ad.interception.choosing.ruled_calls import (
    call_by_rule_of_others,
    ruled,
    ruled_by_numpy,
    ruled_method,
)
from chainrules.ad.syntax.hooks import registered
from chainrules.ad.traced.ruled_by_others import RULED_BY_OTHERS
from chainrules.ad.values.facts import Fact
from chainrules.ad.values.plain_values import FREQUENT
from chainrules.ad.writing.fillable import fillable, own_array
from chainrules_core import is_bare_iterator

_Function = Callable[..., Any]


def callable_for(f: Any, fact: Fact) -> _Function | None:
    """What to call in the place of a function; `None` if nothing that is known of it says so."""
    if not fact.is_replaced:
        if fact.writes is not None:
            return writing(f, fact.writes)  # traced arrays answer, by NumPy's protocols
        return None if fact.out is None else ruled_method(f, fact.out)
    answer = _computing(f, fact)
    if fact.goes_through is not None:
        answer = going_through(answer, fact.goes_through)
    if fact.method is not None:
        answer = by_method(answer, fact.method)
    if fact.reads_numbers:
        answer = reading(answer, fact.converts_to)
    return making(f, answer, f) if "an array to fill" in fact.returns else answer


def _computing(f: Any, fact: Fact) -> _Function:
    """What is called in the end, with arguments that may be others than those of the program."""
    if fact.stands_for_it is not None:
        return fact.stands_for_it
    if fact.wrapped is not None:
        return fact.wrapped(f)
    if fact.calls_back is not None:
        return calling_back(f, f, *fact.calls_back)
    if fact.as_it_is:
        return f  # type: ignore[no-any-return]  # a function
    if fact.reads_numbers:
        return ruled(f, entered_if_traced(f) if isinstance(f, types.FunctionType) else f)
    return ruled_by_numpy(f) if isinstance(f, type(np.sum)) else ruled(f, f)


def rules_of_others_first(f: Any, otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """What to call in the place of a function: a rule of somebody else; `otherwise` where none applies.

    The operators and conversions of a program's class are entered, functions that hand on what they are given
    are called as they are, and NumPy asks traced values alone. So rules are not asked for; but whoever writes
    one for ``abs`` of a class, say, wants it used in the place of the method ``__abs__``.
    """
    if not RULED_BY_OTHERS[f]:
        return otherwise

    def call(*args: Any, **kwargs: Any) -> Any:
        return call_by_rule_of_others(f, args, kwargs, otherwise)

    return call


def calling_back(f: _Function, otherwise: _Function, place: int | None, name: str) -> _Function:
    """`f`, which calls an argument back, given by position or by name; `otherwise` where there is none."""
    choose = registered("call")

    def call(*args: Any, **kwargs: Any) -> Any:
        if place is not None and len(args) > place:
            followed = list(args)
            followed[place] = choose(args[place])
            return f(*followed, **kwargs)
        if kwargs.get(name) is not None:
            return f(*args, **{**kwargs, name: choose(kwargs[name])})
        return otherwise(*args, **kwargs)

    return call


def going_through(otherwise: _Function, places: slice) -> _Function:
    """`otherwise`, which is given iterators in the place of some arguments.

    A function or a start may be an object of the user's, too.
    """
    iterable = registered("iter")

    def call(*args: Any, **kwargs: Any) -> Any:
        for x in args:
            if not is_ordinary(type(x)):
                followed = list(args)
                followed[places] = map(iterable, args[places])
                return otherwise(*followed, **kwargs)
        return otherwise(*args, **kwargs)

    return call


def listing(f: _Function) -> _Function:
    """`f`, which makes one number or array of all items: its rules are for lists."""
    computed, iterable = ruled(f, f), registered("iter")

    def call(*args: Any, **kwargs: Any) -> Any:
        items = [list(iterable(x)) if is_bare_iterator(x) or not is_ordinary(type(x)) else x for x in args]
        return computed(*items, **kwargs)

    return call


def by_method(otherwise: _Function, name: str) -> _Function:
    """What calls a special method of its first argument, if that is one in Python."""
    choose = registered("call")

    def call(*args: Any, **kwargs: Any) -> Any:
        if args:
            cls = type(args[0])
            if cls not in ORDINARY and not is_ordinary(cls):
                method = special_method(cls, name)
                if method is not None:
                    return choose(method)(*args, **kwargs)
        return otherwise(*args, **kwargs)

    return call


def making(f: Any, answer: _Function, of_plain: _Function, *owner: Any) -> _Function:
    """`answer`, whose result can be filled if it is a new array.

    Parameters
    ----------
    f
        A function of NumPy.
    answer
        What is called in its place.
    of_plain
        What may be called in its place with one argument that is a number or an array.
    owner
        The array that `f` is a method of, if it is one: its result may be a view of that.
    """

    def make(*args: Any, **kwargs: Any) -> Any:
        if not kwargs and len(args) == 1 and args[0].__class__ in FREQUENT:
            y = of_plain(args[0])
        else:
            y = answer(*args, **kwargs)
        own = own_array(f, y, owner + args, kwargs)
        return y if own is None else fillable(own)

    return make
