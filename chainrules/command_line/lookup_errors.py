"""`NothingFoundError`: a command was given a name that it does not know."""

import difflib
from collections.abc import Iterable

_SUGGESTIONS = 3


class NothingFoundError(LookupError):
    """Nothing has the name, or matches the pattern, that a command was given."""


def nothing_found(problem: str, name: str, known: Iterable[str]) -> NothingFoundError:
    """The error that states a problem, and which of the `known` names may have been meant by `name`."""
    names = similar(name, known)
    return NothingFoundError(f"{problem} Did you mean {' or '.join(names)}?" if names else problem)


def similar(name: str, known: Iterable[str]) -> list[str]:
    """At most three of the `known` dotted names that `name` may have been meant for, the likeliest first."""
    known = sorted(set(known))
    last = name.rpartition(".")[2]
    same_last = [other for other in known if other.rpartition(".")[2] == last]
    whole = difflib.get_close_matches(name, known, n=_SUGGESTIONS, cutoff=0.75)
    by_last = {other.rpartition(".")[2]: other for other in reversed(known)}
    in_part = [by_last[near] for near in difflib.get_close_matches(last, by_last, n=_SUGGESTIONS, cutoff=0.8)]
    return list(dict.fromkeys([*same_last, *whole, *in_part]))[:_SUGGESTIONS]
