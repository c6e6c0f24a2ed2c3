"""Python's own functions."""

import functools
from collections.abc import Callable, Iterable
from typing import Any

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.composing import calling_back, going_through
from chainrules.ad.interception.choosing.looking_up import looking_up, set_by_value
from chainrules.ad.interception.choosing.ruled_calls import ruled
from chainrules.ad.interception.choosing.texts import join, putting_together, representation, text
from chainrules.ad.interception.choosing.unentered import beside_rules
from chainrules.ad.interception.meanings.assignments import set_as_usual, set_attribute
from chainrules.ad.interception.meanings.properties import attribute, has_attribute, usual_attribute
from chainrules.ad.interception.meanings.questions import class_of, is_instance
from chainrules.ad.interception.meanings.special_methods import iterable
from chainrules.ad.syntax.hooks import registered
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.values.facts import fact
from chainrules.ad.values.plain_values import BUILTIN_CONTAINERS, FREQUENT
from chainrules_core import is_bare_iterator

_FIRST, _SECOND = slice(0, 1), slice(1, 2)

# --- Moving values ------------------------------------------------------------------------------------------

fact(
    *(range, dict, slice, id, hash, callable, format, vars, dir, object, property, classmethod), as_it_is=True
)
fact(super, type(NotImplemented), as_it_is=True)
fact(memoryview, bytes, bytearray, wrapped=beside_rules)
fact(staticmethod, as_it_is=True, of_instances=lambda f: choose(f.__wrapped__, False))
fact(print, delattr, as_it_is=True, has_effect=True)
fact(open, input, as_it_is=True, has_effect=True, is_not_the_same_each_time=True)
fact(len, as_it_is=True, method="__len__")
fact(next, as_it_is=True, method="__next__", has_effect=True)
fact(reversed, as_it_is=True, method="__reversed__")
fact(repr, as_it_is=True, method="__repr__", stands_for_it=representation)
fact(list, tuple, enumerate, any, all, as_it_is=True, goes_through=_FIRST)
fact(zip, as_it_is=True, goes_through=slice(None))
fact(set, frozenset, as_it_is=True, goes_through=_FIRST, wrapped=lambda f: functools.partial(set_by_value, f))
fact(map, calls_back=(0, ""), goes_through=slice(1, None), returns=("results of calls",))
fact(filter, calls_back=(0, ""), goes_through=_SECOND)
fact(sorted, calls_back=(None, "key"), goes_through=_FIRST)

# --- Numbers and text ---------------------------------------------------------------------------------------

fact(abs, method="__abs__")
fact(bool, method="__bool__")
fact(round, method="__round__")
fact(str, method="__str__", stands_for_it=text)
fact(float, method="__float__", reads_numbers=True)
fact(int, method="__int__", reads_numbers=True)
fact(complex, method="__complex__", reads_numbers=True)
fact(float.fromhex, reads_numbers=True)

# --- Methods of containers and text -------------------------------------------------------------------------

fact(dict.get, dict.pop, dict.setdefault, set.add, set.discard, set.remove, wrapped=looking_up)
fact(str.format, str.format_map, wrapped=putting_together)
fact(str.join, stands_for_it=join)

# --- Classes and attributes ---------------------------------------------------------------------------------


def _getattr(x: Any, name: str, *default: Any) -> Any:
    try:
        return attribute(x, name)
    except AttributeError:
        if default:
            return default[0]
        raise


def _setattr(*args: Any) -> None:
    if len(args) == 3:
        x, name, value = args
        set_attribute(value, x, name)
    else:
        setattr(*args)  # an error


fact(isinstance, stands_for_it=is_instance)
fact(type, stands_for_it=class_of)
fact(getattr, stands_for_it=_getattr, returns=("its argument",))
fact(hasattr, stands_for_it=has_attribute)
fact(setattr, stands_for_it=_setattr, has_effect=True)
fact(object.__getattribute__, stands_for_it=usual_attribute)
fact(object.__setattr__, stands_for_it=set_as_usual, has_effect=True)


def _iter(*args: Any) -> Any:
    return iter(choose(args[0]), args[1]) if len(args) == 2 else iter(*map(iterable, args))


fact(iter, stands_for_it=_iter)

# --- Extrema and sums ---------------------------------------------------------------------------------------
#
# They return the very object. A rule is given copies of the objects that hold traced values, so that what it
# returned would be a copy too, and what a program assigns to that would be lost.

_NUMBERS = FREQUENT | TRACED | {bool, str}


def _extremum(f: Callable[..., Any]) -> Callable[..., Any]:
    """``max`` or ``min``: by its rule where the items are numbers, which may share a derivative."""
    of_several = calling_back(f, ruled(f, f), None, "key")
    of_one = going_through(of_several, _FIRST)

    def call(*args: Any, **kwargs: Any) -> Any:
        items: Iterable[Any] = args
        of_numbers = of_one if len(args) == 1 else of_several
        if len(args) == 1:
            if is_bare_iterator(args[0]):
                args = (list(args[0]),)
            items = args[0] if args[0].__class__ in BUILTIN_CONTAINERS else ()
        for item in items:
            if item.__class__ not in _NUMBERS:
                return f(*args, **kwargs) if "key" not in kwargs else of_numbers(*args, **kwargs)
        return of_numbers(*args, **kwargs)

    return call


_sum_by_rule = going_through(ruled(sum, sum), _FIRST)
_add = registered("add")


def _sum(xs: Any, /, start: Any = 0) -> Any:
    """``sum``, by its rule where the items are numbers, and by their own methods where some are not.

    What an iterator yields is added as it comes: it may change an array for the next time.
    """
    if xs.__class__ in TRACED or start.__class__ not in _NUMBERS:
        return _sum_by_rule(xs, start)
    if xs.__class__ is list or xs.__class__ is tuple:
        are_numbers = all(x.__class__ in _NUMBERS for x in xs)
        return _sum_by_rule(xs, start) if are_numbers else functools.reduce(_add, xs, start)
    return functools.reduce(_add, iterable(xs), start)


fact(max, min, wrapped=_extremum)
fact(sum, stands_for_it=_sum)
