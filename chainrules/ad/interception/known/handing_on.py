"""Functions that hand on what they are given: extrema, sums of lists, partials. They return the very object.

A rule is given copies of the objects that hold traced values, so that what it returned would be a copy too,
and what a program assigns to that would be lost.
"""

import builtins
import functools
import operator
from collections.abc import Callable, Iterable
from typing import Any

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.replacements import REPLACEMENTS, replaces
from chainrules.ad.interception.choosing.ruled_calls import ruled
from chainrules.ad.interception.known.callbacks import with_key_followed
from chainrules.ad.interception.known.iterables import with_iterables_followed
from chainrules.ad.interception.meanings.special_methods import iterable
from chainrules.ad.syntax.hooks import HOOKS, placeholder
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.values.plain_values import FREQUENT
from chainrules_core import is_bare_iterator

_NUMBERS = FREQUENT | TRACED | {bool, str}

_CONTAINERS = frozenset({list, tuple, dict})

# --- Operators as functions: lists are joined and repeated with their own items -----------------------------


def _of_containers(f: Callable[..., Any]) -> None:
    by_rule = REPLACEMENTS.get(f) or ruled(f, f)

    @replaces(f)
    def call(*args: Any) -> Any:
        return f(*args) if args and args[0].__class__ in _CONTAINERS else by_rule(*args)


for _f in (operator.add, operator.concat, operator.mul, operator.or_):
    _of_containers(_f)


@replaces(operator.call)
def _call(f: Any, /, *args: Any, **kwargs: Any) -> Any:
    return choose(f)(*args, **kwargs)


# --- Extrema ------------------------------------------------------------------------------------------------


def _extremum(f: Callable[..., Any]) -> None:
    """``max`` or ``min``: by its rule where the items are numbers, which may share a derivative."""
    of_several = with_key_followed(f, ruled(f, f))
    of_one = with_iterables_followed(f, of_several, slice(0, 1))

    @replaces(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        items: Iterable[Any] = args
        of_numbers = of_one if len(args) == 1 else of_several
        if len(args) == 1:
            if is_bare_iterator(args[0]):
                args = (list(args[0]),)
            items = args[0] if args[0].__class__ in _CONTAINERS else ()
        for item in items:
            if item.__class__ not in _NUMBERS:
                return f(*args, **kwargs) if "key" not in kwargs else of_numbers(*args, **kwargs)
        return of_numbers(*args, **kwargs)


_extremum(builtins.max)
_extremum(builtins.min)

# --- Sums ---------------------------------------------------------------------------------------------------

_sum_by_rule = with_iterables_followed(sum, ruled(sum, sum), slice(0, 1))
_add = HOOKS[placeholder("add")]


@replaces(sum)
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


# --- Functions with some of their arguments -----------------------------------------------------------------

replaces(functools.partial)(functools.partial)
