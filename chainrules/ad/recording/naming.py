"""Names in generated programs: valid, and each for one thing."""

import builtins
import keyword
from collections.abc import Collection, Iterable

# What the text of a program needs for itself.
RESERVED = frozenset(
    {
        "np", "math", "MISS", "owned", "kind_of", "same_elements", "has_nan", "is_finite", "is_within",
        "ignoring_errors", "no_way_back", "parts_of",
    }
)  # fmt: skip
_BUILTINS = frozenset(dir(builtins))


def free_name(name: str, *taken: Collection[str]) -> str:
    """A valid name that none of `taken` has, and is no name of Python's: the given one, or with a number."""
    name = name if name.isidentifier() and not keyword.iskeyword(name) else "value"
    free, number = name, 2
    while any(free in names for names in (_BUILTINS, *taken)):
        free, number = f"{name}_{number}", number + 1
    return free


def parameter_names(names: Iterable[str]) -> list[str]:
    """Names for the leaves of arguments."""
    taken: set[str] = set(RESERVED) | {"program"}
    made = []
    for name in names:
        is_valid = name.isidentifier() and not keyword.iskeyword(name) and name not in _BUILTINS
        made.append(free_name(name if is_valid else "x", taken))
        taken.add(made[-1])
    return made
