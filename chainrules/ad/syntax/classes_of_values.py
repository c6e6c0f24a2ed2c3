"""Classes of values that code computes with as it is written: no hook could do anything else with them.

Rewritten code asks for the class of a value, by one look-up in one of these sets, before it goes to a hook.
They are sets of very classes: a subclass may have methods in Python.
"""

import cmath
import collections
import math
from typing import Any

import numpy as np

from chainrules.ad.values.facts import fact_of
from chainrules.ad.values.memory import remember

# Numbers and text: they hold nothing, and all that Python does with two of them is done in C. That includes
# the truth of one, and the question whether a container has it.
PLAIN = frozenset({int, float, bool, complex, str, bytes, np.float64})

# What may be asked for an item, whatever the index is; in a dict a traced number is looked up by its value.
ARRAYS = frozenset({np.ndarray})
INDEXED = frozenset({list, tuple, str, bytes, range, np.ndarray, collections.deque})
DICT = frozenset({dict, collections.defaultdict, collections.Counter, collections.OrderedDict})
INDEXED_OR_DICT = INDEXED | DICT
# No arrays: differentiations are told of what is written into these.
STORED_INTO = frozenset({list, collections.deque})
STORED_INTO_OR_DICT = STORED_INTO | {dict}
ITERATED = frozenset({list, tuple, dict, set, frozenset, str, bytes, range, np.ndarray, map, zip, enumerate})
CONTAINERS = frozenset({dict, set, frozenset, list, tuple, str, range})

# --- Attributes ---------------------------------------------------------------------------------------------

# Never forgotten, since rewritten code has these memories of classes, which forget. By the name of an
# attribute: the classes that were met whose instances it can be read of, or assigned to, without a function
# in Python; and those of whose instances it may be read twice. Hooks add to them.
_readable: dict[str, dict[type, None]] = {}
_readable_again: dict[str, dict[type, None]] = {}
_assignable: dict[str, dict[type, None]] = {}


def classes_to_read(name: str) -> dict[type, None]:
    """The classes of whose instances an attribute of a name is read as it is."""
    return _readable.setdefault(name, {})


def classes_to_read_again(name: str) -> dict[type, None]:
    """The same, where to read it twice is the same as once: nothing is computed for it."""
    return _readable_again.setdefault(name, {})


def classes_to_assign(name: str) -> dict[type, None]:
    """The classes to whose instances an attribute of a name is assigned as it is."""
    return _assignable.setdefault(name, {})


def remember_readable(name: str, cls: type) -> None:
    """Note down that an attribute of the instances of a class is read as it is."""
    remember(classes_to_read(name), cls, None)
    read: Any = cls.__getattribute__
    if read is object.__getattribute__ and "__getattr__" not in dir(cls):
        remember(classes_to_read_again(name), cls, None)


# --- Calls --------------------------------------------------------------------------------------------------

_OWNERS: tuple[Any, ...] = (list, dict, set, frozenset, str, tuple, bytes, int, float)

# Never forgotten, since rewritten code has these sets. By the name of a method: the classes whose own it is
# and is called as it is. There are none while somebody watches calls, or turns interception off.
_methods: dict[str, set[type]] = {}
CALLED_WITH: set[type] = set(PLAIN)
SIZED: set[type] = set()
_SIZED = {list, dict, set, frozenset, str, tuple, bytes, range, np.ndarray, collections.deque}

# By name: functions in C that compute with plain numbers and text alone, whatever their rules say.
BUILTINS: dict[str, Any] = {f.__name__: f for f in (abs, bool, float, int, max, min, round, str, isinstance)}
MODULES: dict[str, Any] = {"math": math, "cmath": cmath}

_is_watched: bool | None = None  # at first
_is_text_seen = False


def called_as_it_is(name: str) -> set[type]:
    """The classes whose method of a name is called as it is."""
    if name not in _methods:
        _methods[name] = set() if _is_watched else owners(name)
    return _methods[name]


def owners(name: str) -> set[type]:
    """The classes of containers and text whose method of a name needs nothing called in its place."""
    return {cls for cls in _OWNERS if hasattr(cls, name) and not fact_of(getattr(cls, name)).is_replaced}


def let_hooks_see(all_calls: bool) -> None:
    """Let every call go to its hook, or those that need no hook go past it."""
    global _is_watched  # noqa: PLW0603 - the function is there for that
    if all_calls is _is_watched:  # blocks stand within others
        return
    _is_watched = all_calls
    for name, classes in list(_methods.items()):
        _fill(classes, owners(name))
    _fill(SIZED, _SIZED)
    let_hooks_see_text(_is_text_seen)


def let_hooks_see_text(is_seen: bool) -> None:
    """Let calls that read numbers from text go to their hooks, or past them."""
    global _is_text_seen  # noqa: PLW0603 - the function is there for that
    _is_text_seen = is_seen
    _fill(CALLED_WITH, PLAIN - {str, bytes} if is_seen else PLAIN)


def is_text_seen() -> bool:
    """Whether text has been made of traced values, by a differentiation that runs."""
    return _is_text_seen


def _fill(classes: set[type], members: Any) -> None:
    if _is_watched:
        classes.clear()
    else:
        classes.intersection_update(members)
        classes.update(members)


let_hooks_see(all_calls=False)
