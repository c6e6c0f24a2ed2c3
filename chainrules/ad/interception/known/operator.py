"""Python's operators as functions, and its readers of items, attributes and methods.

What readers read is the object itself, not a copy as from a rule: a program may write into it.
"""

import functools
import operator
from collections.abc import Callable
from typing import Any

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.ordinary_classes import is_ordinary
from chainrules.ad.interception.choosing.ruled_calls import ruled
from chainrules.ad.interception.meanings.assignments import set_item
from chainrules.ad.interception.meanings.properties import attribute
from chainrules.ad.interception.meanings.questions import is_same
from chainrules.ad.interception.meanings.special_methods import getitem
from chainrules.ad.syntax.hooks import registered
from chainrules.ad.syntax.operators import BINARY, COMPARISONS, UNARY
from chainrules.ad.values.facts import fact
from chainrules.ad.values.plain_values import BUILTIN_CONTAINERS

# --- Operators ----------------------------------------------------------------------------------------------


def _by_operator(f: Any) -> Callable[..., Any]:
    """`f`, by its rule; where there is none, as intercepted code computes the operator."""
    return ruled(f, registered(f.__name__))


def _joining(f: Any) -> Callable[..., Any]:
    """`f`, which joins or repeats lists with their own items."""
    by_rule = ruled(f, f) if f is operator.concat else _by_operator(f)

    def call(*args: Any) -> Any:
        return f(*args) if args and args[0].__class__ in BUILTIN_CONTAINERS else by_rule(*args)

    return call


def _comparing(f: Any) -> Callable[..., Any]:
    by_rule, by_operator = ruled(f, f), registered(f.__name__)

    def compare(x: Any, y: Any) -> Any:
        return (by_rule if is_ordinary(type(x)) and is_ordinary(type(y)) else by_operator)(x, y)

    return compare


# By the function of an augmented assignment: the name of its hook.
_IN_PLACE = {getattr(operator, f"i{name.rstrip('_')}"): f"i{name}" for name in BINARY.values()}
_JOINING = frozenset({operator.add, operator.concat, operator.mul, operator.or_})

fact(*_JOINING, wrapped=_joining)
fact(*({getattr(operator, name) for name in BINARY.values()} - _JOINING), wrapped=_by_operator)
fact(*(getattr(operator, name) for name in UNARY.values()), wrapped=_by_operator)
fact(*(getattr(operator, name) for name in COMPARISONS.values()), wrapped=_comparing)
fact(*_IN_PLACE, writes=0, wrapped=lambda f: registered(_IN_PLACE[f]))
fact(operator.abs, method="__abs__")
fact(operator.is_, stands_for_it=is_same)
fact(operator.is_not, stands_for_it=lambda x, y, /: not is_same(x, y))


def _call(f: Any, /, *args: Any, **kwargs: Any) -> Any:
    return choose(f)(*args, **kwargs)


fact(operator.call, stands_for_it=_call, returns=("results of calls",))

# --- Items --------------------------------------------------------------------------------------------------


def _setitem(x: Any, index: Any, value: Any) -> None:
    set_item(value, x, index)


fact(operator.getitem, stands_for_it=getitem, returns=("a view",))
fact(operator.setitem, stands_for_it=_setitem, writes=0)
fact(operator.iconcat, operator.delitem, as_it_is=True, writes=0)

# --- Readers ------------------------------------------------------------------------------------------------


def _reading(read: Callable[[Any, Any], Any]) -> Callable[[Any], Callable[[Any], Any]]:
    """A maker of functions that read one key or several by `read`, as a reader does."""

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


fact(operator.itemgetter, of_instances=_reading(getitem))
fact(operator.attrgetter, of_instances=_reading(_dotted))
fact(operator.methodcaller, of_instances=_method_caller)
