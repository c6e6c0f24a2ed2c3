"""Classes of which no special method is to be entered, as far as Python calls such methods by itself."""

import types

from chainrules.ad.interception.choosing.members import method_of
from chainrules.ad.syntax.operators import BINARY
from chainrules.ad.syntax.origins import Origin, origin_of_class
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.values.memory import remember
from chainrules.ad.values.plain_values import has_operators, has_rules

_NAMES = (
    *(f"__{prefix}{name.rstrip('_')}__" for name in BINARY.values() for prefix in ("", "r", "i")),
    *(f"__{name}__" for name in ("neg", "pos", "invert", "abs", "round", "len", "float", "int", "complex")),
    *(f"__{name}__" for name in ("lt", "le", "gt", "ge", "eq", "ne", "bool", "str", "repr", "enter", "exit")),
    *(f"__{name}__" for name in ("getitem", "setitem", "contains", "iter", "next", "reversed")),
    *("__floor__", "__ceil__", "__trunc__", "__copy__", "__deepcopy__"),
)

# The classes that were met: those none of whose special methods are to be entered, and the others.
ORDINARY: dict[type, None] = dict.fromkeys(TRACED)
SPECIAL: dict[type, None] = {}


def is_ordinary(cls: type) -> bool:
    """Whether a class was met before or not, and no special method of it is to be entered."""
    if cls in SPECIAL:
        return False
    if cls in ORDINARY:
        return True
    # Classes that leave operators to rules have rules of the functions of `operator`.
    answer = (
        origin_of_class(cls) is Origin.ENGINE
        or has_rules(cls)
        or has_operators(cls)
        or all(special_method(cls, name) is None for name in _NAMES)
    )
    if answer:
        remember(ORDINARY, cls, None, TRACED)
    else:
        remember(SPECIAL, cls, None)
    return answer


def special_method(cls: type, name: str) -> types.FunctionType | None:
    """The function in Python that a class defines for a special method; `None` if it is none in Python."""
    method = method_of(cls, name)
    return method if type(method) is types.FunctionType else None
