"""Methods of dicts and sets in C: a traced number is found in one by its value, and is there once."""

from collections.abc import Callable
from typing import Any

from chainrules.ad.traced.traced_classes import TRACED
from chainrules_core import primal_of


def key_for(x: Any, key: Any) -> Any:
    """What to look up in a dict or set: the key there with the value of a traced one, if there is one."""
    if key.__class__ not in TRACED or key in x:
        return key
    value = primal_of(key)
    if value in x:
        return value
    for other in x:  # traced keys are hashed by identity
        if other.__class__ in TRACED and primal_of(other) == value:
            return other
    return key


def set_by_value(kind: Any, items: Any = ()) -> Any:
    """A set, of the class `kind`, of items that are equal to none before them."""
    items = list(items)
    if not any(item.__class__ in TRACED for item in items):
        return kind(items)
    first: dict[Any, Any] = {}
    for item in items:
        first.setdefault(primal_of(item), item)
    return kind(first.values())


def looking_up(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method of dicts or sets, as a function of one of these, that is given a key."""

    def look_up(*args: Any, **kwargs: Any) -> Any:
        if len(args) > 1 and args[1].__class__ in TRACED:
            args = args[0], key_for(args[0], args[1]), *args[2:]
        return method(*args, **kwargs)

    return look_up
