"""Looking a traced number up in a dict: it is found by its value."""

from typing import Any

from chainrules.ad.traced_classes import TRACED
from chainrules_core import primal_of

# The methods of a dict whose first argument is a key to be found.
LOOKING_UP = frozenset({"get", "pop", "setdefault"})


def key_for(x: Any, key: Any) -> Any:
    """What to look up in a dict or set: a traced key that was put there itself, or else what it carries."""
    return primal_of(key) if key.__class__ in TRACED and key not in x else key


def look_up(method: Any, *args: Any, **kwargs: Any) -> Any:
    """Call a method of a dict with a key."""
    if args and args[0].__class__ in TRACED:
        args = key_for(method.__self__, args[0]), *args[1:]
    return method(*args, **kwargs)
